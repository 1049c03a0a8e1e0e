import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Facts } from './method.ts';

/** A protocol as it stood in November 2022, and what is shown of its fate by April 2026. */
export interface Case {
  readonly id: string;
  readonly facts: Facts;
  /**
   * Shown to be dead, or rugged. False is not "alive": about half of the outcomes are kept apart, and a protocol
   * whose outcome is kept apart looks like one that lives.
   */
  readonly dead: boolean;
  readonly rugged: boolean;
}

/** The day after the newest listing in the file of 2022. */
export const THEN = Date.UTC(2022, 10, 26) / 1000;

const FACTS = '2022-11-protocols.json';
const OUTCOMES = '2026-04-protocols.json';

export class RiskDataMissing extends Error {
  constructor(folder: string | undefined) {
    super(
      folder === undefined
        ? 'The risk back-test needs data: set ASSAY_RISK_DATA to a folder with the public protocol lists.'
        : `The risk back-test needs ${FACTS} and ${OUTCOMES} in the folder named by ASSAY_RISK_DATA.`,
    );
  }
}

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly symbol: string | null;
  readonly audits: string | null;
  readonly category: string;
  readonly chains: readonly string[];
  readonly forkedFrom?: readonly string[] | null;
  readonly oracles?: readonly string[] | null;
  readonly listedAt: number;
  readonly tvl: number;
  readonly mcap?: number | null;
}

interface Outcome {
  readonly id: string;
  readonly deadUrl?: boolean;
  readonly deadFrom?: string;
  readonly rugged?: boolean;
}

export function readCases(folder: string | undefined): Case[] {
  if (folder === undefined || ![FACTS, OUTCOMES].every((file) => existsSync(join(folder, file))))
    throw new RiskDataMissing(folder);
  const read = <T>(file: string): readonly T[] =>
    JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return joinCases(read<Listed>(FACTS), read<Outcome>(OUTCOMES));
}

/** By id; of the later list nothing but the outcome is taken, so that no later fact leaks into an earlier one. */
export function joinCases(listed: readonly Listed[], outcomes: readonly Outcome[]): Case[] {
  const later = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  return listed.flatMap((protocol) => {
    const outcome = later.get(protocol.id);
    if (outcome === undefined) return [];
    return [
      {
        id: protocol.id,
        facts: factsOf(protocol),
        dead: outcome.deadUrl === true || outcome.deadFrom !== undefined,
        rugged: outcome.rugged === true,
      },
    ];
  });
}

const AUDITS: Readonly<Record<string, string>> = {
  '0': 'none-recorded',
  '1': 'partial',
  // The list of 2022 links no reports, so an audit is a claim; "3" says that what it was forked from was audited.
  '2': 'claimed',
  '3': 'partial',
};

function factsOf(protocol: Listed): Facts {
  const audits = AUDITS[protocol.audits ?? ''];
  return {
    name: protocol.name,
    slug: protocol.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    ...(protocol.symbol === '-' && { hasToken: false }),
    category: protocol.category,
    chains: protocol.chains.map((chain) => chain.toLowerCase()),
    tvlUsd: protocol.tvl,
    ...(protocol.mcap && { marketCapUsd: protocol.mcap }),
    listedAt: protocol.listedAt,
    ...(audits && { audits: { status: audits } }),
    ...(protocol.forkedFrom && { forkOf: protocol.forkedFrom }),
    ...(protocol.oracles && { oracles: protocol.oracles }),
  };
}
