import type { VaultEvent } from '../../domain/vault/event.ts';
import type { Notice } from '../../domain/vault/notice.ts';
import type { Ratio } from '../../domain/vault/ratio.ts';
import type { Accounts } from '../../domain/wallet/accounts.ts';
import type { FreeMint } from '../../store/freeMints/freeMints.ts';
import type { VaultKind, VaultOnChain } from '../../vaults/kind.ts';
import type { FamilySource } from '../sources.ts';
import type { Asking } from './familyLogs.ts';
import { createPaidAssets } from './paidAssets.ts';
import type { StoredSource } from './storedSource.ts';
import { createDepositWatch } from './unseenDeposits.ts';
import { createRedemptionWatch } from './unseenRedemptions.ts';

/** Compares the events of a vault that pays at once with the transfers of its asset. Other vaults need no check. */
export interface PaymentChecks {
  /** Throws SourceHalted. */
  check(
    events: VaultEvent[],
    asking: Pick<Asking, 'client' | 'concurrency'>,
  ): Promise<CheckedPayments>;
}

export interface CheckedPayments {
  /** Those in another asset have no amount. */
  readonly events: VaultEvent[];
  /** Once the price at a block is known, restores the amounts that match the value of the shares. */
  settle(priceAt: (block: number) => Ratio | null | undefined): VaultEvent[];
  /** Complete after `settle`. */
  notices(): Notice[];
  readonly free: readonly FreeMint[];
}

export function createPaymentChecks(
  source: FamilySource,
  kind: VaultKind,
  vault: VaultOnChain,
  accounts: Accounts,
  { price, notices, hasDeposits, examined }: StoredSource,
): PaymentChecks {
  if (!kind.paysAtOnce) {
    return {
      check: async (events) => ({ events, settle: () => events, notices: () => [], free: [] }),
    };
  }
  const paidAssets = createPaidAssets(vault, accounts, price, notices.has('other-asset'));
  const deposits = createDepositWatch(source, vault, accounts, {
    hasDeposits,
    examined: examined.mints,
    reported: notices.get('unseen-deposit') ?? 0,
  });
  const redemptions = createRedemptionWatch(vault, accounts, {
    examined: examined.burns,
    reported: notices.get('unseen-redemption') ?? 0,
  });

  return {
    async check(events, asking) {
      const bought = await deposits.look(events, asking.client);
      const paidOut = await redemptions.look(events, asking.client);
      const doubted = await paidAssets.check(events, asking);
      return {
        events: doubted.events,
        settle: doubted.settle,
        notices: () => [...bought.notices, ...paidOut.notices, ...doubted.notices()],
        free: [...bought.free, ...paidOut.free],
      };
    },
  };
}
