import { type Queryable, statement } from '../store.ts';

const read = statement('readiness.read', 'select ready_at as "readyAt" from readiness');
const mark = statement(
  'readiness.mark',
  'insert into readiness (ready_at) values ($1) on conflict do nothing',
);

/** Whether the store was ready once: a later failure does not make it unready. */
export const readiness = {
  async wasReady(db: Queryable): Promise<boolean> {
    return (await db.query(read)).length > 0;
  },
  mark: (db: Queryable, now: number) => db.query(mark, [now]),
};
