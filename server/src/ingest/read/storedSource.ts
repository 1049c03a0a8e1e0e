import type { Address } from '../../domain/hex.ts';
import type { FlowFit } from '../../domain/vault/flowTrust.ts';
import type { NoticeCode } from '../../domain/vault/notice.ts';
import { type Ratio, ratioOfPrice } from '../../domain/vault/ratio.ts';
import type { RedeemRequest } from '../../domain/vault/requestBook.ts';
import { custody } from '../../store/custody/custody.ts';
import { flowFits } from '../../store/flowFits/flowFits.ts';
import {
  type ExaminedShares,
  freeMints,
  NOTHING_EXAMINED,
} from '../../store/freeMints/freeMints.ts';
import { groupByFamily } from '../../store/groupByFamily.ts';
import { findWithDeposits } from '../../store/history/hasDeposits.ts';
import { notices } from '../../store/notices/notices.ts';
import { type DeclaredPool, pools } from '../../store/pools/pools.ts';
import { sharePrices } from '../../store/prices/sharePrices.ts';
import {
  type OpenQueue,
  type OwnRequestId,
  walletQueues,
} from '../../store/queues/walletQueues.ts';
import { redeemRequests } from '../../store/requests/redeemRequests.ts';
import type { Queryable } from '../../store/store.ts';
import { chainTicks } from '../../store/ticks/chainTicks.ts';
import type { VaultKind } from '../../vaults/kind.ts';

/** What the store has of a family on a chain, up to a block: the state in which its reader starts. */
export interface StoredSource {
  readonly custody: readonly Address[];
  readonly pools: readonly DeclaredPool[];
  readonly queues: readonly OpenQueue[];
  readonly requestIds: readonly OwnRequestId[];
  /** The last known price; null if there is none. */
  readonly price: Ratio | null;
  readonly hasDeposits: boolean;
  readonly examined: ExaminedShares;
  readonly requests: readonly RedeemRequest[];
  /** How many transactions caused each notice. */
  readonly notices: ReadonlyMap<NoticeCode, number>;
  readonly fits: readonly FlowFit[];
}

/** Of a family that was never read. */
export const NOTHING_STORED: StoredSource = {
  custody: [],
  pools: [],
  queues: [],
  requestIds: [],
  price: null,
  hasDeposits: false,
  examined: NOTHING_EXAMINED,
  requests: [],
  notices: new Map(),
  fits: [],
};

export interface AskedSource {
  readonly familyId: number;
  readonly shareDecimals: number;
  readonly kind: Pick<VaultKind, 'paysAtOnce' | 'price' | 'queue'>;
}

/** Reads many families in one statement per table: a chain can have thousands. */
export async function readStoredSources(
  db: Queryable,
  chainId: number,
  asked: readonly AskedSource[],
  upTo: number = Number.MAX_SAFE_INTEGER,
): Promise<(familyId: number) => StoredSource> {
  const all = idsOf(asked);
  const selling = idsOf(asked.filter(({ kind }) => kind.paysAtOnce));
  const numbered = idsOf(asked.filter(({ kind }) => kind.queue === 'requests'));
  const [kept, declared, queued, prices, sold, examined, requests, noticed, fits] =
    await Promise.all([
      custody.getOfFamilies(db, all, chainId, upTo).then(groupByFamily),
      pools.getOfFamilies(db, all, chainId, upTo).then(groupByFamily),
      readQueues(db, all, chainId, upTo),
      readPrices(db, asked, chainId, upTo),
      selling.length === 0 ? undefined : findWithDeposits(db, selling, chainId, upTo),
      selling.length === 0 ? undefined : freeMints.getExamined(db, selling, chainId, upTo),
      numbered.length === 0
        ? undefined
        : redeemRequests.getOpen(db, numbered, chainId, upTo).then(groupByFamily),
      notices.getOfFamilies(db, all, chainId, upTo).then(groupByFamily),
      numbered.length === 0
        ? undefined
        : flowFits.getOfFamilies(db, numbered, chainId, upTo).then(groupByFamily),
    ]);
  return (familyId) => ({
    custody: (kept.get(familyId) ?? []).map(({ account }) => account),
    pools: declared.get(familyId) ?? [],
    queues: queued.open.get(familyId) ?? [],
    requestIds: queued.ids.get(familyId) ?? [],
    price: prices.get(familyId) ?? null,
    hasDeposits: sold?.has(familyId) ?? false,
    examined: examined?.get(familyId) ?? NOTHING_STORED.examined,
    requests: requests?.get(familyId) ?? [],
    notices: new Map(
      (noticed.get(familyId) ?? []).map(({ code, transactions }) => [code, transactions]),
    ),
    fits: fits?.get(familyId) ?? [],
  });
}

async function readQueues(db: Queryable, ids: readonly number[], chainId: number, upTo: number) {
  const open = await walletQueues.getOpen(db, ids, chainId, upTo);
  const numbers = await walletQueues.getIds(db, chainId, open, upTo);
  return { open: groupByFamily(open), ids: groupByFamily(numbers) };
}

async function readPrices(
  db: Queryable,
  asked: readonly AskedSource[],
  chainId: number,
  upTo: number,
): Promise<ReadonlyMap<number, Ratio | null>> {
  const converted = asked.filter(({ kind }) => kind.price === 'converted');
  const published = asked.filter(({ kind }) => kind.price !== 'converted');
  const prices = new Map<number, Ratio | null>(
    converted.length === 0
      ? []
      : await chainTicks.getLastRatios(db, idsOf(converted), chainId, upTo),
  );
  if (published.length === 0) return prices;
  const last = await sharePrices.getLast(db, idsOf(published), chainId, upTo);
  for (const { familyId, shareDecimals } of published) {
    const price = last.get(familyId);
    if (price !== undefined) prices.set(familyId, ratioOfPrice(price, shareDecimals));
  }
  return prices;
}

function idsOf(asked: readonly AskedSource[]): number[] {
  return asked.map(({ familyId }) => familyId);
}
