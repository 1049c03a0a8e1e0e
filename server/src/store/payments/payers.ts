import type { Address } from '../../domain/hex.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';

const callsOf = statement(
  'payers.callsOf',
  'select settled_calls as "calls" from payer where payer = $1',
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
    const [row] = await db.query<{ calls: number }>(callsOf, [bytes(payer)]);
    return row?.calls ?? 0;
  },
};
