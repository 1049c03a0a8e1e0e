import { mulDivDown } from '../amount.ts';
import type { Address, Hex } from '../hex.ts';
import type { LogPlace } from '../order.ts';
import { type Movement, type MovementContext, movementsOf } from '../wallet/movement.ts';
import type { PoolDeclaration, VaultEvent } from './event.ts';

export type HistoryType = 'deposit' | 'withdraw' | 'redeem' | 'cancel';

/** What a wallet did, as its history shows it: the owner of a deposit, the receiver of an exit. */
export interface HistoryItem {
  readonly place: LogPlace;
  readonly txHash: Hex;
  readonly type: HistoryType;
  readonly wallet: Address;
  /** Null: of a queued redemption that names shares only, before any share price is known. */
  readonly assets: bigint | null;
  readonly shares: bigint;
  /** Of a queued redemption, where its vault numbers them. */
  readonly requestId?: bigint | undefined;
}

export interface Interpretation {
  readonly history: HistoryItem[];
  readonly movements: Movement[];
  readonly sharePrices: { readonly place: LogPlace; readonly price: bigint }[];
  readonly pools: { readonly place: LogPlace; readonly pool: PoolDeclaration }[];
  /** The share price in force after the last event. */
  readonly lastPrice: bigint | null;
}

export interface InterpretContext extends MovementContext {
  /**
   * `published`: prices come from an oracle's events. `traded`: the vault publishes none, so the last deposit
   * or exit says what a share is worth.
   */
  readonly priceRule: 'published' | 'traded';
  readonly lastPrice: bigint | null;
}

/** What a family's events on one chain mean, in log order. */
export function interpret(
  events: readonly VaultEvent[],
  context: InterpretContext,
): Interpretation {
  const history: HistoryItem[] = [];
  const movements: Movement[] = [];
  const sharePrices: Interpretation['sharePrices'] = [];
  const pools: Interpretation['pools'] = [];
  let lastPrice = context.lastPrice;
  let transaction: { event: VaultEvent; price: bigint | null }[] = [];

  for (const event of events) {
    if (transaction.length > 0 && transaction[0]!.event.txHash !== event.txHash) closeTransaction();
    transaction.push({ event, price: lastPrice });
    const item = historyItem(event, lastPrice, context.shareUnit);
    if (item !== undefined) history.push(item);
    if (event.kind === 'pool') pools.push({ place: event.place, pool: event });
    if (event.kind === 'share-price') {
      lastPrice = event.price;
      sharePrices.push({ place: event.place, price: event.price });
    } else if (context.priceRule === 'traded') {
      lastPrice = tradedPrice(event, context.shareUnit) ?? lastPrice;
    }
  }
  closeTransaction();
  return { history, movements, sharePrices, pools, lastPrice };

  function closeTransaction(): void {
    for (const movement of movementsOf(transaction, context)) movements.push(movement);
    transaction = [];
  }
}

function historyItem(
  event: VaultEvent,
  price: bigint | null,
  shareUnit: bigint,
): HistoryItem | undefined {
  const { place, txHash } = event;
  switch (event.kind) {
    case 'deposit': {
      const { owner: wallet, assets, shares } = event;
      return { place, txHash, type: 'deposit', wallet, assets, shares };
    }
    case 'withdraw': {
      const { receiver: wallet, assets, shares } = event;
      return { place, txHash, type: 'withdraw', wallet, assets, shares };
    }
    case 'redeem-request': {
      const { receiver: wallet, shares, requestId } = event;
      const worth = price === null ? null : mulDivDown(shares, price, shareUnit);
      const assets = event.assets ?? worth;
      return { place, txHash, type: 'redeem', wallet, assets, shares, requestId };
    }
    case 'cancel': {
      const { receiver: wallet, assets, shares } = event;
      return { place, txHash, type: 'cancel', wallet, assets, shares };
    }
    default:
      return undefined;
  }
}

/** Base units per whole share in a deposit or exit; dust that was paid nothing says nothing. */
export function tradedPrice(
  event: { kind: string; assets?: bigint | null; shares?: bigint },
  shareUnit: bigint,
): bigint | undefined {
  if (event.kind !== 'deposit' && event.kind !== 'withdraw') return undefined;
  if (!event.shares || !event.assets) return undefined;
  return mulDivDown(event.assets, shareUnit, event.shares);
}
