import type { World } from '../../devnet/src/index.ts';
import type { Config, FamilyConfig } from '../src/config/config.ts';
import { chains } from '../src/store/chains/chains.ts';
import type { Queryable, Store } from '../src/store/store.ts';
import { type ChainView, readValue, sameAddress, viewChain } from './oracleChain.ts';
import { differences, type Row } from './oracleDifference.ts';
import {
  type FamilyRows,
  readBlockRows,
  readFamilyIds,
  readFamilyRows,
  readPriceRows,
} from './oracleRows.ts';
import { declaredPools, stateAt } from './oracleStates.ts';
import { gridOf, type Price, rollupsOf, ticksOf, usdPriceAt, worthOf } from './oracleTicks.ts';
import {
  type FamilyOnChain,
  type Holding,
  historyOf,
  holdingsAt,
  placeOf,
  publishedPrices,
  takeCost,
} from './oracleWallets.ts';

const PLACE = ['chainId', 'blockNumber', 'logIndex'];
const DEPOSIT = 1;

export interface CompareOptions {
  /** The time from which every chain is followed live: from then on, the finer grid of ticks must be complete. */
  readonly liveSince?: number;
  /** A reorg made a chain shorter. Only then may its newest tick be one that the backfill wrote. */
  readonly shortened?: boolean;
}

/**
 * Returns every difference between the store and the current chains, computed from the chains alone. The store must
 * have caught up with every head.
 */
export async function compareStore(
  store: Store,
  world: World,
  config: Config,
  options: CompareOptions = {},
): Promise<string[]> {
  const views = new Map<number, ChainView>();
  for (const { chainId, chain } of world.chains) views.set(chainId, await viewChain(chain));
  const found = await compareChains(store, views);
  const prices = new Map<string, Price[]>();
  for (const feed of config.prices.feeds) {
    if (feed.kind !== 'aggregator') continue;
    const { rows, wrong } = await comparePrices(store, views.get(feed.chainId)!, feed);
    found.push(...wrong);
    prices.set(feed.name, rows);
  }
  const ids = await readFamilyIds(store);
  for (const family of config.families) {
    const rows = await readFamilyRows(store, ids.get(family.slug)!);
    const wrong = await compareFamily({ family, rows, views, prices, config, options });
    found.push(...wrong.map((text) => `${family.slug}: ${text}`));
  }
  return found;
}

/** Compares checkpoints with the heads, and stored blocks with the chain. */
async function compareChains(db: Queryable, views: ReadonlyMap<number, ChainView>) {
  const expected = [...views.values()].map(({ chainId, head }) => ({
    chainId,
    head: head.number,
    headTime: head.time,
    indexedBlock: head.number,
    indexedTime: head.time,
    state: 'live',
    error: null,
  }));
  const rows = await chains.getAll(db);
  const found = differences('chain', ['chainId'], expected, rows as unknown as Row[]);
  for (const { chainId, blocks, head } of views.values()) {
    const ring = await readBlockRows(db, chainId);
    for (const { number, hash, time } of ring) {
      const block = blocks[number as number];
      if (block?.hash !== hash || block?.time !== time)
        found.push(`block: ${number} of chain ${chainId} is not on the chain`);
    }
    if (ring.at(-1)?.number !== head.number)
      found.push(`block: the head of chain ${chainId} is not remembered`);
  }
  return found;
}

async function comparePrices(
  db: Queryable,
  view: ChainView,
  feed: { name: string; address: `0x${string}`; startBlock: number },
) {
  const signature = 'decimals() view returns (uint8)';
  const decimals = (await readValue(view.client, view.head, feed.address, signature)) as number;
  const rows = view.events.flatMap((event) => {
    if (event.eventName !== 'AnswerUpdated' || !sameAddress(event.address, feed.address)) return [];
    if (event.args.current <= 0n || event.blockNumber < feed.startBlock) return [];
    const { blockTime: at, chainId, blockNumber, logIndex } = placeOf(event);
    return [{ at, chainId, blockNumber, logIndex, value: event.args.current, decimals }];
  });
  const held = await readPriceRows(db, feed.name);
  return { rows, wrong: differences(`price ${feed.name}`, PLACE, rows, held) };
}

interface FamilyCase {
  readonly family: FamilyConfig;
  readonly rows: FamilyRows;
  readonly views: ReadonlyMap<number, ChainView>;
  readonly prices: ReadonlyMap<string, readonly Price[]>;
  readonly config: Config;
  readonly options: CompareOptions;
}

async function compareFamily(given: FamilyCase): Promise<string[]> {
  const { family, rows, views, config } = given;
  const master = config.families.find(({ slug }) => slug === family.feederOf);
  const parts = family.chains.flatMap((chain) => {
    const view = views.get(chain.chainId);
    return view === undefined ? [] : [partOf(family, chain, master, view)];
  });
  const { client, head } = parts[0]!.view;
  const signature = 'decimals() view returns (uint8)';
  const decimals = (await readValue(client, head, family.address, signature)) as number;
  const feedChain = config.prices.feeds.find(({ name }) => name === family.priceFeed);
  const seen = [...parts.map(({ view }) => view)];
  if (feedChain?.kind === 'aggregator') seen.push(views.get(feedChain.chainId)!);
  // A block with the head's timestamp can still follow.
  const until = Math.min(...seen.map((view) => view.head.time)) - 1;
  const facts = {
    chains: parts.map(({ chain, startTime }) => ({ chainId: chain.chainId, startTime })),
    priceChainId: family.chains.find(({ role }) => role === 'settlement')!.chainId,
    assetDecimals: decimals,
    prices: given.prices.get(family.priceFeed ?? '') ?? [],
    maxPriceAge: config.prices.maxAgeSeconds,
  };
  const history = parts.flatMap(historyOf).map((item) => {
    const price = usdPriceAt(facts, item.blockTime);
    const usd = price === undefined ? null : worthOf(item.assets, decimals, price);
    // Later deposits are valued when every chain has passed them.
    return {
      ...item,
      usd: item.type !== DEPOSIT ? null : item.blockTime <= until ? usd : undefined,
    };
  });
  const ticks = ticksOf(facts, rows.chainTick, until);
  return [
    ...differences('history', PLACE, history, rows.history),
    ...differences('share_price', PLACE, parts.flatMap(publishedPrices), rows.sharePrice),
    ...differences('pool', PLACE, parts.flatMap(declaredPools), rows.pool),
    ...comparePositions(parts, rows, decimals, until),
    ...(await compareStates(parts, given)),
    ...differences('tick', ['at'], ticks, rows.tick),
    ...differences('tick_rollup', ['span', 'bucket'], rollupsOf(rows.tick), rows.rollup),
  ];
}

function partOf(
  family: FamilyConfig,
  chain: FamilyConfig['chains'][number],
  master: FamilyConfig | undefined,
  view: ChainView,
): FamilyOnChain {
  const own = [family.address, chain.oracle, chain.registry];
  return {
    family,
    chain,
    view,
    priced: (master ?? family).address,
    isFeeder: master !== undefined,
    startTime: view.blocks[chain.startBlock]!.time,
    events: view.events.filter(
      (event) =>
        event.blockNumber >= chain.startBlock &&
        own.some((address) => sameAddress(event.address, address)),
    ),
  };
}

/** Compares positions at the last timestamp that all chains have passed, and all movements. */
function comparePositions(
  parts: readonly FamilyOnChain[],
  rows: FamilyRows,
  decimals: number,
  until: number,
): string[] {
  // A reorg that makes a chain shorter does not remove rows that other chains have already contributed.
  const positions = holdingsAt(parts, decimals, Math.max(until, rows.positionUntil));
  const all = holdingsAt(parts, decimals, Number.POSITIVE_INFINITY);
  return [
    ...differences('position', ['wallet'], walletRows(positions), rows.position),
    ...differences('holder_total', [], totalOf(positions), keptTotal(rows)),
    ...differences('movement', ['wallet'], walletRows(all), walletRows(foldMovements(rows))),
  ];
}

const walletRows = (holdings: ReadonlyMap<string, Holding>): Row[] =>
  [...holdings].map(([wallet, holding]) => ({ wallet, ...holding }));

/** A total of zero holders may be stored as a row or as no row. */
const keptTotal = ({ holderTotal }: FamilyRows) =>
  holderTotal.filter(({ holders, shares }) => holders !== 0 || shares !== 0n);

function totalOf(positions: ReadonlyMap<string, Holding>): Row[] {
  const held = [...positions.values()].filter(({ shares }) => shares > 0n);
  if (held.length === 0) return [];
  return [{ holders: held.length, shares: held.reduce((sum, { shares }) => sum + shares, 0n) }];
}

function foldMovements({ movement }: FamilyRows): Map<string, Holding> {
  const holdings = new Map<string, Holding>();
  for (const row of movement) {
    const wallet = row.wallet as string;
    const held = holdings.get(wallet) ?? { shares: 0n, cost: 0n, realized: 0n };
    holdings.set(wallet, held);
    const [shares, assets] = [row.shares as bigint, row.assets as bigint];
    if (row.kind === 1 || row.kind === 3) {
      held.shares += shares;
      held.cost += assets;
    } else {
      const cost = takeCost(held, shares);
      if (row.kind === 2) held.realized += assets - cost;
    }
  }
  return holdings;
}

/** Compares states at every stored and every grid timestamp with a new read of the chain. */
async function compareStates(
  parts: readonly FamilyOnChain[],
  { rows, config, options }: FamilyCase,
): Promise<string[]> {
  const { liveSeconds, backfillSeconds } = config.ticks;
  const ticks: Row[] = [];
  const pools: Row[] = [];
  const newest = new Map<number, number>();
  for (const part of parts) {
    const { chainId } = part.chain;
    const last = part.view.head.time - 1;
    const held = rows.chainTick.filter((row) => row.chainId === chainId).map((row) => row.at);
    const instants = new Set([
      ...held.filter((at) => at >= part.startTime && at <= last),
      ...gridOf(part.startTime, last, backfillSeconds),
      ...gridOf(options.liveSince ?? Number.POSITIVE_INFINITY, last, liveSeconds),
    ]);
    for (const at of instants) {
      const block = part.view.blockAt(at)!;
      const { pools: own, ...state } = await stateAt(part, block);
      const place = { chainId, at, blockNumber: block.number };
      ticks.push({ ...place, ...state });
      for (const pool of own) pools.push({ ...place, ...pool });
    }
    // A chain that became shorter may end at a tick that the backfill wrote.
    if (!options.shortened) newest.set(chainId, Math.max(...instants));
  }
  const key = ['chainId', 'poolId', 'at'];
  return [
    ...differences('chain_tick', ['chainId', 'at'], ticks, rows.chainTick),
    ...differences('pool_tick', key, unlessUnread(pools, rows.poolTick, newest), rows.poolTick),
  ];
}

/** Historical ticks may omit values that only current data needs; a chain's newest tick must have them. */
function unlessUnread(
  expected: readonly Row[],
  held: readonly Row[],
  newest: ReadonlyMap<number, number>,
): Row[] {
  const lean = new Set(
    held
      .filter(
        (row) => row.availableLiquidity === null && row.at !== newest.get(Number(row.chainId)),
      )
      .map((row) => `${row.chainId} ${row.poolId} ${row.at}`),
  );
  return expected.map((row) =>
    lean.has(`${row.chainId} ${row.poolId} ${row.at}`)
      ? { ...row, availableLiquidity: null, statedRate: null }
      : row,
  );
}
