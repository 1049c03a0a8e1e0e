import type { ChainClient } from '../../chain/chainClient.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../../domain/hex.ts';
import { DAY } from '../../domain/time.ts';
import type { EventOf, VaultEvent } from '../../domain/vault/event.ts';
import { MAX_UNSEEN, type Notice } from '../../domain/vault/notice.ts';
import { type Accounts, isWallet } from '../../domain/wallet/accounts.ts';
import type { ExaminedMints, FreeMint } from '../../store/freeMints/freeMints.ts';
import { readsAsBought } from '../../vaults/boughtShares.ts';
import type { VaultOnChain } from '../../vaults/kind.ts';
import type { FamilySource } from '../sources.ts';
import { SourceHalted } from './sourceHalted.ts';

/**
 * Detects shares that are bought without a Deposit, whose cost would be 0. If that happens before the first Deposit,
 * the vault has events that the indexer does not read, and the family is halted. Later sales are only named in notices:
 * otherwise anyone could halt a family by sending the asset to its vault in a transaction that mints fee shares.
 */
export interface DepositWatch {
  /** Throws SourceHalted. */
  look(events: readonly VaultEvent[], client: ChainClient): Promise<Examined>;
}

export interface Examined {
  /** One for each wallet that bought shares that way. */
  readonly notices: readonly Notice[];
  /** The other wallets whose mints were examined. Stored, because they limit what is examined after a restart. */
  readonly free: readonly FreeMint[];
}

/** A vault may sell its first shares without an event while it is set up. */
const FORGIVEN = 1;
/** Maximum mints to read, plus one per day of the chain: fees, bridges, and gifts also mint without a Deposit. */
const MAX_READS = 20;
/** An account that received shares without payment this often receives fees. */
const MAX_FREE = 3;

export function createDepositWatch(
  source: FamilySource,
  vault: VaultOnChain,
  accounts: Accounts,
  /** From the store: whether there are deposits, what was examined, and transactions that were reported. */
  before: {
    readonly hasDeposits: boolean;
    readonly examined: ExaminedMints;
    readonly reported: number;
  },
): DepositWatch {
  let { hasDeposits, reported } = before;
  let { transactions: reads, since: firstTime } = before.examined;
  const free = new Map(before.examined.free);

  return {
    async look(events, client) {
      const deposits = new Set(
        events.flatMap(({ kind, txHash }) => (kind === 'deposit' ? txHash : [])),
      );
      if (deposits.size > 0) hasDeposits = true;
      const minted = new Map<Hex, EventOf<'transfer'>[]>();
      for (const event of events) {
        if (!isMint(event, accounts) || deposits.has(event.txHash)) continue;
        minted.set(event.txHash, [...(minted.get(event.txHash) ?? []), event]);
      }
      const [notices, freeMints]: [Notice[], FreeMint[]] = [[], []];
      for (const [txHash, mints] of minted) {
        if (!mayRead(mints)) continue;
        reads += 1;
        const { place } = mints[0]!;
        const wallets = new Set(mints.map(({ to }) => to));
        if (!(await isBought(client, txHash, mints))) {
          for (const wallet of wallets) {
            free.set(wallet, (free.get(wallet) ?? 0) + 1);
            freeMints.push({ place, txHash, wallet });
          }
          continue;
        }
        if (!hasDeposits && reported >= FORGIVEN) halt(txHash);
        reported += 1;
        for (const wallet of wallets) {
          notices.push({ code: 'unseen-deposit', place, txHash, wallet });
        }
      }
      return { notices, free: freeMints };
    },
  };

  function mayRead(mints: readonly EventOf<'transfer'>[]): boolean {
    const { blockTime } = mints[0]!.place;
    firstTime ??= blockTime;
    const days = Math.floor((blockTime - firstTime) / DAY);
    return (
      reported < MAX_UNSEEN &&
      reads < MAX_READS + days &&
      mints.some(({ to }) => (free.get(to) ?? 0) < MAX_FREE)
    );
  }

  function halt(hash: Hex): never {
    throw new SourceHalted(
      source,
      `shares are bought in transaction ${hash} and before without a Deposit event of ERC-4626, so no cost is known; remove the family from the configuration`,
    );
  }

  function isBought(client: ChainClient, hash: Hex, mints: readonly EventOf<'transfer'>[]) {
    const systemAccounts: Address[] = [...accounts.vaults, ...accounts.custody];
    const block = mints[0]!.place.blockNumber;
    const shares = mints.reduce((sum, one) => sum + one.shares, 0n);
    const receivers = [...new Set(mints.map(({ to }) => to))];
    const at = { vault: vault.chain.address, asset: vault.asset!, systemAccounts, block, hash };
    const minted = { ...at, shares, receivers };
    // A notice must be certain. Before any deposit, a mint in a transaction that brought in the asset is most likely a
    // sale.
    return readsAsBought(client, minted, !hasDeposits);
  }
}

function isMint(event: VaultEvent, accounts: Accounts): event is EventOf<'transfer'> {
  return event.kind === 'transfer' && event.from === ZERO_ADDRESS && isWallet(accounts, event.to);
}
