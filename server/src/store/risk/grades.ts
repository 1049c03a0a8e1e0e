import type { GradeResult } from '../../domain/risk/gradeResult.ts';
import type { Grade } from '../../domain/risk/graph.ts';
import { floatColumn, intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

// A grade that came out the same keeps the time at which it was first given.
const upsert = statement(
  'riskGrades.upsert',
  `insert into risk_grade (id, grade, score, coverage, breakdown, method_version, input_hash, graded_at)
   select *, $8::bigint from unnest($1::text[], $2::text[], $3::smallint[], $4::float8[], $5::jsonb[], $6::text[],
     $7::text[])
   on conflict (id) do update set grade = excluded.grade, score = excluded.score, coverage = excluded.coverage,
     breakdown = excluded.breakdown, method_version = excluded.method_version, input_hash = excluded.input_hash,
     graded_at = excluded.graded_at
   where (risk_grade.grade, risk_grade.score, risk_grade.coverage, risk_grade.breakdown, risk_grade.method_version,
       risk_grade.input_hash) is distinct from (excluded.grade, excluded.score, excluded.coverage,
       excluded.breakdown, excluded.method_version, excluded.input_hash)
   returning id`,
);
const remove = statement('riskGrades.remove', 'delete from risk_grade where id = any($1::text[])');
const scores = statement(
  'riskGrades.scores',
  'select id, score from risk_grade where id = any($1::text[])',
);
const otherMethods = statement(
  'riskGrades.otherMethods',
  `select exists (select 1 from risk_node n left join risk_grade g on g.id = n.id
     where g.method_version is distinct from $1) as "found"`,
);
const countByGrade = statement(
  'riskGrades.countByGrade',
  'select grade, count(*) as "count" from risk_grade group by grade order by grade',
);

export const riskGrades = {
  /** Writes what differs; the result is how many did. */
  async upsert(
    tx: Queryable,
    rows: readonly (readonly [id: string, result: GradeResult])[],
    now: number,
  ): Promise<number> {
    if (rows.length === 0) return 0;
    const of = <T>(pick: (result: GradeResult) => T) => rows.map(([, result]) => pick(result));
    const written = await tx.query(upsert, [
      textColumn(rows.map(([id]) => id)),
      textColumn(of(({ grade }) => grade)),
      intColumn(of(({ score }) => score)),
      floatColumn(of(({ coverage }) => coverage)),
      textColumn(of(({ breakdown }) => JSON.stringify(breakdown))),
      textColumn(of(({ methodVersion }) => methodVersion)),
      textColumn(of(({ inputHash }) => inputHash)),
      now,
    ]);
    return written.length;
  },
  async remove(tx: Queryable, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await tx.query(remove, [textColumn(ids)]);
  },
  /** The scores of those nodes that have one. */
  async getScores(db: Queryable, ids: readonly string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const rows = await db.query<{ id: string; score: number }>(scores, [textColumn(ids)]);
    return new Map(rows.map(({ id, score }) => [id, score]));
  },
  /** Whether any node has no grade by this version of the method. */
  async isBehind(db: Queryable, methodVersion: string): Promise<boolean> {
    const [row] = await db.query<{ found: boolean }>(otherMethods, [methodVersion]);
    return row!.found;
  },
  async getCounts(db: Queryable): Promise<Map<Grade, number>> {
    const rows = await db.query<{ grade: Grade; count: number }>(countByGrade);
    return new Map(rows.map(({ grade, count }) => [grade, count]));
  },
};
