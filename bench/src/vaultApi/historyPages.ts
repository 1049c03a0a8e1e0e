import type pg from 'pg';
import { loadBuilt } from '../loadBuilt.ts';

/** Pages of 20: the URL for the server, and the statement with its values that the server runs for it. */
export interface Pages {
  readonly paths: readonly string[];
  readonly text: string;
  readonly values: readonly (readonly string[])[];
}

export interface PageKind {
  /** Without cursor or limit. */
  readonly path: string;
  readonly wallet?: string;
  readonly familyId?: number;
}

interface Place {
  readonly blockTime: number;
  readonly chainId: number;
  readonly blockNumber: number;
  readonly logIndex: number;
}

type Run = (db: object, asked: object) => Promise<unknown>;

/**
 * Returns pages that start at each of `count` rows from `first` on. All differ, so no cached response helps; each costs as
 * much as the page that starts at `first`.
 */
export async function pagesFrom(
  client: pg.Client,
  port: number,
  kind: PageKind,
  first: number,
  count: number,
): Promise<Pages> {
  const paths: string[] = [];
  for await (const cursor of cursors(port, kind.path, first, count)) {
    const more = cursor === undefined ? '' : `&cursor=${cursor}`;
    paths.push(`${kind.path}&limit=20${more}`);
  }
  const places = await placesFrom(client, kind, first, count);
  return {
    paths,
    ...(await statementsOf(
      client,
      places.map((below) => ({ ...kind, below })),
    )),
  };
}

/** Returns the first page of each of these wallets. */
export async function firstPages(client: pg.Client, wallets: readonly string[]): Promise<Pages> {
  const paths = wallets.map((wallet) => `/v1/history?user=${wallet}&limit=20`);
  return {
    paths,
    ...(await statementsOf(
      client,
      wallets.map((wallet) => ({ wallet })),
    )),
  };
}

/** Moves in large steps to the first row, then row by row. */
async function* cursors(port: number, path: string, first: number, count: number) {
  let cursor: string | undefined;
  let row = 0;
  while (row < first + count) {
    if (row >= first) yield cursor;
    const limit = row < first ? Math.min(500, first - row) : 1;
    const more = cursor === undefined ? '' : `&cursor=${cursor}`;
    const answer = await fetch(`http://127.0.0.1:${port}${path}&limit=${limit}${more}`);
    const page = (await answer.json()) as { nextCursor: string };
    cursor = page.nextCursor;
    row += limit;
  }
}

async function placesFrom(
  client: pg.Client,
  { wallet, familyId }: PageKind,
  first: number,
  count: number,
): Promise<(Place | undefined)[]> {
  const [column, value] =
    wallet === undefined ? ['family_id', familyId] : ['wallet', `\\x${wallet.slice(2)}`];
  const start = Math.max(0, first - 1);
  const { rows } = await client.query<Record<keyof Place, string | number>>(
    `select block_time as "blockTime", chain_id as "chainId", block_number as "blockNumber", log_index as "logIndex"
     from history where ${column} = $1
     order by block_time desc, chain_id desc, block_number desc, log_index desc offset ${start} limit ${count}`,
    [value],
  );
  const places = rows.map((row) => ({
    blockTime: Number(row.blockTime),
    chainId: Number(row.chainId),
    blockNumber: Number(row.blockNumber),
    logIndex: Number(row.logIndex),
  }));
  return first === 0 ? [undefined, ...places.slice(0, count - 1)] : places;
}

/**
 * Returns the statements that the server's reader runs, without its packing of rows. Calls the reader with a database that
 * only records the statements.
 */
async function statementsOf(
  client: pg.Client,
  asked: readonly { wallet?: string; familyId?: number; below?: Place | undefined }[],
) {
  const module = await loadBuilt('store/history/read.js');
  const getPage = module.historyPages.getPage as Run;
  const { rows: deployments } = await client.query(
    `select family_id as "familyId", chain_id as "chainId" from vault order by family_id, chain_id`,
  );
  const statements: { text: string; values: string[] }[] = [];
  const db = {
    async query({ text }: { text: string }, params: readonly unknown[]) {
      const [, rows] = /from (\(select[\s\S]*\) h\s+where [^()]+)$/.exec(text)!;
      statements.push({ text: `select * from ${rows}`, values: params.map(String) });
      return [];
    },
  };
  for (const one of asked) {
    const theirs = deployments.filter(
      ({ familyId }) => one.familyId === undefined || familyId === one.familyId,
    );
    await getPage(db, { ...one, deployments: theirs, oneChain: false, after: -1, limit: 21 });
  }
  return { text: statements[0]!.text, values: statements.map(({ values }) => values) };
}
