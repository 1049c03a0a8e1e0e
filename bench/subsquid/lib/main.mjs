import { EvmBatchProcessor } from '@subsquid/evm-processor';
import { TypeormDatabase } from '@subsquid/typeorm-store';
import pg from 'pg';
import { In } from 'typeorm';
import { kinds } from './events.mjs';
import { Account, Event, TABLES } from './model.js';

const { BENCH_VAULT: vault, BENCH_ORACLE: oracle } = process.env;
const endBlock = Number(process.env.BENCH_END_BLOCK);
/** Kept between batches: a failed batch ends the process. */
const accounts = new Map();

/** Prints a line when the last block is committed, then waits until the benchmark ends the process. */
class MeasuredDatabase extends TypeormDatabase {
  async transact(info, work) {
    await super.transact(info, work);
    if (info.nextHead.height < endBlock) return;
    process.stdout.write(`${JSON.stringify({ msg: 'committed', time: Date.now() })}\n`);
    await new Promise(() => {});
  }
}

const client = new pg.Client({ connectionString: process.env.DB_URL });
await client.connect();
await client.query(TABLES);
await client.end();

new EvmBatchProcessor()
  .setRpcEndpoint({
    url: process.env.BENCH_RPC_URL,
    capacity: 20,
    ...(process.env.BENCH_RATE_LIMIT && { rateLimit: Number(process.env.BENCH_RATE_LIMIT) }),
  })
  .setFinalityConfirmation(32)
  .setBlockRange({ from: 0, to: endBlock })
  .setFields({ log: { transactionHash: true } })
  .addLog({ address: [vault, oracle], topic0: [...kinds.keys()] })
  .run(
    // Every requested block is final, and this is the only writer, so neither a change log nor strict isolation is needed.
    new MeasuredDatabase({ supportHotBlocks: false, isolationLevel: 'READ COMMITTED' }),
    async ({ blocks, store }) => {
      const events = [];
      const changes = [];
      for (const { header, logs } of blocks) {
        for (const log of logs) {
          const kind = kinds.get(log.topics[0]);
          const read = kind.read(log);
          events.push(eventOf(header, log, kind.name, read.row));
          changes.push(...read.changes);
        }
      }
      await store.insert(events);
      await store.upsert(await changed(store, changes));
    },
  );

function eventOf(header, log, name, row) {
  return new Event({
    block: header.height,
    logIndex: log.logIndex,
    time: header.timestamp / 1000,
    name,
    wallet: row.wallet,
    assets: row.assets ?? 0n,
    shares: row.shares ?? 0n,
    instant: row.instant ?? false,
    transaction: log.transactionHash,
  });
}

/** Changes the accounts of a batch in memory. Reads accounts that were not seen before in one query. */
async function changed(store, changes) {
  const touched = [...new Set(changes.map(({ wallet }) => wallet))];
  const unseen = touched.filter((wallet) => !accounts.has(wallet));
  const stored = unseen.length === 0 ? [] : await store.findBy(Account, { id: In(unseen) });
  for (const wallet of unseen) accounts.set(wallet, fresh(wallet));
  for (const account of stored) accounts.set(account.id, account);
  for (const { wallet, shares = 0n, deposited = 0n, withdrawn = 0n } of changes) {
    const account = accounts.get(wallet);
    account.shares += shares;
    account.deposited += deposited;
    account.withdrawn += withdrawn;
    account.events += 1;
  }
  return touched.map((wallet) => accounts.get(wallet));
}

function fresh(wallet) {
  return new Account({ id: wallet, shares: 0n, deposited: 0n, withdrawn: 0n, events: 0 });
}
