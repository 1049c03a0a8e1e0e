import type { ChainClient } from '../../chain/chainClient.ts';
import type { VaultEvent } from '../../domain/vault/event.ts';
import type { Notice } from '../../domain/vault/notice.ts';
import {
  FEES,
  isAnyMoved,
  isMoved,
  isPaid,
  isWorth,
  NEAR,
  type Paid,
} from '../../domain/vault/paid.ts';
import type { Ratio } from '../../domain/vault/ratio.ts';
import type { Accounts } from '../../domain/wallet/accounts.ts';
import type { VaultOnChain } from '../../vaults/kind.ts';
import { createMovesByBlock } from './movesByBlock.ts';

/**
 * Finds deposits and withdrawals that were paid in another asset, whose amounts are not in the base asset. Only amounts
 * that differ from the last price are checked, so that most cost no reads.
 */
export interface PaidAssets {
  /** Returns the events. Those in another asset have no amount: they are valued by their shares. */
  check(events: readonly VaultEvent[], asking: Asked): Promise<Doubted>;
}

interface Asked {
  readonly client: ChainClient;
  readonly concurrency: number;
}

export interface Doubted {
  readonly events: VaultEvent[];
  /** Once the price at a block is known, restores the amounts that match the value of the shares. */
  settle(priceAt: (block: number) => Ratio | null | undefined): VaultEvent[];
  /** The first deposit or withdrawal in another asset, once known. */
  notices(): Notice[];
}

/** An amount that no transfer of the base asset equals. */
interface Doubt {
  readonly paid: Paid;
  /** Whether another amount of the base asset was transferred. */
  readonly moved: boolean;
}

/** Fewer units are too imprecise for a price. */
const MIN_UNITS = 10_000n;

export function createPaidAssets(
  vault: VaultOnChain,
  accounts: Accounts,
  lastPrice: Ratio | null,
  /** Whether an earlier deposit or withdrawal was paid in another asset. */
  known: boolean,
): PaidAssets {
  const { asset, found } = vault;
  // Deposits and withdrawals have separate prices, because of their fees.
  const prices = { deposit: lastPrice, withdraw: lastPrice };
  // After the first payment in another asset, every amount is checked.
  let several = found.severalAssets || known;
  let isReported = known;

  return {
    async check(events, asking) {
      const payments = events.filter(isPaid);
      const moves = createMovesByBlock(asking.client, asset!, accounts, payments);
      await moves.readAhead(several ? payments : unlikely(payments), asking.concurrency);
      const doubted = new Map<VaultEvent, Doubt>();
      const notices: Notice[] = [];
      const kept: VaultEvent[] = [];
      for (const event of events) {
        const taken = await take(event);
        kept.push(taken);
      }
      return {
        events: kept,
        settle: (priceAt) => settle(kept, doubted, notices, priceAt),
        notices: () => notices,
      };

      async function take(event: VaultEvent): Promise<VaultEvent> {
        if (!isPaid(event) || event.assets === 0n) return event;
        const price = prices[event.kind];
        const likely = !several && price !== null && isWorth(event, price, NEAR);
        if (!likely) {
          const own = (await moves.at(event.place.blockNumber)).get(event.txHash) ?? [];
          if (!isMoved(event, own, accounts)) {
            const unknown = { ...event, assets: null };
            doubted.set(unknown, { paid: event, moved: isAnyMoved(event, own, accounts) });
            return unknown;
          }
        }
        prices[event.kind] = priceOf(event) ?? price;
        return event;
      }
    },
  };

  function settle(
    events: readonly VaultEvent[],
    doubted: ReadonlyMap<VaultEvent, Doubt>,
    notices: Notice[],
    priceAt: (block: number) => Ratio | null | undefined,
  ): VaultEvent[] {
    return events.map((event) => {
      const doubt = doubted.get(event);
      if (doubt === undefined || isOfBase(doubt, priceAt)) return doubt?.paid ?? event;
      several = true;
      const { place, txHash } = event;
      if (!isReported) notices.push({ code: 'other-asset', place, txHash, wallet: null });
      isReported = true;
      return event;
    });
  }

  function isOfBase(
    { paid, moved }: Doubt,
    priceAt: (block: number) => Ratio | null | undefined,
  ): boolean {
    // With several assets, an amount would pass if two of them had about the same price.
    if (several) return false;
    const read = priceAt(paid.place.blockNumber);
    // The last price depends on when the process started, so it only stands in for one that was not read.
    const price = read === undefined ? prices[paid.kind] : read;
    if (price === null || isWorth(paid, price, NEAR)) return true;
    // A deposit is paid in its transaction. A withdrawal can be paid later, or from another account.
    if (paid.kind === 'deposit' && !moved) return false;
    return isWorth(paid, price, FEES);
  }

  /** Returns the events whose price differs from the one before: few, because prices change slowly. */
  function unlikely(paid: readonly Paid[]): Paid[] {
    const last = { ...prices };
    return paid.filter((event) => {
      if (event.assets === 0n) return false;
      const price = last[event.kind];
      last[event.kind] = priceOf(event) ?? price;
      return price === null || !isWorth(event, price, NEAR);
    });
  }
}

function priceOf({ assets, shares }: Paid): Ratio | null {
  return assets >= MIN_UNITS && shares >= MIN_UNITS ? { assets, shares } : null;
}
