import type { ChainClient } from '../../chain/chainClient.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../../domain/hex.ts';
import type { EventOf, VaultEvent } from '../../domain/vault/event.ts';
import type { Notice } from '../../domain/vault/notice.ts';
import { type Accounts, isWallet } from '../../domain/wallet/accounts.ts';
import type { Examined, FreeMint } from '../../store/freeMints/freeMints.ts';
import type { VaultOnChain } from '../../vaults/kind.ts';
import { readPayees } from '../../vaults/redeemedShares.ts';
import { byTransaction, createExaminations } from './examinations.ts';
import type { Looked } from './unseenDeposits.ts';

type Transfer = EventOf<'transfer'>;

/**
 * Detects shares that are paid out without a Withdraw, as by a vault whose queue has events of its own. Such redemptions
 * are missing: their shares count as sent, and nothing is realized. All else of the vault is right, so a notice names them.
 */
export interface RedemptionWatch {
  look(events: readonly VaultEvent[], client: ChainClient): Promise<Looked>;
}

export function createRedemptionWatch(
  vault: VaultOnChain,
  accounts: Accounts,
  /** From the store: what was examined, and transactions that were reported. */
  before: { readonly examined: Examined; readonly reported: number },
): RedemptionWatch {
  const examinations = createExaminations('burns', before);

  return {
    async look(events, client) {
      const redemptions = new Set(
        events.flatMap(({ kind, txHash }) => (kind === 'withdraw' ? txHash : [])),
      );
      const burned = byTransaction(
        events,
        (one) => isBurn(one, accounts) && !redemptions.has(one.txHash),
      );
      const [notices, free]: [Notice[], FreeMint[]] = [[], []];
      for (const { place, txHash, receiver } of fromVault(events, accounts)) {
        notices.push({ code: 'unseen-redemption', place, txHash, wallet: receiver });
      }
      for (const [txHash, burns] of burned) {
        if (!examinations.begin(burns)) continue;
        const paid = await findPaid(client, txHash, burns);
        if (paid === null) {
          free.push(...examinations.noteFree(burns, txHash));
          continue;
        }
        examinations.noteReported();
        const { place } = burns[0]!;
        const wallets = paid.filter((one) => isWallet(accounts, one));
        for (const wallet of wallets.length > 0 ? wallets : [null]) {
          notices.push({ code: 'unseen-redemption', place, txHash, wallet });
        }
      }
      return { notices, free };
    },
  };

  function findPaid(
    client: ChainClient,
    hash: Hex,
    burns: readonly Transfer[],
  ): Promise<readonly Address[] | null> {
    return readPayees(client, {
      ...{ vault: vault.chain.address, asset: vault.asset!, share: vault.share, hash },
      systemAccounts: [...accounts.vaults, ...accounts.custody],
      block: burns[0]!.place.blockNumber,
      shares: burns.reduce((sum, one) => sum + one.shares, 0n),
      holders: [...new Set(burns.map(({ from }) => from))].filter((one) => isWallet(accounts, one)),
    });
  }
}

/** Withdrawals of shares in the vault itself: without custody, nothing shows who had sent them there. */
function fromVault(events: readonly VaultEvent[], accounts: Accounts): EventOf<'withdraw'>[] {
  const { vaults, custody } = accounts;
  return events.flatMap((event) => {
    if (event.kind !== 'withdraw' || !vaults.has(event.owner)) return [];
    return custody.has(event.owner) || !isWallet(accounts, event.receiver) ? [] : event;
  });
}

/** Shares that were taken as a fee are burned without a payment. */
function isBurn({ from, to }: Transfer, { feeHolders }: Accounts): boolean {
  return to === ZERO_ADDRESS && from !== ZERO_ADDRESS && feeHolders?.has(from) !== true;
}
