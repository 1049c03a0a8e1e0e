import { type FlagValues, readWholeNumber } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import type { Config } from '../config/config.ts';
import { gapText } from '../domain/gapText.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { families } from '../store/families/families.ts';
import { type FamilyGap, getFamilyGaps } from '../store/gaps/familyGaps.ts';
import { gapRequests } from '../store/gaps/gapRequests.ts';
import { gaps } from '../store/gaps/gaps.ts';
import { sources } from '../store/sources/sources.ts';
import type { Store } from '../store/store.ts';
import { CONFIG } from './command.ts';
import { findFillRange, readBound } from './fillRange.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

interface FillArguments {
  /** Null: every family. */
  readonly family: string | null;
  /** Null: every chain. */
  readonly chain: number | null;
  /** A block number or a date in UTC. */
  readonly range: { readonly from: string; readonly to: string } | null;
}

/** A family on one indexed chain. */
interface Source {
  readonly family: string;
  readonly familyId: number;
  readonly chainId: number;
  readonly startBlock: number;
  readonly indexedBlock: number;
}

/** Only writes requests to the store: the running or next indexer processes them. */
export const fillStore: StoreCommand<FillArguments> = {
  name: 'fill',
  async runOn({ config, store }, args, print) {
    checkNames(config, args);
    const isAsked = ({ family, chainId }: { family: string; chainId: number }) =>
      (args.family ?? family) === family && (args.chain ?? chainId) === chainId;
    const recorded = (await getFamilyGaps(store)).filter(isAsked);
    if (args.range === null) {
      for (const gap of recorded) {
        await gapRequests.request(store, gap, gap, unixTime());
        print(`requested: ${gapText(gap)}`);
      }
      if (recorded.length === 0)
        print('No gaps are recorded. To read blocks again, use --from and --to.');
      return 0;
    }
    for (const source of (await indexedSources(store)).filter(isAsked)) {
      const own = recorded.filter(
        ({ familyId, chainId }) => familyId === source.familyId && chainId === source.chainId,
      );
      print(await fillSource(config, store, source, own, args.range));
    }
    return 0;
  },
};

/** Rejects unknown names, so that a typo is not reported as a family without gaps. */
function checkNames(config: Config, { family, chain, range }: FillArguments): void {
  const named = config.families.filter(({ slug }) => family === null || slug === family);
  if (named.length === 0) {
    throw new UsageError(`no family ${JSON.stringify(family)} in ${config.file}`);
  }
  const chains = new Set(named.flatMap((one) => one.chains.map(({ chainId }) => chainId)));
  if (chain !== null && !chains.has(chain)) {
    throw new UsageError(`no family on chain ${chain} in ${config.file}; correct --chain`);
  }
  const isBlock = range !== null && [range.from, range.to].some((text) => /^\d+$/.test(text));
  if (isBlock && chain === null && chains.size > 1) {
    throw new UsageError('block numbers need --chain, because each chain has its own');
  }
}

async function indexedSources(store: Store): Promise<Source[]> {
  const slugs = new Map((await families.getAll(store)).map((row) => [row.familyId, row.slug]));
  return (await sources.getAll(store)).flatMap(({ familyId, ...row }) => {
    const family = familyId === null ? undefined : slugs.get(familyId);
    return family === undefined ? [] : [{ ...row, familyId: familyId!, family }];
  });
}

/** Records a gap for each part of the range that has none, and requests the entire range. */
async function fillSource(
  config: Config,
  store: Store,
  source: Source,
  recorded: readonly FamilyGap[],
  range: NonNullable<FillArguments['range']>,
): Promise<string> {
  const name = `${source.family} on chain ${source.chainId}`;
  const chain = config.chains.find(({ chainId }) => chainId === source.chainId);
  if (chain === undefined || chain.rpcUrls.length === 0) return `skipped: ${name} has no RPC URL`;
  const found = await findFillRange(chain, source, recorded, range);
  if (found === undefined) return `skipped: ${name} has no indexed blocks in that range`;
  const now = unixTime();
  const { familyId, chainId } = source;
  await store.transaction(async (tx) => {
    for (const piece of found.pieces) {
      const rest = { reason: 'state', foundAt: now, initial: false } as const;
      await gaps.add(tx, { familyId, chainId, ...piece, ...rest });
    }
    await gapRequests.request(tx, source, found, now);
  });
  return `requested: ${name}, blocks ${found.fromBlock} to ${found.toBlock}`;
}

export const command = onStore(fillStore, {
  usage: 'assay fill [--family SLUG] [--chain ID] [--from WHEN --to WHEN] [--config FILE]',
  details: [
    'Requests that the indexer fills recorded gaps now, for example after you add an',
    'archive RPC URL. With --from and --to, it also re-reads that range, so that missing',
    'data points are added. WHEN is a block number (with --chain) or a date in UTC.',
    'The running or next indexer does the work; /v1/status lists the remaining gaps.',
  ].join(' '),
  examples: [
    'assay fill',
    'assay fill --family svcusd --chain 8453 --from 2026-05-01 --to 2026-05-07',
  ],
  flags: {
    config: CONFIG,
    family: { value: 'SLUG', text: 'Only this family' },
    chain: { value: 'ID', text: 'Only this chain' },
    from: { value: 'WHEN', text: 'First block or date' },
    to: { value: 'WHEN', text: 'Last block or date' },
  },
  read,
});

function read(flags: FlagValues): FillArguments {
  const [from, to] = [flags.get('from'), flags.get('to')];
  if ((from === undefined) !== (to === undefined)) {
    throw new UsageError('--from and --to belong together; give both or neither');
  }
  if (from !== undefined) readBound('from', from);
  if (to !== undefined) readBound('to', to);
  return {
    family: flags.get('family') ?? null,
    chain: readWholeNumber(flags, 'chain', { from: 1, to: Number.MAX_SAFE_INTEGER }) ?? null,
    range: from === undefined || to === undefined ? null : { from, to },
  };
}
