import { DAY, toIso } from '../../domain/time.ts';
import type { Ratio } from '../../domain/vault/ratio.ts';
import type { CostMethod } from '../../domain/wallet/accounting/costMethod.ts';
import { type Lot, split } from '../../domain/wallet/accounting/lot.ts';
import { createLotBook } from '../../domain/wallet/accounting/lotBook.ts';
import { typeOf } from '../../domain/wallet/accounting/moveType.ts';
import { performanceOf } from '../../domain/wallet/performance.ts';
import type { AccountMove } from '../../store/movements/accounting.ts';
import type { VaultRow } from '../../store/vaults/vaults.ts';
import type { LotItem } from './lotsSchema.ts';

/** A lot of the response, with its place in the order of all. */
export interface PlacedLot {
  readonly key: readonly number[];
  readonly item: LotItem;
}

export interface LotsOf {
  readonly moves: readonly AccountMove[];
  readonly method: CostMethod;
  readonly facts: VaultRow;
  readonly now: number;
  /** What shares are worth on a chain now. */
  readonly ratioOn: (chainId: number) => Ratio | null;
}

/** The open lots of one family, the oldest first. */
export function openLots({ moves, method, facts, now, ratioOn }: LotsOf): PlacedLot[] {
  const book = createLotBook<AccountMove>(method);
  for (const move of moves) book.add(move);
  const lots = book.lots();
  const value = performanceOf(book.position(), ratioOn).currentValue;
  const values =
    value === null
      ? undefined
      : split(
          value,
          lots.map(({ shares }) => shares),
        );
  return lots.map((lot, index) => ({
    key: keyOf(lot.opened, 0),
    item: {
      ...factsOf(facts, lot.opened),
      ...openingOf(lot),
      ...holding(lot.opened.at, now),
      closedAt: null,
      closedBy: null,
      closedChainId: null,
      shares: lot.shares.toString(),
      cost: lot.cost.toString(),
      currentValue: values?.[index]?.toString() ?? null,
      unrealized: values === undefined ? null : (values[index]! - lot.cost).toString(),
      assets: null,
      realized: null,
    },
  }));
}

/** The parts of lots that left, in the order in which they did. */
export function closedLots({ moves, method, facts }: Omit<LotsOf, 'ratioOn' | 'now'>): PlacedLot[] {
  const book = createLotBook<AccountMove>(method);
  return moves.flatMap((move) =>
    book.add(move).parts.map(
      ({ lot, shares, cost, assets }, index): PlacedLot => ({
        key: keyOf(move, index),
        item: {
          ...factsOf(facts, move),
          ...openingOf(lot),
          ...holding(lot?.opened.at ?? null, move.at),
          closedAt: toIso(move.at),
          closedBy: typeOf(move) as 'exit' | 'fee' | 'sent',
          closedChainId: move.chainId,
          shares: shares.toString(),
          cost: cost.toString(),
          currentValue: null,
          unrealized: null,
          assets: move.kind === 'exit' ? assets.toString() : null,
          realized: move.kind === 'exit' ? (assets - cost).toString() : null,
        },
      }),
    ),
  );
}

function factsOf(facts: VaultRow, { slug }: AccountMove) {
  const { assetSymbol, assetDecimals, shareDecimals } = facts;
  return {
    family: slug,
    baseAssetSymbol: assetSymbol,
    baseAssetDecimals: assetDecimals,
    shareDecimals,
  };
}

function openingOf(lot: Pick<Lot<AccountMove>, 'opened'> | null) {
  if (lot === null) return { openedAt: null, openedBy: null, openedChainId: null };
  const { opened } = lot;
  return {
    openedAt: toIso(opened.at),
    openedBy: typeOf(opened) as 'deposit' | 'received' | 'reward',
    openedChainId: opened.chainId,
  };
}

function holding(from: number | null, to: number) {
  if (from === null) return { holdingSeconds: null, holdingDays: null };
  const seconds = Math.max(0, to - from);
  return { holdingSeconds: seconds, holdingDays: Math.floor(seconds / DAY) };
}

function keyOf(move: AccountMove, part: number): number[] {
  const { familyId, blockTime, chainId, blockNumber, logIndex } = move;
  return [familyId, blockTime, chainId, blockNumber, logIndex, move.part, part];
}

/** Whether a key stands after another in the order of all. */
export function isAfter(key: readonly number[], other: readonly number[]): boolean {
  const at = key.findIndex((value, index) => value !== other[index]);
  return at >= 0 && key[at]! > other[at]!;
}
