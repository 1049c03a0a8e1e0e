import type { Address } from '../../domain/hex.ts';
import { comparePlaces } from '../../domain/order.ts';
import type { Movement } from '../../domain/wallet/movement.ts';
import { EMPTY_POSITION, moved, type Position } from '../../domain/wallet/position.ts';
import { families } from '../../store/families/families.ts';
import { movements, type WaitingMovements } from '../../store/movements/movements.ts';
import { positions } from '../../store/positions/positions.ts';
import type { Queryable } from '../../store/store.ts';

/** What a fold reads from the store, before the movements of the step are written. */
export interface FoldReads {
  readonly held: Promise<ReadonlyMap<Address, Position>>;
  /** Earlier movements that are not folded yet. */
  readonly waiting: Promise<WaitingMovements | null>;
}

export function askForFold(
  tx: Queryable,
  familyId: number,
  feed: string | null,
  added: readonly Movement[],
): FoldReads {
  return {
    held: positions.getOfWallets(tx, familyId, walletsOf(added)),
    waiting: movements.getWaiting(tx, familyId, feed),
  };
}

/**
 * Folds the movements in (folded so far, until] into positions. Average cost depends on the order across all chains, so
 * `until` is the time up to which every readable chain is indexed. Wallets with a late movement, before what was folded
 * already, are folded from scratch. `added`: the movements that this transaction writes, which are not read back if
 * `reads` was started before.
 */
export async function foldPositions(
  tx: Queryable,
  family: { readonly familyId: number; readonly positionUntil: number },
  until: number,
  added: readonly Movement[],
  reads: FoldReads | undefined,
): Promise<void> {
  const { familyId, positionUntil } = family;
  const late = new Set<Address>();
  for (const { place, wallet } of added) if (place.blockTime <= positionUntil) late.add(wallet);
  const target = Math.max(until, positionUntil);
  if (late.size > 0) await refoldPositions(tx, familyId, [...late], target);
  if (until <= positionUntil) return;
  const isDue = ({ wallet, place }: Movement) => place.blockTime <= until && !late.has(wallet);
  const waiting = await reads?.waiting;
  // Reads up to another second miss movements: the chains to wait for can change in between.
  if (reads && waiting?.until === until) {
    const due = [...waiting.movements, ...added].filter(isDue).sort(inOrder);
    const held = await reads.held;
    const before = new Map<Address, Position>();
    for (const { wallet } of due) {
      const position = held.get(wallet) ?? waiting.held.get(wallet);
      if (position !== undefined) before.set(wallet, position);
    }
    await Promise.all([
      positions.upsert(tx, familyId, foldInto(before, due)),
      families.setPositionUntil(tx, familyId, until),
    ]);
    return;
  }
  for await (const page of movements.getBetween(tx, familyId, positionUntil, until)) {
    await foldPage(tx, familyId, page.filter(isDue));
  }
  await families.setPositionUntil(tx, familyId, until);
}

function inOrder(a: Movement, b: Movement): number {
  return comparePlaces(a.place, b.place) || a.part - b.part;
}

/**
 * Computes the positions of these wallets from all their movements up to an instant. Wallets without movements have
 * none.
 */
export async function refoldPositions(
  tx: Queryable,
  familyId: number,
  wallets: readonly Address[],
  until: number,
): Promise<void> {
  if (wallets.length === 0) return;
  await positions.remove(tx, familyId, wallets);
  const all = await movements.getOfWallets(tx, familyId, wallets, until);
  await positions.upsert(tx, familyId, foldInto(new Map(), all));
}

async function foldPage(tx: Queryable, familyId: number, page: readonly Movement[]): Promise<void> {
  if (page.length === 0) return;
  const held = await positions.getOfWallets(tx, familyId, walletsOf(page));
  await positions.upsert(tx, familyId, foldInto(held, page));
}

function walletsOf(page: readonly Movement[]): Address[] {
  return [...new Set(page.map((movement) => movement.wallet))];
}

function foldInto(held: Map<Address, Position>, page: readonly Movement[]): Map<Address, Position> {
  for (const movement of page) {
    const { wallet, place, kind, shares, assets } = movement;
    const move = { kind, shares, assets, chainId: place.chainId };
    held.set(wallet, moved(held.get(wallet) ?? EMPTY_POSITION, move));
  }
  return held;
}
