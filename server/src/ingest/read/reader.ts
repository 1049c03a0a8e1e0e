import { ShortData } from '../../chain/abi.ts';
import type { LogFilter, RawLog } from '../../chain/chainClient.ts';
import { mulDivDown, unit } from '../../domain/amount.ts';
import type { Address } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import { poolsInForce, type VaultEvent } from '../../domain/vault/event.ts';
import { type Interpretation, interpret } from '../../domain/vault/interpret.ts';
import { history } from '../../store/history/history.ts';
import { type DeclaredPool, pools } from '../../store/pools/pools.ts';
import { sharePrices } from '../../store/prices/sharePrices.ts';
import type { Queryable } from '../../store/store.ts';
import type { VaultRow } from '../../store/vaults/vaults.ts';
import { ADAPTERS } from '../../vaults/index.ts';
import type { Adapter, Detail, LastBalances, StateRead, VaultOnChain } from '../../vaults/kind.ts';
import type { FeedReader } from '../feeds/feedReader.ts';
import type { FamilySource } from '../sources.ts';

/** Reads one family's logs on one chain, in order, carrying what later logs need from earlier ones. */
export interface FamilyReader {
  readonly kind: 'family';
  readonly source: FamilySource;
  readonly familyId: number;
  readonly vault: VaultOnChain;
  readonly filter: LogFilter;
  take(logs: readonly RawLog[], place: (log: RawLog) => LogPlace): Interpretation;
  /** How to read its state at a block that `take` has passed. */
  stateAt(block: number, detail: Detail): StateRead;
}

export type Reader = FamilyReader | FeedReader;

/** Starts where the store stands. */
export async function createFamilyReader(
  db: Queryable,
  source: FamilySource,
  facts: VaultRow,
): Promise<FamilyReader> {
  const { familyId, chainId, asset, assetDecimals, share, shareDecimals } = facts;
  const { family, chain, master } = source;
  const adapter: Adapter = ADAPTERS[family.adapter];
  const vault = { family, chain, master, asset, assetDecimals, share, shareDecimals };
  const wanted = adapter.wantedLogs(vault);
  const shareUnit = unit(shareDecimals);
  const context = {
    escrow: new Set<Address>([family.address, share]),
    routers: new Set(chain.routers),
    shareUnit,
    priceRule: adapter.priceRule,
  };
  const declared: DeclaredPool[] = await pools.getOfSource(db, familyId, chainId);
  const lastBalances: LastBalances = new Map();
  let lastPrice = await loadLastPrice();

  return {
    kind: 'family',
    source,
    familyId,
    vault,
    filter: { addresses: wanted.addresses, topics: [wanted.topics] },
    take(logs, place) {
      const events: VaultEvent[] = [];
      for (const log of logs) {
        const event = decodeOrSkip(adapter, log, place(log), vault);
        if (event !== undefined) events.push(event);
      }
      const meaning = interpret(events, { ...context, lastPrice });
      lastPrice = meaning.lastPrice;
      declared.push(...meaning.pools);
      return meaning;
    },
    stateAt: (block, detail) =>
      adapter.read(vault, poolsInForce(declared, block), detail, lastBalances),
  };

  async function loadLastPrice(): Promise<bigint | null> {
    if (adapter.priceRule === 'published') {
      return (await sharePrices.findLast(db, familyId, chainId)) ?? null;
    }
    const trade = await history.findLastTrade(db, familyId, chainId);
    return trade === undefined ? null : mulDivDown(trade.assets, shareUnit, trade.shares);
  }
}

/** A log that ends early is not of the ABI that its topic claims: nothing the vault said. */
function decodeOrSkip(adapter: Adapter, log: RawLog, place: LogPlace, vault: VaultOnChain) {
  try {
    return adapter.decode(log, place, vault);
  } catch (error) {
    if (error instanceof ShortData) return undefined;
    throw error;
  }
}

/** One filter for all readers of a group. */
export function joinFilters(readers: readonly Reader[]): LogFilter {
  const addresses = [...new Set(readers.flatMap((reader) => reader.filter.addresses))];
  const topics = [...new Set(readers.flatMap((reader) => reader.filter.topics?.[0] ?? []))];
  return { addresses, topics: [topics] };
}
