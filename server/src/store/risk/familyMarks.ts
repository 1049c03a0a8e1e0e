import { type Queryable, statement } from '../store.ts';

const marks = statement(
  'riskFamilyMarks.find',
  `select (select count(*) from pool) || ' ' || (select count(*) from vault) || ' ' ||
     (select count(*) from family where tick_until > 0) as "marks"`,
);

/** Changes when a pool is declared, a vault is read for the first time, or a family has its first tick. */
export async function findFamilyMarks(db: Queryable): Promise<string> {
  const [row] = await db.query<{ marks: string }>(marks);
  return row!.marks;
}
