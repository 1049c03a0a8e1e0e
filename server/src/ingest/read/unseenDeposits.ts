import type { ChainClient } from '../../chain/chainClient.ts';
import { type Hex, ZERO_ADDRESS } from '../../domain/hex.ts';
import type { EventOf, VaultEvent } from '../../domain/vault/event.ts';
import type { Notice } from '../../domain/vault/notice.ts';
import { type Accounts, isWallet } from '../../domain/wallet/accounts.ts';
import type { Examined, FreeMint } from '../../store/freeMints/freeMints.ts';
import { readsAsBought } from '../../vaults/boughtShares.ts';
import type { VaultOnChain } from '../../vaults/kind.ts';
import type { FamilySource } from '../sources.ts';
import { byTransaction, createExaminations } from './examinations.ts';
import { SourceHalted } from './sourceHalted.ts';

/**
 * Detects shares that are bought without a Deposit, whose cost would be 0. If that happens before the first Deposit,
 * the vault has events that the indexer does not read, and the family is halted. Later sales are only named in notices:
 * otherwise anyone could halt a family by sending the asset to its vault in a transaction that mints fee shares.
 */
export interface DepositWatch {
  /** Throws SourceHalted. */
  look(events: readonly VaultEvent[], client: ChainClient): Promise<Looked>;
}

export interface Looked {
  /** One for each wallet that traded that way. */
  readonly notices: readonly Notice[];
  /** The other accounts whose shares were examined. Stored, because they limit what is examined after a restart. */
  readonly free: readonly FreeMint[];
}

/** A vault may sell its first shares without an event while it is set up. */
const FORGIVEN = 1;

export function createDepositWatch(
  source: FamilySource,
  vault: VaultOnChain,
  accounts: Accounts,
  /** From the store: whether there are deposits, what was examined, and transactions that were reported. */
  before: {
    readonly hasDeposits: boolean;
    readonly examined: Examined;
    readonly reported: number;
  },
): DepositWatch {
  let { hasDeposits } = before;
  const examinations = createExaminations('mints', before);

  return {
    async look(events, client) {
      const deposits = new Set(
        events.flatMap(({ kind, txHash }) => (kind === 'deposit' ? txHash : [])),
      );
      if (deposits.size > 0) hasDeposits = true;
      const minted = byTransaction(
        events,
        (one) => isMint(one, accounts) && !deposits.has(one.txHash),
      );
      const [notices, free]: [Notice[], FreeMint[]] = [[], []];
      for (const [txHash, mints] of minted) {
        if (!examinations.begin(mints)) continue;
        if (!(await isBought(client, txHash, mints))) {
          free.push(...examinations.noteFree(mints, txHash));
          continue;
        }
        if (!hasDeposits && examinations.reported() >= FORGIVEN) halt(txHash);
        examinations.noteReported();
        const { place } = mints[0]!;
        for (const wallet of new Set(mints.map(({ to }) => to))) {
          notices.push({ code: 'unseen-deposit', place, txHash, wallet });
        }
      }
      return { notices, free };
    },
  };

  function halt(hash: Hex): never {
    throw new SourceHalted(
      source,
      `shares are bought in transaction ${hash} and before without a Deposit event of ERC-4626, so no cost is known; remove the family from the configuration`,
    );
  }

  function isBought(client: ChainClient, hash: Hex, mints: readonly EventOf<'transfer'>[]) {
    const systemAccounts = [...accounts.vaults, ...accounts.custody];
    const block = mints[0]!.place.blockNumber;
    const shares = mints.reduce((sum, one) => sum + one.shares, 0n);
    const receivers = [...new Set(mints.map(({ to }) => to))];
    const at = { vault: vault.chain.address, asset: vault.asset!, share: vault.share, block, hash };
    const minted = { ...at, systemAccounts, shares, receivers };
    // A notice must be certain. Before any deposit, a mint in a transaction that brought in the asset is most likely a
    // sale.
    return readsAsBought(client, minted, !hasDeposits);
  }
}

function isMint({ from, to }: EventOf<'transfer'>, accounts: Accounts): boolean {
  return from === ZERO_ADDRESS && isWallet(accounts, to);
}
