import type { VaultEvent } from '../../domain/vault/event.ts';
import type { HistoryItem } from '../../domain/vault/history.ts';
import type { Notice, NoticeCode } from '../../domain/vault/notice.ts';
import type { VaultOnChain } from '../../vaults/kind.ts';

/** Detects notices about the entire vault. The first event that shows one is enough. */
export interface VaultNotices {
  /** Takes the counted events, their interpretation, and by how much the total fell in blocks of requests. */
  find(
    events: readonly VaultEvent[],
    history: readonly HistoryItem[],
    fallenAt: (block: number) => bigint | undefined,
  ): Notice[];
}

/** Interest within one block, and rounding, in percent of a request. */
const TOLERANCE = 2n;
/** A smaller request is not conclusive. */
const MIN_UNITS = 1_000n;

export function createVaultNotices(
  { found }: VaultOnChain,
  known: ReadonlyMap<NoticeCode, number>,
): VaultNotices {
  const reported = new Set(known.keys());
  return {
    find(events, history, fallenAt) {
      const notices: Notice[] = [];
      const report = (
        code: NoticeCode,
        event: Pick<VaultEvent, 'place' | 'txHash'> | undefined,
      ) => {
        if (event === undefined || reported.has(code)) return;
        reported.add(code);
        notices.push({ code, place: event.place, txHash: event.txHash, wallet: null });
      };
      if (found.outsideQueue != null) report('booked-redemption', events.find(isRedemption));
      report('fixed-request', findFixed(history, fallenAt));
      return notices;
    },
  };
}

function isRedemption({ kind }: VaultEvent): boolean {
  return kind === 'withdraw';
}

/** Detects a vault that deducts a request from its total, and so owes a fixed amount from then on. */
function findFixed(
  history: readonly HistoryItem[],
  fallenAt: (block: number) => bigint | undefined,
): HistoryItem | undefined {
  const requested = new Map<number, bigint>();
  for (const { type, assets, place, vault } of history) {
    if (type !== 'redeem' || assets === null || vault !== undefined) continue;
    requested.set(place.blockNumber, (requested.get(place.blockNumber) ?? 0n) + assets);
  }
  return history.find(({ type, place }) => {
    const assets = requested.get(place.blockNumber);
    const fallen = fallenAt(place.blockNumber);
    if (type !== 'redeem' || assets === undefined || fallen === undefined) return false;
    const off = fallen > assets ? fallen - assets : assets - fallen;
    return assets >= MIN_UNITS && off * 100n <= assets * TOLERANCE;
  });
}
