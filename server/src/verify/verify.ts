import type { Config, FamilyConfig } from '../config/config.ts';
import { type AsOfAnswers, compareAsOf } from './compareAsOf.ts';
import { compareFamilyStats } from './compareFamilyStats.ts';
import { compareFeedPrice } from './compareFeedPrice.ts';
import type { LoadPending } from './comparePending.ts';
import { comparePools } from './comparePools.ts';
import { comparePositions } from './comparePositions.ts';
import { compareTicks } from './compareTicks.ts';
import { describeReport, type FamilyReport, joinReports } from './comparison.ts';
import { createDeployments, type Deployments } from './deployments.ts';
import { type MomentOptions, takeMoment } from './moment.ts';

export interface VerifyOptions extends MomentOptions {
  readonly config: Pick<Config, 'chains' | 'families' | 'prices' | 'ticks'>;
  /** The families to check. */
  readonly families: readonly FamilyConfig[];
  /** The API's response for a wallet's pending redemptions in a family. */
  readonly loadPending: LoadPending;
  /** For a past time: then `loadServed` and `loadWallet` return data as of it too. */
  readonly asOf?: AsOfAnswers;
  readonly print: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface Verdict {
  readonly figures: number;
  readonly differences: number;
  readonly unchecked: number;
  /** Ticks missing where a gap is recorded. */
  readonly inGaps: number;
}

interface CheckedFamily extends Required<FamilyReport> {
  readonly inGaps: number;
}

/** The server may commit or roll back between two reads, so only a value that differs twice is a difference. */
const ATTEMPTS = 2;

/** Compares served data with the chains through an independent path; prints the results. */
export async function verify(options: VerifyOptions): Promise<Verdict> {
  const { families, print, seed, signal } = options;
  const deployments = createDeployments(options.config);
  const verdict = { figures: 0, differences: 0, unchecked: 0, inGaps: 0 };
  const undecoded: string[] = [];
  try {
    for (const family of families) {
      signal?.throwIfAborted();
      const report = await checkFamily(options, deployments, family);
      for (const line of describeReport(report)) print(line);
      undecoded.push(...report.undecoded);
      verdict.unchecked += report.unchecked.length;
      verdict.inGaps += report.inGaps;
      for (const { figures, differences } of report.compared) {
        verdict.figures += figures;
        verdict.differences += differences.length;
      }
    }
  } finally {
    deployments.close();
  }
  for (const line of undecoded) print(line);
  const { figures, differences, unchecked, inGaps } = verdict;
  const missing = inGaps === 0 ? '' : ` ${inGaps} ticks missing in recorded gaps,`;
  print(
    `${figures} figures of ${families.length} families compared: ${differences} different,${missing} ${unchecked} not checked (seed ${seed})`,
  );
  return verdict;
}

async function checkFamily(
  options: VerifyOptions,
  deployments: Deployments,
  family: FamilyConfig,
): Promise<CheckedFamily> {
  for (let attempt = 1; ; attempt++) {
    const report = await checkOnce(options, deployments, family);
    const clean = report.compared.every(({ differences }) => differences.length === 0);
    if (clean || attempt === ATTEMPTS) return report;
    deployments.forget();
  }
}

async function checkOnce(
  options: VerifyOptions,
  deployments: Deployments,
  family: FamilyConfig,
): Promise<CheckedFamily> {
  const { store, config, asOf } = options;
  if (asOf !== undefined) {
    return {
      ...joinReports([await compareAsOf({ ...options, asOf, deployments, family })]),
      inGaps: 0,
    };
  }
  const moment = await takeMoment(options, family);
  const ticks = await compareTicks({ deployments, store, family, grid: config.ticks });
  if (moment === undefined) {
    const unread = { compared: [], unchecked: [`${family.slug}: it has not been read yet`] };
    return { ...joinReports([unread, ticks]), inGaps: ticks.inGaps };
  }
  const { served } = moment;
  const stats = await compareFamilyStats(deployments, family, served);
  const report = joinReports([
    stats,
    await comparePools({ deployments, store, family, served, totals: stats.totals }),
    await compareFeedPrice(deployments, config.prices, family, served),
    await comparePositions({
      ...moment,
      deployments,
      store,
      family,
      loadPending: options.loadPending,
    }),
    ticks,
  ]);
  return { ...report, inGaps: ticks.inGaps };
}
