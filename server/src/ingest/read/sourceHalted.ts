import type { Interpretation } from '../../domain/vault/interpret.ts';
import type { FamilySource } from '../sources.ts';

/** One family cannot continue. It stops at its checkpoint, while the others of the chain continue. */
export class SourceHalted extends Error {
  override readonly name = 'SourceHalted';
  readonly key: string;

  constructor(source: { readonly key: string; readonly chainId: number }, reason: string) {
    super(`${source.key} on chain ${source.chainId} is halted: ${reason}`);
    this.key = source.key;
  }
}

/** Sums across wallets and chains must still fit 78 digits. */
export const TOO_MUCH = 10n ** 75n;

/** Rejects amounts that no real token has: one such event would otherwise stop every family on the chain. */
export function checkAmounts(source: FamilySource, meaning: Interpretation): void {
  for (const rows of [meaning.history, meaning.movements]) {
    for (const { shares, assets, place } of rows) {
      if (shares < TOO_MUCH && (assets === null || assets < TOO_MUCH)) continue;
      const reason = `block ${place.blockNumber} has an amount beyond any real token's`;
      throw new SourceHalted(source, reason);
    }
  }
  for (const { price, place } of meaning.sharePrices) {
    if (price < TOO_MUCH) continue;
    throw new SourceHalted(
      source,
      `block ${place.blockNumber} has a share price beyond any real one`,
    );
  }
}

/**
 * Rejects an event that pays several wallets at once: history has one item per event, so storing it would fail, and stop
 * every family on the chain.
 */
export function checkItems(
  source: FamilySource,
  { history }: Pick<Interpretation, 'history'>,
): void {
  const places = new Set<string>();
  for (const { place, txHash } of history) {
    const name = `${txHash} ${place.logIndex}`;
    if (places.has(name)) {
      const reason = `block ${place.blockNumber} has an event that ends requests of several wallets; name the field with its receiver, or the request's id, under flows, and run "assay check"`;
      throw new SourceHalted(source, reason);
    }
    places.add(name);
  }
}

/**
 * Rejects events that never match the shares that move with them, or the requests that they end: they are misdescribed,
 * and would be served as costs or queues.
 */
export function checkTrust(source: FamilySource, doubted: string | null): void {
  if (doubted === null) return;
  const reason = `the event "${doubted}" never fits the shares that move beside it, or the requests that it ends; correct its fields under flows, or the rate and its decimals, and run "assay check"`;
  throw new SourceHalted(source, reason);
}
