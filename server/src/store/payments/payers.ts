import type { Address } from '../../domain/hex.ts';
import { bytesColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

const callsOf = statement(
  'payers.callsOf',
  'select payer, settled_calls as "calls" from payer where payer = any($1)',
);

/**
 * Counts the payments that a part of a statement settled or lost. Payers are written in one order, so that two
 * processes cannot deadlock.
 */
export function countSettled(part: string, sign: '+' | '-'): string {
  return `insert into payer (payer, settled_calls, settled_value)
     select payer, ${sign}sum(calls), ${sign}sum(value) from ${part} group by payer order by payer
     on conflict (payer) do update set settled_calls = payer.settled_calls + excluded.settled_calls,
       settled_value = payer.settled_value + excluded.settled_value`;
}

export const payers = {
  async findCalls(db: Queryable, payer: Address): Promise<number> {
    return (await payers.getCalls(db, [payer]))[0]!;
  },
  /** The state that determines the price of each payer's next call, in the order of the payers. */
  async getCalls(db: Queryable, of: readonly Address[]): Promise<readonly number[]> {
    const rows = await db.query<{ payer: Address; calls: number }>(callsOf, [bytesColumn(of)]);
    const calls = new Map(rows.map((row) => [row.payer, row.calls]));
    return of.map((payer) => calls.get(payer) ?? 0);
  },
};
