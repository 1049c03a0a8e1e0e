import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Facts are from November 2022; anything dated later is an outcome. */
export const THEN = Date.UTC(2022, 11, 1) / 1000;

export interface ListedProtocol {
  readonly id: string;
  readonly name: string;
  readonly tvl: number;
  readonly listedAt: number;
  readonly audits: string | null;
  readonly pool2?: number | null;
}

export interface ListedPool {
  readonly project: string;
  readonly tvlUsd: number;
  readonly apy: number | null;
  readonly timestamp: string;
}

export interface ListedCoin {
  readonly id: string;
  readonly name: string;
}

export interface LaterProtocol {
  readonly id: string;
  readonly deadUrl?: boolean;
  readonly deadFrom?: string;
}

/** One incident of one protocol; see the README of the data. */
export interface IncidentRow {
  readonly protocolId: string;
  readonly date: string | null;
  readonly victims: string;
  readonly match: 'exact' | 'entry-then' | 'sibling' | 'dependency';
  readonly confidence: 'high' | 'medium' | 'low';
  readonly shareOfTvl2022?: number | null;
  readonly loss: boolean;
}

export interface CoinRow {
  readonly stablecoinId: string;
  readonly lossEvent?: 'none' | 'temporary' | 'permanent' | 'unknown';
}

export interface Lists {
  readonly protocols: readonly ListedProtocol[];
  readonly pools: readonly ListedPool[];
  readonly coins: readonly ListedCoin[];
  /** From the list of 2026-04, only the closure of a protocol is used. */
  readonly later: readonly LaterProtocol[];
  readonly incidents: readonly IncidentRow[];
  readonly coinRows: readonly CoinRow[];
}

export class RiskDataMissing extends Error {
  constructor(file: string, variable: string) {
    super(
      `The risk back-test needs ${file}: set ${variable} to a folder that has it, as .ci/run does where the data is.`,
    );
  }
}

/** A fact that was not known in November 2022. */
export class LaterFact extends Error {
  constructor(list: string, id: string, what: string) {
    super(`${list}, ${id}: ${what}, which nobody knew in 2022-11; take it out of the facts`);
  }
}

export function readLists(risk: string | undefined, incidents: string | undefined): Lists {
  const facts = (file: string) => read(risk, 'ASSAY_RISK_DATA', file);
  const outcomes = (file: string) => read(incidents, 'ASSAY_INCIDENTS', file);
  const coins = facts('2022-11-stablecoins.json');
  return checkLists({
    protocols: facts('2022-11-protocols.json'),
    pools: facts('2022-11-yields-pools.json'),
    coins: Array.isArray(coins) ? coins : coins.peggedAssets,
    later: facts('2026-04-protocols.json'),
    incidents: outcomes('protocol-incidents-2022-12-to-2026.json'),
    coinRows: outcomes('stablecoin-outcomes.json'),
  });
}

/** The fields of the lists in 2022-11. Other fields were added later, perhaps because of an outcome. */
const FIELDS = {
  protocols: new Set(
    `audits category chain chainTvls chains change_1d change_1h change_7d forkedFrom id language lastfee listedAt
     listedtimeago mcap name openSource oracles parentProtocol pool2 rank referralUrl staking symbol tvl
     twitter`.split(/\s+/),
  ),
  pools: new Set(
    `apy apyBase apyPct1D apyPct30D apyPct7D apyReward chain count exposure il7d ilRisk mu outlier pool poolMeta
     predictions project rank rewardTokens sigma stablecoin symbol timestamp tvlUsd underlyingTokens`.split(
      /\s+/,
    ),
  ),
  coins: new Set(
    `chainCirculating chains change1d change1m change1w circulating circulatingPrevDay circulatingPrevMonth
     circulatingPrevWeek delisted gecko_id id marketcapEUR marketcapUSD name offPeg pegMechanism pegType price
     priceSource rank symbol timestamp totalchains`.split(/\s+/),
  ),
};

/** Rejects facts from after 2022-11, and outcomes from before. */
export function checkLists(lists: Lists): Lists {
  for (const list of ['protocols', 'pools', 'coins'] as const) {
    for (const item of lists[list] as readonly object[]) {
      const { id, project, listedAt, timestamp } = item as Record<string, unknown>;
      const name = String(id ?? project);
      const added = Object.keys(item).find((field) => !FIELDS[list].has(field));
      if (added !== undefined) throw new LaterFact(list, name, `it has the field ${added}`);
      for (const time of [listedAt, timestamp]) {
        if (time === undefined || time === null) continue;
        if (secondsOf(time) >= THEN) throw new LaterFact(list, name, `it is dated ${time}`);
      }
    }
  }
  for (const { protocolId, date } of lists.incidents)
    if (date !== null && secondsOf(date) < THEN)
      throw new LaterFact(
        'incidents',
        protocolId,
        `the incident of ${date} is no outcome but a fact`,
      );
  return lists;
}

function secondsOf(time: unknown): number {
  return typeof time === 'number' ? time : Date.parse(`${time}`.replace(' ', 'T')) / 1000;
}

function read(folder: string | undefined, variable: string, file: string) {
  if (folder === undefined || !existsSync(join(folder, file)))
    throw new RiskDataMissing(file, variable);
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}
