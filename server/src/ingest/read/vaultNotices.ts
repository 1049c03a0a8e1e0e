import { groupBy } from '../../domain/groupBy.ts';
import type { VaultEvent } from '../../domain/vault/event.ts';
import { type BlockStart, priceRequests } from '../../domain/vault/fixedRequest.ts';
import type { Notice, NoticeCode } from '../../domain/vault/notice.ts';
import type { Movement } from '../../domain/wallet/movement.ts';
import type { VaultOnChain } from '../../vaults/kind.ts';

/** Detects notices about the entire vault. The first event that shows one is enough. */
export interface VaultNotices {
  /** Takes the counted events, and what the vault reported before blocks with requests. */
  find(events: readonly VaultEvent[], shown: Shown): Notice[];
}

/** What reading the events showed. */
export interface Shown {
  startOf(block: number): BlockStart | undefined;
  /** Whether a payment has confirmed the described rate. */
  isRateProven(): boolean;
}

export function createVaultNotices(
  { found, chain }: VaultOnChain,
  known: ReadonlyMap<NoticeCode, number>,
): VaultNotices {
  const reported = new Set(known.keys());
  return {
    find(events, { startOf, isRateProven }) {
      const notices: Notice[] = [];
      const report = (code: NoticeCode, find: () => VaultEvent | undefined) => {
        const event = reported.has(code) ? undefined : find();
        if (event === undefined) return;
        reported.add(code);
        notices.push({ code, place: event.place, txHash: event.txHash, wallet: null });
      };
      if (found.outsideQueue != null) report('booked-redemption', () => events.find(isRedemption));
      if (chain.rated !== undefined && !isRateProven()) report('unproven-rate', () => events[0]);
      report('fixed-request', () => findFixed(events, startOf));
      return notices;
    },
  };
}

/** Finds the wallets whose shares moved before they had a price. */
export function findUnpriced(
  movements: readonly Movement[],
  events: readonly VaultEvent[],
): Notice[] {
  return movements.flatMap(({ isUnpriced, place, txHash, wallet }) => {
    if (!isUnpriced) return [];
    const isOfBlock = (event: VaultEvent) => event.place.blockNumber === place.blockNumber;
    return {
      code: 'unpriced-shares',
      place,
      txHash: txHash ?? events.find(isOfBlock)!.txHash,
      wallet,
    };
  });
}

function isRedemption({ kind }: VaultEvent): boolean {
  return kind === 'withdraw';
}

/** Returns the first request of a vault that deducts it from its total, and so owes a fixed amount from then on. */
function findFixed(
  events: readonly VaultEvent[],
  startOf: (block: number) => BlockStart | undefined,
): VaultEvent | undefined {
  const answered = events.filter(({ place }) => startOf(place.blockNumber) !== undefined);
  const blocks = groupBy(answered, ({ place }) => place.blockNumber);
  for (const [number, block] of blocks) {
    if (!priceRequests(block, startOf(number)!).isFixed) continue;
    return block.find(({ kind }) => kind === 'redeem-request');
  }
  return undefined;
}
