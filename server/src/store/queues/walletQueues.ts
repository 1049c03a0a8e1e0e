import type { Address } from '../../domain/hex.ts';
import type { QueueRow } from '../../domain/vault/interpret.ts';
import type { WalletQueue } from '../../domain/vault/queue.ts';
import { bytesColumn, intColumn, numericColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';

const COLUMNS = `pending_redeem as "pendingRedeem", claimable_redeem as "claimableRedeem",
  claimable_redeem_assets as "claimableRedeemAssets", deposit_shares as "depositShares",
  deposit_assets as "depositAssets", returning_shares as "returning", pending_deposit as "pendingDeposit",
  pending_further as "pendingFurther"`;

// Within a block, the last event counts.
const insert = statement(
  'walletQueues.insert',
  `insert into wallet_queue (family_id, chain_id, wallet, block_number, block_time, pending_redeem, claimable_redeem,
     claimable_redeem_assets, deposit_shares, deposit_assets, returning_shares, pending_deposit, pending_further)
   select $1, $2, * from unnest($3::bytea[], $4::bigint[], $5::bigint[], $6::numeric[], $7::numeric[],
     $8::numeric[], $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::numeric[])`,
);
const open = statement(
  'walletQueues.open',
  `select * from (
     select distinct on (family_id, wallet) family_id as "familyId", wallet, block_number as "blockNumber", ${COLUMNS}
     from wallet_queue where family_id = any($1::smallint[]) and chain_id = $2 and block_number <= $3
     order by family_id, wallet, block_number desc) newest
   where "pendingRedeem" + "claimableRedeem" + "depositShares" + "returning" + "pendingDeposit" + "pendingFurther" > 0
   order by "blockNumber", wallet`,
);
const ofWallet = statement(
  'walletQueues.ofWallet',
  `select "familyId", "chainId", shares from (
     select distinct on (family_id, chain_id) family_id as "familyId", chain_id as "chainId", pending_redeem as shares
     from wallet_queue where wallet = $1::bytea order by family_id, chain_id, block_number desc) newest
   where shares > 0`,
);
const ids = statement(
  'walletQueues.ids',
  `with own as (select * from unnest($1::smallint[], $3::bytea[]) as own(family_id, wallet))
   select distinct family_id as "familyId", wallet, 'redeem' as side, request_id as "requestId"
   from own join history using (family_id, wallet)
   where chain_id = $2 and request_id is not null and block_number <= $4
   union all
   select distinct family_id, wallet, 'deposit', request_id from own join deposit_request using (family_id, wallet)
   where chain_id = $2 and request_id is not null and block_number <= $4`,
);
const removeAbove = statement(
  'walletQueues.removeAbove',
  'delete from wallet_queue where chain_id = $1 and block_number > $2',
);
const removeOfSource = statement(
  'walletQueues.removeOfSource',
  'delete from wallet_queue where family_id = $1 and chain_id = $2',
);

/** The pending shares of a wallet. */
export interface OpenQueue {
  readonly familyId: number;
  readonly wallet: Address;
  readonly queue: WalletQueue;
}

export interface OwnRequestId extends Pick<OpenQueue, 'familyId' | 'wallet'> {
  readonly side: 'redeem' | 'deposit';
  readonly requestId: bigint;
}

/** The shares that wallets have pending at a vault, from block to block. */
export const walletQueues = {
  async insert(tx: Queryable, familyId: number, chainId: number, rows: readonly QueueRow[]) {
    const last = new Map(rows.map((row) => [`${row.wallet} ${row.place.blockNumber}`, row]));
    if (last.size === 0) return;
    const kept = [...last.values()];
    const amounts = (pick: (queue: WalletQueue) => bigint | null) =>
      numericColumn(kept.map(({ queue }) => pick(queue)));
    await tx.query(insert, [
      familyId,
      chainId,
      bytesColumn(kept.map(({ wallet }) => wallet)),
      intColumn(kept.map(({ place }) => place.blockNumber)),
      intColumn(kept.map(({ place }) => place.blockTime)),
      amounts((queue) => queue.pendingRedeem),
      amounts((queue) => queue.claimableRedeem),
      amounts((queue) => queue.claimableRedeemAssets),
      amounts((queue) => queue.depositShares),
      amounts((queue) => queue.depositAssets),
      amounts((queue) => queue.returning),
      amounts((queue) => queue.pendingDeposit),
      amounts((queue) => queue.pendingFurther),
    ]);
  },
  /** All wallets with pending shares, the earliest first. */
  async getOpen(
    db: Queryable,
    familyIds: readonly number[],
    chainId: number,
    upTo: number,
  ): Promise<OpenQueue[]> {
    const rows = await db.query<WalletQueue & Omit<OpenQueue, 'queue'> & { blockNumber: number }>(
      open,
      [intColumn(familyIds), chainId, upTo],
    );
    return rows.map(({ familyId, wallet, blockNumber: _, ...queue }) => ({
      familyId,
      wallet,
      queue: queue as WalletQueue,
    }));
  },
  /** Pending shares of a wallet, by family and chain. */
  getOfWallet: (db: Queryable, wallet: Address) =>
    db.query<{ familyId: number; chainId: number; shares: bigint }>(ofWallet, [bytes(wallet)]),
  /** The request numbers of these wallets, if the vault numbers requests. */
  async getIds(
    db: Queryable,
    chainId: number,
    of: readonly Pick<OpenQueue, 'familyId' | 'wallet'>[],
    upTo: number,
  ): Promise<OwnRequestId[]> {
    if (of.length === 0) return [];
    return db.query<OwnRequestId>(ids, [
      intColumn(of.map(({ familyId }) => familyId)),
      chainId,
      bytesColumn(of.map(({ wallet }) => wallet)),
      upTo,
    ]);
  },
  removeAbove: (tx: Queryable, chainId: number, block: number) =>
    tx.query(removeAbove, [chainId, block]),
  removeOfSource: (tx: Queryable, familyId: number, chainId: number) =>
    tx.query(removeOfSource, [familyId, chainId]),
};
