import pg from 'pg';

// The minimum work of an indexer: `eth_getLogs` range by range, with the rows of each response in one array insert, while
// the next range is read. No confirmations, no decoding, no derived data.
const BLOCKS = 250;
const url = process.env.BENCH_RPC_URL!;
const last = Number(process.env.BENCH_LAST_BLOCK);
const addresses = process.env.BENCH_ADDRESSES!.split(',');

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: string;
  readonly transactionHash: string;
  readonly logIndex: string;
}

const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
await client.query(`create table log (
  block_number bigint not null, log_index int not null, transaction bytea not null, address bytea not null,
  topic0 bytea not null, topic1 bytea, topic2 bytea, topic3 bytea, data bytea not null,
  primary key (block_number, log_index))`);
let next = read(1);
for (let from = 1; from <= last; from += BLOCKS) {
  const logs = await next;
  if (from + BLOCKS <= last) next = read(from + BLOCKS);
  await insert(logs);
}
process.stdout.write('done\n');
// The benchmark ends the process.
setInterval(() => {}, 1_000);

async function read(from: number): Promise<readonly Log[]> {
  const range = { fromBlock: hex(from), toBlock: hex(Math.min(last, from + BLOCKS - 1)) };
  const params = [{ ...range, address: addresses }];
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params }),
  });
  return ((await response.json()) as { result: Log[] }).result;
}

async function insert(logs: readonly Log[]): Promise<void> {
  const column = (value: (log: Log) => string | undefined) =>
    logs.map((log) => value(log)?.replace('0x', '\\x') ?? null);
  await client.query({
    name: 'insert',
    text: `insert into log select * from unnest($1::bigint[], $2::int[], $3::bytea[], $4::bytea[], $5::bytea[],
      $6::bytea[], $7::bytea[], $8::bytea[], $9::bytea[])`,
    values: [
      logs.map((log) => Number(log.blockNumber)),
      logs.map((log) => Number(log.logIndex)),
      column((log) => log.transactionHash),
      column((log) => log.address),
      ...[0, 1, 2, 3].map((topic) => column((log) => log.topics[topic])),
      column((log) => log.data),
    ],
  });
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
