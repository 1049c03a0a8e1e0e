import { withClient } from './postgres.ts';
import type { Replay } from './replay.ts';

export class RowsDiffer extends Error {
  readonly what: string;
  constructor(what: string, ours: unknown, theirs: unknown) {
    super(
      `${what} differ: ${JSON.stringify(ours)}, expected ${JSON.stringify(theirs)}. The results are not valid until they agree.`,
    );
    this.name = 'RowsDiffer';
    this.what = what;
  }
}

interface Comparison {
  readonly what: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Queries that return the same rows from each program's tables, in the same order and as text. */
const COMPARISONS: readonly Comparison[] = [
  {
    what: 'history rows',
    ours: `select concat_ws(' ', block_number, log_index, type, block_time, '0x' || encode(wallet, 'hex'),
             assets, shares, '0x' || encode(tx_hash, 'hex')) as row
           from history order by block_number, log_index`,
    theirs: `select concat_ws(' ', block, log_index,
               case name when 'Deposit' then 1 when 'Withdraw' then 2 when 'RedeemRequest' then 3 else 4 end,
               time, wallet, assets, shares, transaction) as row
             from bench.event
             where name in ('Deposit', 'Withdraw', 'RequestCancelled')
                or (name = 'RedeemRequest' and not instant)
             order by block, log_index`,
  },
  {
    what: 'share prices',
    ours: `select concat_ws(' ', block_number, log_index, price) as row
           from share_price order by block_number, log_index`,
    theirs: `select concat_ws(' ', block, log_index, assets) as row
             from bench.event where name = 'SharePriceUpdated' order by block, log_index`,
  },
  {
    what: 'shares of each wallet',
    ours: `select concat_ws(' ', '0x' || encode(wallet, 'hex'), shares) as row
           from position where shares <> 0 order by wallet`,
    theirs: `select concat_ws(' ', wallet, shares) as row
             from bench.account where shares <> 0 order by wallet collate "C"`,
  },
];

/** Throws unless both databases have the same rows. Returns the number of compared rows. */
export async function compareRows(ours: string, ponder: string): Promise<number> {
  let compared = 0;
  for (const { what, ...sql } of COMPARISONS) {
    const mine = await column(ours, sql.ours);
    const theirs = await column(ponder, sql.theirs);
    const place = theirs.findIndex((row, index) => row !== mine[index]);
    if (place !== -1) throw new RowsDiffer(what, mine[place] ?? null, theirs[place]);
    if (mine.length !== theirs.length) throw new RowsDiffer(what, mine.length, theirs.length);
    compared += mine.length;
  }
  return compared;
}

/** Without a comparison with Ponder: the counts and the supply that the replayed chain itself reports. */
export async function checkTotals(ours: string, replay: Replay): Promise<void> {
  const counts = replay.counts as Record<string, number>;
  const instant = counts.Withdraw! - counts.RequestFulfilled!;
  const queued = counts.RedeemRequest! - instant;
  const expected = counts.Deposit! + counts.Withdraw! + counts.RequestCancelled! + queued;
  const [history] = await column(ours, 'select count(*)::text as row from history');
  if (Number(history) !== expected) throw new RowsDiffer('history rows', history, expected);
  const [supply] = await column(ours, 'select sum(shares)::text as row from position');
  if (supply !== replay.supply)
    throw new RowsDiffer('shares of all wallets', supply, replay.supply);
}

function column(url: string, sql: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ row: string }>(sql);
    return rows.map(({ row }) => row);
  });
}
