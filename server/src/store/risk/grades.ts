import type { GradeResult } from '../../domain/risk/gradeResult.ts';
import type { Grade } from '../../domain/risk/graph.ts';
import { floatColumn, intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import type { GraphWrite } from './change.ts';
import { holds, isNewest } from './version.ts';

// An unchanged grade keeps the time at which it was first given. A grade by another version of the method is stored
// next to the previous one, so that the effect of the new version can be shown.
const write = statement(
  'riskGrades.write',
  `with given as (select * from unnest($1::text[], $2::text[], $3::smallint[], $4::float8[], $5::jsonb[], $6::text[],
       $7::text[]) as given(id, grade, score, coverage, breakdown, method_version, input_hash)),
     differing as materialized (
       select given.*, held.grade as held_grade, held.method_version as held_method from given left join risk_grade held on held.id = given.id and ${isNewest('held')}
       where (held.grade, held.score, held.coverage, held.method_version, held.input_hash, held.breakdown)
         is distinct from (given.grade, given.score, given.coverage, given.method_version, given.input_hash,
           given.breakdown)),
     ended as (update risk_grade g set to_version = $9 from differing
       where g.id = differing.id and ${isNewest('g')}),
     switched as (insert into risk_method_change (id, from_method, from_grade, to_method, to_grade, changed_at)
       select id, held_method, held_grade, method_version, grade, $8 from differing
       where held_method is distinct from method_version and held_method is not null
       on conflict (id) do update set from_method = excluded.from_method, from_grade = excluded.from_grade,
         to_method = excluded.to_method, to_grade = excluded.to_grade, changed_at = excluded.changed_at)
   insert into risk_grade (id, grade, score, coverage, breakdown, method_version, input_hash, graded_at,
     from_version)
   select id, grade, score, coverage, breakdown, method_version, input_hash, $8, $9 from differing
   returning id`,
);
const remove = statement(
  'riskGrades.remove',
  `update risk_grade g set to_version = $2 where id = any($1::text[]) and ${isNewest('g')}`,
);
// The rows that a change has written, as opposed to those that it has ended.
const changed = statement(
  'riskGrades.changed',
  `select fresh.id, held.grade as "from", fresh.grade as "to" from risk_grade fresh
   join risk_grade held on held.id = fresh.id and held.to_version = $1
   where fresh.from_version = $1 and held.grade <> fresh.grade order by fresh.id`,
);
const scores = statement(
  'riskGrades.scores',
  `select id, score from risk_grade g where id = any($1::text[]) and ${holds('g')}`,
);
const otherMethods = statement(
  'riskGrades.otherMethods',
  `select exists (select 1 from risk_node n left join risk_grade g on g.id = n.id and ${holds('g')}
     where ${holds('n')} and g.method_version is distinct from $1) as "found"`,
  { long: true },
);
const countByGrade = statement(
  'riskGrades.countByGrade',
  `select grade, count(*) as "count" from risk_grade g where ${holds('g')} group by grade order by grade`,
  { long: true },
);

export const riskGrades = {
  /** Writes the grades that differ; returns how many did. */
  async write(
    tx: GraphWrite,
    rows: readonly (readonly [id: string, result: GradeResult])[],
    now: number,
  ): Promise<number> {
    if (rows.length === 0) return 0;
    const of = <T>(pick: (result: GradeResult) => T) => rows.map(([, result]) => pick(result));
    const written = await tx.query(write, [
      textColumn(rows.map(([id]) => id)),
      textColumn(of(({ grade }) => grade)),
      intColumn(of(({ score }) => score)),
      floatColumn(of(({ coverage }) => coverage)),
      textColumn(of(({ breakdown }) => JSON.stringify(breakdown))),
      textColumn(of(({ methodVersion }) => methodVersion)),
      textColumn(of(({ inputHash }) => inputHash)),
      now,
      tx.version,
    ]);
    return written.length;
  },
  async remove(tx: GraphWrite, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await tx.query(remove, [textColumn(ids), tx.version]);
  },
  /** Nodes with another letter in the version that is being written. */
  getChanged: (db: Queryable, version: number) =>
    db.query<{ id: string; from: Grade; to: Grade }>(changed, [version]),
  /** The scores of those nodes that have one. */
  async getScores(db: Queryable, ids: readonly string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const rows = await db.query<{ id: string; score: number }>(scores, [textColumn(ids)]);
    return new Map(rows.map(({ id, score }) => [id, score]));
  },
  /** Whether any node lacks a grade by this version of the method. */
  async isBehind(db: Queryable, methodVersion: string): Promise<boolean> {
    const [row] = await db.query<{ found: boolean }>(otherMethods, [methodVersion]);
    return row!.found;
  },
  async getCounts(db: Queryable): Promise<Map<Grade, number>> {
    const rows = await db.query<{ grade: Grade; count: number }>(countByGrade);
    return new Map(rows.map(({ grade, count }) => [grade, count]));
  },
};
