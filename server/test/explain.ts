import { getStatements, type Queryable } from '../src/store/store.ts';

let asked = 0;

/** Returns how a declared statement runs with these values: `explain (analyze, buffers)` as text. */
export async function explain(
  tx: Queryable,
  name: string,
  values: string,
  mode: string,
): Promise<string> {
  const { text } = getStatements().find((one) => one.name === name)!;
  const run = (sql: string) =>
    tx.query<Record<string, string>>({ name: `test.plan${asked++}`, text: sql });
  await run(`set local plan_cache_mode = ${mode}`);
  await run(`prepare asked as ${text}`);
  const rows = await run(
    `explain (analyze, buffers, timing off, costs off) execute asked(${values})`,
  );
  await run('deallocate asked');
  return rows.map((row) => row['QUERY PLAN']!).join('\n');
}

/** Returns the number of 8 KiB pages that a plan read. */
export function pagesIn(plan: string): number {
  const [, hit = '0', read = '0'] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan)!;
  return Number(hit) + Number(read);
}
