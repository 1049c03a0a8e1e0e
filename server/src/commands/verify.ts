import { randomUUID } from 'node:crypto';
import { type FlagValues, readWholeNumber } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { type AsOf, findAsOf, isFound } from '../http/vault/asOf.ts';
import { createLiveChains } from '../http/vault/liveChains.ts';
import { loadSnapshot, poolFamilyOf } from '../http/vault/loadSnapshot.ts';
import { pendingRedeemRoutes } from '../http/vault/pendingRedeems.ts';
import type { PendingRedeems } from '../http/vault/pendingRedeemsSchema.ts';
import { getPerformance } from '../http/vault/performance.ts';
import { findPositionsAsOf } from '../http/vault/positionsAsOf.ts';
import { presentSnapshot } from '../http/vault/presentSnapshot.ts';
import { parseInstant } from '../http/vault/timeRange.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { getHoldersAt } from '../store/positions/holders.ts';
import type { AsOfAnswers } from '../verify/compareAsOf.ts';
import { verify } from '../verify/verify.ts';
import { CONFIG } from './command.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

interface VerifyArguments {
  /** Null: every family. */
  readonly family: string | null;
  /** Number of sampled wallets per family, in addition to the largest. */
  readonly wallets: number;
  /** The same seed samples the same wallets; null: random. */
  readonly seed: string | null;
  /** A time in the past, in Unix seconds; absent: now. */
  readonly at?: number;
}

const DEFAULT_WALLETS = 20;
const MAX_WALLETS = 100_000;
const PENDING_MS = 30_000;

/** While a server runs, that server executes it. */
export const verifyStore: StoreCommand<VerifyArguments> = {
  name: 'verify',
  async runOn({ config, store, signal }, { family, wallets, seed, at }, print) {
    const families = config.families.filter(({ slug }) => family === null || slug === family);
    if (families.length === 0) {
      throw new UsageError(`no family ${JSON.stringify(family)} in ${config.file}`);
    }
    const asOf = at === undefined ? undefined : await answersAsOf(at);
    // A slow endpoint must not count as a difference.
    const chains = createLiveChains(config, { deadlineMs: PENDING_MS });
    const [pending] = pendingRedeemRoutes({ config, store, chains });
    const { differences, unchecked } = await verify({
      config,
      families,
      store,
      wallets,
      seed: seed ?? randomUUID().slice(0, 8),
      print,
      ...(asOf && { asOf }),
      ...(signal && { signal }),
      async loadServed(one) {
        const loaded = await loadSnapshot(store, config, one, at);
        if (loaded === undefined) return undefined;
        const poolFamily = poolFamilyOf(config, one);
        const { stats } = presentSnapshot({ ...loaded, family: one, poolTexts: [] });
        return { stats, poolFamily, poolChains: loaded.poolChains };
      },
      async loadWallet(one, wallet) {
        const now = unixTime();
        const then =
          at === undefined
            ? undefined
            : await findPositionsAsOf({ config, store }, wallet, [one], at);
        return (await getPerformance({ config, store }, wallet, [one], now, 'average', then))
          .families[0];
      },
      async loadPending({ slug }, wallet) {
        const query = new Map([['family', [slug]]]);
        const request = { path: { walletAddress: wallet }, query, now: unixTime() };
        return (await pending!.answer(request)) as PendingRedeems;
      },
    }).finally(() => chains.close());
    return differences === 0 && unchecked === 0 ? 0 : 1;

    async function answersAsOf(then: number): Promise<AsOfAnswers> {
      const found = await findAsOf(store, config, families, then);
      return {
        whyMissing({ slug }) {
          const point = found.get(slug)!;
          return isFound(point) ? undefined : point.error.message;
        },
        async loadHeldShares({ slug }) {
          const { familyId, at: until } = found.get(slug) as AsOf;
          return (await getHoldersAt(store, familyId, until, 1)).shares;
        },
      };
    }
  },
};

export const command = onStore(verifyStore, {
  usage: 'assay verify [--family SLUG] [--at TIME] [--wallets N] [--seed TEXT] [--config FILE]',
  details: [
    'Re-reads the chains at the blocks of the snapshots, and the logs of every family',
    'from its start, with code that is independent of the indexer. Prints every difference with both values.',
    'Exit code 0: no difference, and everything could be checked. The RPC endpoints must have archive state.',
    'A missing data point is a difference unless its gap is recorded; recorded gaps are listed.',
    'Works while the server runs.',
  ].join(' '),
  flags: {
    config: CONFIG,
    family: { value: 'SLUG', text: 'Only this family' },
    at: { value: 'TIME', text: 'Verify the responses as of a past time, such as 2026-07-01' },
    wallets: { value: 'N', text: 'Number of wallets to sample per family (default 20)' },
    seed: { value: 'TEXT', text: 'Samples the same wallets again; printed at the end' },
  },
  read: (flags: FlagValues) => ({
    family: flags.get('family') ?? null,
    ...readAt(flags.get('at')),
    wallets: readWholeNumber(flags, 'wallets', { from: 0, to: MAX_WALLETS }) ?? DEFAULT_WALLETS,
    seed: flags.get('seed') ?? null,
  }),
});

function readAt(text: string | undefined): Pick<VerifyArguments, 'at'> {
  if (text === undefined) return {};
  const instant = parseInstant(text, 'end');
  if (typeof instant === 'bigint') return { at: Number(instant / 1_000_000_000n) };
  throw new UsageError(`--at ${instant.reason}`);
}
