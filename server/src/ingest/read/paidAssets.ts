import type { ChainClient } from '../../chain/chainClient.ts';
import type { Hex } from '../../domain/hex.ts';
import type { VaultEvent } from '../../domain/vault/event.ts';
import type { Notice } from '../../domain/vault/notice.ts';
import {
  type AssetMove,
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
import { readMoves } from '../../vaults/assetMoves.ts';
import type { VaultOnChain } from '../../vaults/kind.ts';
import { mapConcurrent } from './prefetch.ts';

/**
 * Finds the deposits and exits of a vault that were paid in another asset than its own: what they name is no amount of
 * the base asset. Only what is not at the last price is looked into, so that most cost nothing.
 */
export interface PaidAssets {
  /** The events, those of another asset without their amount: then it is what the shares are worth. */
  check(events: readonly VaultEvent[], asking: Asked): Promise<Doubted>;
}

interface Asked {
  readonly client: ChainClient;
  readonly concurrency: number;
}

export interface Doubted {
  readonly events: VaultEvent[];
  /** Once the price at a block is known, gives those back their amount whose shares are worth it after all. */
  settle(priceAt: (block: number) => Ratio | null | undefined): VaultEvent[];
  /** The first deposit or exit in another asset, once it is settled which are. */
  notices(): Notice[];
}

/** An amount that no transfer of the base asset equals. */
interface Doubt {
  readonly paid: Paid;
  /** Whether another amount of the base asset was moved. */
  readonly moved: boolean;
}

type Moves = ReadonlyMap<Hex, readonly AssetMove[]>;

/** So few units say little of a price. */
const MIN_UNITS = 10_000n;

export function createPaidAssets(
  vault: VaultOnChain,
  accounts: Accounts,
  lastPrice: Ratio | null,
  /** Whether an earlier deposit or exit was paid in another asset. */
  known: boolean,
): PaidAssets {
  const { asset, found } = vault;
  // Deposits and exits each have a price of their own, by their fees.
  const prices = { deposit: lastPrice, withdraw: lastPrice };
  // Once another asset has come in, every amount is looked into.
  let several = found.severalAssets || known;
  let isReported = known;

  return {
    async check(events, asking) {
      const movesAt = createMovesAt(events.filter(isPaid), asking);
      await movesAt.readAhead(several ? events.filter(isPaid) : unlikely(events.filter(isPaid)));
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
          const moves = (await movesAt.block(event.place.blockNumber)).get(event.txHash) ?? [];
          if (!isMoved(event, moves, accounts)) {
            const unknown = { ...event, assets: null };
            doubted.set(unknown, { paid: event, moved: isAnyMoved(event, moves, accounts) });
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
    // A vault of several assets would be believed where two of them happen to be worth about the same.
    if (several) return false;
    const price = priceAt(paid.place.blockNumber) ?? prices[paid.kind];
    if (price === null || isWorth(paid, price, NEAR)) return true;
    // Whoever deposits pays then and there; what an exit pays may come later, or from elsewhere.
    if (paid.kind === 'deposit' && !moved) return false;
    return isWorth(paid, price, FEES);
  }

  /** Those whose amount is not about the price of the one before: few, where prices change slowly. */
  function unlikely(paid: readonly Paid[]): Paid[] {
    const last = { ...prices };
    return paid.filter((event) => {
      if (event.assets === 0n) return false;
      const price = last[event.kind];
      last[event.kind] = priceOf(event) ?? price;
      return price === null || !isWorth(event, price, NEAR);
    });
  }

  /** The transfers of the base asset that these may speak of, by block. */
  function createMovesAt(paid: readonly Paid[], { client, concurrency }: Asked) {
    const known = new Map<number, Promise<Moves>>();
    function block(number: number): Promise<Moves> {
      const asked = known.get(number);
      if (asked !== undefined) return asked;
      const own = paid.filter(({ place }) => place.blockNumber === number);
      const systemAccounts = [...accounts.vaults, ...accounts.custody];
      const sides = {
        from: [
          ...systemAccounts,
          ...own.flatMap((one) => (one.kind === 'deposit' ? one.sender : [])),
        ],
        to: [
          ...systemAccounts,
          ...own.flatMap((one) => (one.kind === 'withdraw' ? one.receiver : [])),
        ],
      };
      const read = readMoves(client, asset!, number, sides);
      known.set(number, read);
      return read;
    }
    return {
      block,
      async readAhead(doubted: readonly Paid[]) {
        const blocks = new Set(doubted.map(({ place }) => place.blockNumber));
        for await (const _ of mapConcurrent(blocks, concurrency, block));
      },
    };
  }
}

function priceOf({ assets, shares }: Paid): Ratio | null {
  return assets >= MIN_UNITS && shares >= MIN_UNITS ? { assets, shares } : null;
}
