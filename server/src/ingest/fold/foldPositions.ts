import type { Address } from '../../domain/hex.ts';
import type { Movement } from '../../domain/wallet/movement.ts';
import { EMPTY_POSITION, moved, type Position } from '../../domain/wallet/position.ts';
import { families } from '../../store/families/families.ts';
import { movements } from '../../store/movements/movements.ts';
import { positions } from '../../store/positions/positions.ts';
import type { Queryable } from '../../store/store.ts';

/**
 * Folds the movements in (folded so far, until] into positions. Average cost depends on the order over all
 * chains, so `until` is where every readable chain is known. Wallets with a movement that came late, below
 * what was folded already, are folded anew from their first.
 */
export async function foldPositions(
  tx: Queryable,
  family: { readonly familyId: number; readonly positionUntil: number },
  until: number,
  lateWallets: ReadonlySet<Address>,
): Promise<void> {
  const { familyId, positionUntil } = family;
  const target = Math.max(until, positionUntil);
  if (lateWallets.size > 0) await refoldPositions(tx, familyId, [...lateWallets], target);
  if (until <= positionUntil) return;
  for await (const page of movements.getBetween(tx, familyId, positionUntil, until)) {
    await foldPage(
      tx,
      familyId,
      page.filter((movement) => !lateWallets.has(movement.wallet)),
    );
  }
  await families.setPositionUntil(tx, familyId, until);
}

/** Positions of these wallets from all their movements up to an instant; one without any has none. */
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
  const wallets = [...new Set(page.map((movement) => movement.wallet))];
  const held = await positions.getOfWallets(tx, familyId, wallets);
  await positions.upsert(tx, familyId, foldInto(held, page));
}

function foldInto(held: Map<Address, Position>, page: readonly Movement[]): Map<Address, Position> {
  for (const movement of page) {
    const { wallet, place, kind, shares, assets } = movement;
    const move = { kind, shares, assets, chainId: place.chainId };
    held.set(wallet, moved(held.get(wallet) ?? EMPTY_POSITION, move));
  }
  return held;
}
