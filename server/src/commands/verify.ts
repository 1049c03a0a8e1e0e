import { randomUUID } from 'node:crypto';
import { type FlagValues, readWholeNumber } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { loadSnapshot, poolFamilyOf } from '../http/vault/loadSnapshot.ts';
import { getPerformance } from '../http/vault/performance.ts';
import { presentSnapshot } from '../http/vault/presentSnapshot.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { verify } from '../verify/verify.ts';
import { CONFIG } from './command.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

interface VerifyArguments {
  /** Null: every family. */
  readonly family: string | null;
  /** How many wallets of each family are drawn, besides the biggest. */
  readonly wallets: number;
  /** The same seed draws the same wallets; null: other ones each time. */
  readonly seed: string | null;
}

const DEFAULT_WALLETS = 20;
const MOST_WALLETS = 100_000;

/** Beside a running server, that server runs it. */
export const verifyStore: StoreCommand<VerifyArguments> = {
  name: 'verify',
  async runOn({ config, store, signal }, { family, wallets, seed }, print) {
    const families = config.families.filter(({ slug }) => family === null || slug === family);
    if (families.length === 0) {
      throw new UsageError(`no family ${JSON.stringify(family)} in ${config.file}`);
    }
    const { differences, unchecked } = await verify({
      config,
      families,
      store,
      wallets,
      seed: seed ?? randomUUID().slice(0, 8),
      print,
      ...(signal && { signal }),
      async loadServed(one) {
        const loaded = await loadSnapshot(store, config, one);
        if (loaded === undefined) return undefined;
        const poolFamily = poolFamilyOf(config, one);
        const { stats } = presentSnapshot({ ...loaded, family: one, poolTexts: [] });
        return { stats, poolFamily, poolChains: loaded.poolChains };
      },
      async loadWallet(one, wallet) {
        const now = unixTime();
        return (await getPerformance({ config, store }, wallet, [one], now)).families[0];
      },
    });
    return differences === 0 && unchecked === 0 ? 0 : 1;
  },
};

export const command = onStore(verifyStore, {
  usage: 'assay verify [--family SLUG] [--wallets N] [--seed TEXT] [--config FILE]',
  details: [
    'Reads the chains again at the blocks that the snapshots name, and the logs of every family from its start,',
    'by a second path that shares nothing with the indexer. Every difference is printed with both values; the',
    'exit code is 0 only when there is none and everything could be checked. The nodes must keep old state.',
    'Missing ticks are a difference unless a gap is recorded for them; recorded gaps are listed.',
    'Works beside a running server.',
  ].join('\n'),
  flags: {
    config: CONFIG,
    family: { value: 'SLUG', text: 'only this family' },
    wallets: { value: 'N', text: 'how many wallets to draw of each family (default 20)' },
    seed: { value: 'TEXT', text: 'draws the same wallets again; it is printed at the end' },
  },
  read: (flags: FlagValues) => ({
    family: flags.get('family') ?? null,
    wallets: readWholeNumber(flags, 'wallets', { from: 0, to: MOST_WALLETS }) ?? DEFAULT_WALLETS,
    seed: flags.get('seed') ?? null,
  }),
});
