import { expect, test } from 'vitest';
import { FULL, LONG } from '../../../../scripts/test/extents.mjs';
import { createRandom, type Random } from '../../../test/activity.ts';
import { describeEachEngine } from '../../../test/database.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import { comparePlaces, type LogPlace } from '../../domain/order.ts';
import type { HistoryType } from '../../domain/vault/history.ts';
import { bytesColumn, floatColumn, intColumn } from '../columns.ts';
import { type Queryable, type Store, statement } from '../store.ts';
import { HISTORY_TYPE } from './history.ts';
import { type Deployment, type HistoryQuery, historyPages } from './read.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 20_260_801);
const ROUNDS = LONG ? 40 : FULL ? 4 : 1;
const T0 = 1_770_000_000;
const CHAINS = [1, 10, 8453];
const FAMILIES = [1, 2, 3];
const WALLETS = ['0xaa', '0xbb', '0xcc'].map((start) => start.padEnd(42, '0') as Address);
const TYPES = [undefined, 'deposit', 'withdraw', 'redeem', 'cancel', 'large-deposit'] as const;

interface Row extends LogPlace {
  readonly familyId: number;
  readonly type: HistoryType;
  readonly wallet: Address;
  readonly usd: number | null;
}

const put = statement(
  'test.history.put',
  `insert into history (block_time, chain_id, block_number, log_index, family_id, type, wallet, usd, assets, shares, tx_hash)
   select u.*, 5, 7, decode(lpad(to_hex(u.block_number % 3), 64, '0'), 'hex')
   from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::int[], $5::smallint[], $6::smallint[], $7::bytea[],
     $8::float8[]) as u(block_time, chain_id, block_number, log_index, family_id, type, wallet, usd)`,
);
const clear = statement('test.history.clear', 'delete from history');
const takeBack = statement('test.history.takeBack', 'delete from history where block_time > $1');

function insert(db: Queryable, rows: readonly Row[]) {
  return db.query(put, [
    intColumn(rows.map((row) => row.blockTime)),
    intColumn(rows.map((row) => row.chainId)),
    intColumn(rows.map((row) => row.blockNumber)),
    intColumn(rows.map((row) => row.logIndex)),
    intColumn(rows.map((row) => row.familyId)),
    intColumn(rows.map((row) => HISTORY_TYPE[row.type])),
    bytesColumn(rows.map((row) => row.wallet)),
    floatColumn(rows.map((row) => row.usd)),
  ]);
}

/** Many of them share a second, a block number, or both. */
function makeRows(random: Random, count: number, from: number): Row[] {
  const made = new Map<string, Row>();
  while (made.size < count) {
    const blockNumber = random.int(40);
    const row: Row = {
      blockTime: from + Math.floor(blockNumber / (1 + random.int(3))),
      chainId: random.pick(CHAINS),
      blockNumber,
      logIndex: random.int(4),
      familyId: random.pick(FAMILIES),
      type: random.pick(['deposit', 'deposit', 'withdraw', 'redeem', 'cancel']),
      wallet: random.pick(WALLETS),
      usd: random.pick([null, 99_999.99, 100_000, 5e6]),
    };
    made.set(keyOf(row), row);
  }
  return [...made.values()];
}

/** Blocks share a transaction, so that there are pages of them. */
function transactionOf({ blockNumber }: LogPlace): Hex {
  return `0x${(blockNumber % 3).toString(16).padStart(64, '0')}`;
}

function keyOf({ blockTime, chainId, blockNumber, logIndex }: LogPlace): string {
  return `${blockTime} ${chainId} ${blockNumber} ${logIndex}`;
}

type Filter = Omit<HistoryQuery, 'below' | 'limit'>;

function* filters(deployments: readonly Deployment[]): Generator<Filter> {
  for (const familyId of [undefined, 2]) {
    for (const wallet of [undefined, WALLETS[1]]) {
      for (const chainId of [undefined, 10]) {
        for (const type of TYPES) {
          if (type === 'large-deposit' && familyId === undefined) continue;
          for (const after of [-1, T0 + 10]) {
            const asked = deployments.filter(
              (deployment) =>
                (familyId === undefined || deployment.familyId === familyId) &&
                (chainId === undefined || deployment.chainId === chainId),
            );
            const oneChain = chainId !== undefined;
            const filter = { deployments: asked, familyId, wallet, type, oneChain, after };
            yield filter;
            yield { ...filter, transaction: `0x${'1'.padStart(64, '0')}` };
          }
        }
      }
    }
  }
}

function matches(row: Row, { deployments, wallet, transaction, type, after }: Filter): boolean {
  if (
    !deployments.some(
      (deployment) => deployment.familyId === row.familyId && deployment.chainId === row.chainId,
    )
  ) {
    return false;
  }
  if (wallet !== undefined && row.wallet !== wallet) return false;
  if (transaction !== undefined && transactionOf(row) !== transaction) return false;
  if (type === 'large-deposit' && (row.type !== 'deposit' || (row.usd ?? 0) < 100_000))
    return false;
  if (type !== undefined && type !== 'large-deposit' && row.type !== type) return false;
  return row.blockTime > after;
}

interface HistoryRow extends LogPlace {
  readonly familyId: number;
  readonly type: number;
  readonly wallet: string;
  readonly assets: string;
  readonly shares: string;
  readonly txHash: string;
}

async function getPage(store: Store, query: HistoryQuery): Promise<HistoryRow[]> {
  const rows = await historyPages.getPage(store, query);
  const page: HistoryRow[] = [];
  while (page.length < query.limit && rows.next()) {
    page.push({
      ...rows.place(),
      familyId: Number(rows.familyId),
      type: Number(rows.type),
      wallet: `0x${rows.wallet}`,
      assets: rows.assets,
      shares: rows.shares,
      txHash: `0x${rows.txHash}`,
    });
  }
  return page;
}

async function readAll(
  store: Store,
  filter: Filter,
  limits: () => number,
  between: () => Promise<void> = async () => {},
): Promise<HistoryRow[]> {
  const found: HistoryRow[] = [];
  for (;;) {
    const limit = limits();
    const below = found.at(-1);
    const page = await getPage(store, { ...filter, below, limit });
    found.push(...page);
    if (page.length < limit) return found;
    await between();
  }
}

describeEachEngine(`history pages (seed ${SEED})`, (open) => {
  // One family is no longer configured on one chain.
  const deployments = FAMILIES.flatMap((familyId) =>
    CHAINS.map((chainId) => ({ familyId, chainId })),
  ).filter(({ familyId, chainId }) => familyId !== 3 || chainId !== 1);

  test('default', async () => {
    const store = await open();
    await store.query(clear);
    const rows = makeRows(createRandom(1), 1, T0);
    const hash = transactionOf(rows[0]!);
    await insert(store, rows);
    const query = { deployments, oneChain: false, after: -1, below: undefined, limit: 5 };
    const [row] = await getPage(store, query);
    expect(row).toMatchObject({ assets: '5', shares: '7', txHash: hash });
    expect(await getPage(store, { ...query, deployments: [] })).toEqual([]);
  });

  test('behavior: every combination of filters, page by page', async () => {
    const store = await open();
    const random = createRandom(SEED);
    for (let round = 0; round < ROUNDS; round++) {
      await store.query(clear);
      const rows = makeRows(random, 150, T0);
      await insert(store, rows);
      for (const filter of filters(deployments)) {
        const wanted = rows
          .filter((row) => matches(row, filter))
          .sort((a, b) => comparePlaces(b, a))
          .map(keyOf);
        const found = await readAll(store, filter, () => 1 + random.int(40));
        expect(found.map(keyOf), JSON.stringify(filter)).toEqual(wanted);
      }
    }
  });

  test('behavior: every item once, while rows are added and a reorg removes some', async () => {
    const store = await open();
    const random = createRandom(SEED + 1);
    for (const filter of filters(deployments)) {
      await store.query(clear);
      const rows = makeRows(random, 60, T0);
      await insert(store, rows);
      let head = T0 + 1000;
      const wanted = rows.filter((row) => matches(row, filter)).map(keyOf);
      const found = await readAll(
        store,
        filter,
        () => 1 + random.int(5),
        async () => {
          await insert(store, makeRows(random, 3, head));
          head += 1000;
          // The newest blocks are removed and read again; rows below the cursor may be among them.
          const fork = T0 + random.int(40);
          await store.query(takeBack, [fork]);
          await insert(
            store,
            rows.filter((row) => row.blockTime > fork),
          );
        },
      );
      const keys = found.map(keyOf);
      expect(new Set(keys).size, 'an item came twice').toBe(keys.length);
      expect([...keys].sort()).toEqual(wanted.sort());
    }
  });
});
