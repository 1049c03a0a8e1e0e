import { groupBy } from '../../domain/groupBy.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import { DAY } from '../../domain/time.ts';
import type { EventOf } from '../../domain/vault/event.ts';
import { MAX_UNSEEN } from '../../domain/vault/notice.ts';
import type { Examined, FreeMint } from '../../store/freeMints/freeMints.ts';

type Transfer = EventOf<'transfer'>;

/** Limits in how many transactions the payment of minted or burned shares is looked for. */
export interface Examinations {
  /** Whether to read a transaction with these transfers. Counts it, if so. */
  begin(transfers: readonly Transfer[]): boolean;
  /** It was no sale or redemption. */
  noteFree(transfers: readonly Transfer[], txHash: Hex): FreeMint[];
  noteReported(): void;
  reported(): number;
}

/** Maximum transactions to read, plus one per day of the chain: fees, bridges, and gifts have no event, either. */
const MAX_READS = 20;
/** An account whose shares changed without a payment this often receives fees, or holds locked profits. */
const MAX_FREE = 3;

export function createExaminations(
  side: 'mints' | 'burns',
  /** From the store. */
  before: { readonly examined: Examined; readonly reported: number },
): Examinations {
  let { reported } = before;
  let { transactions: reads, since: firstTime } = before.examined;
  const free = new Map(before.examined.free);
  const accountOf = ({ from, to }: Transfer): Address => (side === 'mints' ? to : from);

  return {
    begin(transfers) {
      const { blockTime } = transfers[0]!.place;
      firstTime ??= blockTime;
      const days = Math.floor((blockTime - firstTime) / DAY);
      const isLeft = reported < MAX_UNSEEN && reads < MAX_READS + days;
      if (!isLeft || transfers.every((one) => (free.get(accountOf(one)) ?? 0) >= MAX_FREE)) {
        return false;
      }
      reads += 1;
      return true;
    },
    noteFree(transfers, txHash) {
      const { place } = transfers[0]!;
      return [...new Set(transfers.map(accountOf))].map((wallet) => {
        free.set(wallet, (free.get(wallet) ?? 0) + 1);
        return { place, txHash, wallet, isBurn: side === 'burns' };
      });
    },
    noteReported() {
      reported += 1;
    },
    reported: () => reported,
  };
}

/** The transfers that satisfy `is`, by transaction. */
export function byTransaction(
  events: readonly { readonly kind: string; readonly txHash: Hex }[],
  is: (event: Transfer) => boolean,
): ReadonlyMap<Hex, readonly Transfer[]> {
  const transfers = events.flatMap((event) => {
    if (event.kind !== 'transfer' || !is(event as Transfer)) return [];
    return event as Transfer;
  });
  return groupBy(transfers, ({ txHash }) => txHash);
}
