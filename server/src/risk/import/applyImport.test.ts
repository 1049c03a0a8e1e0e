import { describe, expect, test } from 'vitest';
import { LONG } from '../../../../scripts/test/extents.mjs';
import { describeAnyEngine } from '../../../test/database.ts';
import type { GradeResult } from '../../domain/risk/gradeResult.ts';
import { EDGE_ENDS, type RiskEdge, type RiskNode } from '../../domain/risk/graph.ts';
import type { RiskRecord, RiskSource } from '../../domain/risk/record.ts';
import { riskImports } from '../../store/risk/imports.ts';
import { riskNodes } from '../../store/risk/nodes.ts';
import { type Store, statement } from '../../store/store.ts';
import { createGradeWork, type GradingMethod } from '../thread/gradeWork.ts';
import { runInPlace } from '../thread/running.ts';
import { RiskThreadEnded, startThread } from '../thread/thread.ts';
import { type ApplyImport, applyImport } from './applyImport.ts';
import { ImportRefused, ImportStopped } from './importRefused.ts';
import { toRecordRow } from './recordRow.ts';
import { GRADING, type Grading, regradeAll } from './regrade.ts';

const TABLES = ['record', 'node', 'edge', 'grade', 'import', 'version'].map((name) =>
  statement(`test.risk.${name}`, `select t::text as "row" from risk_${name} t order by 1`),
);
const CLEAR = statement(
  'test.risk.clear',
  'truncate risk_record, risk_node, risk_edge, risk_grade, risk_import, risk_version',
);
const NODES = statement(
  'test.risk.nodes',
  'select id, facts, sources, updated_at as "at" from risk_node order by id',
);
const EDGES = statement(
  'test.risk.edges',
  `select source_id || ' ' || type || ' ' || target_id as "edge", weight, source, updated_at as "at"
   from risk_edge where not dangling order by 1`,
);
const GRADES = statement(
  'test.risk.grades',
  'select id, score, graded_at as "at" from risk_grade order by id',
);

const CONTENT_NODES = statement(
  'test.risk.contentNodes',
  'select id, label, facts, sources from risk_node order by id',
);
const CONTENT_EDGES = statement(
  'test.risk.contentEdges',
  `select source_id, type, target_id, weight, source, dangling from risk_edge
   order by source_id, type, target_id`,
);
const CONTENT_GRADES = statement(
  'test.risk.contentGrades',
  'select id, grade, score, coverage, breakdown, input_hash from risk_grade order by id',
);

const IDS = [
  ...['chain:a', 'chain:b', 'protocol:a', 'protocol:b', 'asset:a:1', 'asset:a:2'],
  ...['pool:a:1', 'pool:a:2', 'pool:b:1', 'pool:b:2'],
];

/** Random numbers seeded by a text. */
function createRandom(seed: string): () => number {
  let state = [...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

/** A record with random facts and edges, including edges to itself and to missing nodes. */
function randomRecord(id: string, random: () => number): RiskRecord {
  const types = Object.keys(EDGE_ENDS) as RiskEdge['type'][];
  const edges = Array.from({ length: random() % 4 }, (): [RiskEdge['type'], string, number] => [
    types[random() % types.length]!,
    IDS[random() % IDS.length]!,
    (1 + (random() % 10)) / 10,
  ]);
  const facts = random() % 2 === 0 ? { tvlUsd: random() % 1000 } : { dead: random() % 2 === 0 };
  return record(id, { slug: id, ...facts }, edges);
}

function inPlace(method: GradingMethod): Grading {
  return { methodVersion: 'test', start: () => runInPlace(createGradeWork(method)) };
}

/** A method whose grade lists its inputs: the ids that the node reaches. */
function countingMethod(): GradingMethod & { readonly graded: string[][] } {
  const graded: string[][] = [];
  return {
    graded,
    gradeGraph({ nodes, edges }, { hash, only }) {
      const results = new Map<string, GradeResult>();
      for (const [id, { facts }] of nodes) {
        if (only?.has(id) === false) continue;
        const reached = new Set([id]);
        for (const one of reached) {
          for (const edge of edges) if (edge.sourceId === one) reached.add(edge.targetId);
        }
        const text = [...reached].sort().join();
        results.set(id, {
          grade: 'B',
          score: reached.size,
          coverage: 1,
          breakdown: [{ question: 'Why?', answer: text }],
          methodVersion: 'test',
          inputHash: hash(text + JSON.stringify(facts)),
        });
      }
      graded.push([...nodes.keys()].sort());
      return results;
    },
    affectedBy(edges, changed) {
      const affected = new Set(changed);
      for (const id of affected) {
        for (const edge of edges) if (edge.targetId === id) affected.add(edge.sourceId);
      }
      return affected;
    },
  };
}

function record(
  id: string,
  facts: Record<string, unknown> = {},
  edges: readonly [RiskEdge['type'], string, number?][] = [],
): RiskRecord {
  const label = { pool: 'Pool', asset: 'Asset', protocol: 'Protocol', chain: 'Chain' }[
    id.split(':')[0]!
  ];
  return {
    node: { id, label, facts: { name: id, ...facts } } as unknown as RiskNode,
    edges: edges.map(([type, targetId, weight = 1]) => ({ type, sourceId: id, targetId, weight })),
  };
}

const CHAIN = record('chain:base');
const PROTOCOL = record('protocol:alpha', { tvlUsd: 10, category: 'Lending' });
const POOL = record('pool:base:1', { tvlUsd: 5 }, [
  ['LIVES_ON', 'chain:base'],
  ['OPERATED_BY', 'protocol:alpha'],
]);

describeAnyEngine('applyImport', (open) => {
  async function start() {
    const store = await open();
    await store.query(CLEAR);
    const method = countingMethod();
    const grading = inPlace(method);
    const add = (source: RiskSource, now: number, records: Iterable<RiskRecord>, force = false) =>
      applyImport({ store, source, now, records, grading, force });
    return { store, method, grading, add };
  }

  async function dump(store: Store) {
    return Promise.all(TABLES.map((table) => store.query(table)));
  }

  const grades = (store: Store) => store.query<{ id: string; score: number; at: number }>(GRADES);

  test('default', async () => {
    const { store, add } = await start();
    const outcome = await add('defillama-pools', 100, [CHAIN, PROTOCOL, POOL]);
    expect(outcome).toMatchObject({ read: 3, added: 3, changed: 0, removed: 0, regraded: 3 });
    expect(outcome.leftOut).toEqual([]);
    expect(await store.query(EDGES)).toEqual([
      { edge: 'pool:base:1 LIVES_ON chain:base', weight: 1, source: 'defillama-pools', at: 100 },
      {
        edge: 'pool:base:1 OPERATED_BY protocol:alpha',
        weight: 1,
        source: 'defillama-pools',
        at: 100,
      },
    ]);
    expect(await grades(store)).toEqual([
      { id: 'chain:base', score: 1, at: 100 },
      { id: 'pool:base:1', score: 3, at: 100 },
      { id: 'protocol:alpha', score: 1, at: 100 },
    ]);
    expect(await riskImports.findVersion(store)).toBe(1);
    expect((await riskImports.getAll(store))[0]).toMatchObject({ at: 100, counts: { read: 3 } });
  });

  test('behavior: importing the same again changes nothing, in any order', async () => {
    const { store, method, add } = await start();
    await add('defillama-pools', 100, [CHAIN, PROTOCOL, POOL]);
    const before = await dump(store);
    const turned = { ...POOL, edges: [...POOL.edges].reverse() };
    const outcome = await add('defillama-pools', 200, [turned, PROTOCOL, CHAIN]);
    expect(outcome).toMatchObject({ read: 3, added: 0, changed: 0, removed: 0, regraded: 0 });
    expect(await dump(store)).toEqual(before);
    expect(method.graded).toHaveLength(1);
  });

  test('behavior: curated facts and weights win, one by one', async () => {
    const { store, add } = await start();
    await add('defillama-pools', 100, [
      CHAIN,
      record('asset:base:0x1'),
      record('pool:base:1', { tvlUsd: 5, apy: 0.1 }, [
        ['IS_COLLATERALIZED_BY', 'asset:base:0x1', 0.5],
      ]),
    ]);
    await add('curated', 200, [
      record('pool:base:1', { apy: 0.2 }, [['IS_COLLATERALIZED_BY', 'asset:base:0x1', 0.9]]),
    ]);
    const [, , pool] = await store.query<{ facts: string; sources: string; at: number }>(NODES);
    expect(JSON.parse(pool!.facts)).toEqual({ name: 'pool:base:1', tvlUsd: 5, apy: 0.2 });
    expect(JSON.parse(pool!.sources)).toEqual({
      name: 'curated',
      tvlUsd: 'defillama-pools',
      apy: 'curated',
    });
    expect(pool!.at).toBe(200);
    expect(await store.query(EDGES)).toMatchObject([{ weight: 0.9, source: 'curated', at: 200 }]);
    await add('curated', 300, [record('chain:base')], true);
    const after = await store.query<{ id: string; facts: string; at: number }>(NODES);
    const left = after.find(({ id }) => id === 'pool:base:1')!;
    expect(JSON.parse(left.facts).apy).toBe(0.1);
    expect(left.at).toBe(300);
    expect(await store.query(EDGES)).toMatchObject([{ weight: 0.5, source: 'defillama-pools' }]);
  });

  test('behavior: nodes that a source no longer lists are removed, with edges to them', async () => {
    const { store, add } = await start();
    await add('defillama-protocols', 100, [PROTOCOL, record('protocol:beta')]);
    await add('defillama-pools', 110, [CHAIN, POOL]);
    const outcome = await add('defillama-protocols', 200, [record('protocol:beta')]);
    expect(outcome).toMatchObject({ added: 0, changed: 0, removed: 1, regraded: 1 });
    expect(await store.query(EDGES)).toMatchObject([{ edge: 'pool:base:1 LIVES_ON chain:base' }]);
    const scores = new Map((await grades(store)).map(({ id, score }) => [id, score]));
    expect(scores.get('pool:base:1')).toBe(2);
    expect(scores.has('protocol:alpha')).toBe(false);
    await add('defillama-protocols', 300, [PROTOCOL, record('protocol:beta')]);
    expect(await store.query(EDGES)).toMatchObject([
      { edge: 'pool:base:1 LIVES_ON chain:base', at: 110 },
      { edge: 'pool:base:1 OPERATED_BY protocol:alpha', at: 300 },
    ]);
  });

  test('behavior: invalid edges are omitted and reported', async () => {
    const { store, add } = await start();
    const { leftOut } = await add('defillama-pools', 100, [
      CHAIN,
      record('pool:base:1', {}, [
        ['LIVES_ON', 'chain:nowhere'],
        ['OPERATED_BY', 'chain:base'],
        ['ALLOCATES', 'pool:base:1'],
        ['ALLOCATES', 'pool:base:2', 0],
      ]),
      record('pool:base:1', { apy: 1 }),
      record(`pool:base:${'x'.repeat(3000)}`),
    ]);
    expect(leftOut.map(({ kind, count }) => `${kind} ${count}`).sort()).toEqual([
      'edge-of-wrong-ends 1',
      'edge-of-wrong-weight 1',
      'edge-to-itself 1',
      'edge-to-nowhere 1',
      'id-too-long 1',
      'two-records 1',
    ]);
    expect(await store.query(EDGES)).toEqual([]);
    const nodes = await store.query<{ id: string; facts: string }>(NODES);
    expect(nodes.map(({ id }) => id)).toEqual(['chain:base', 'pool:base:1']);
    expect(JSON.parse(nodes[1]!.facts).apy).toBe(1);
  });

  test('behavior: regrades only the nodes that the change reaches', async () => {
    const { store, method, grading, add } = await start();
    const other = record('pool:base:2', {}, [['LIVES_ON', 'chain:base']]);
    await add('defillama-pools', 100, [CHAIN, PROTOCOL, POOL, other]);
    const richer = record('protocol:alpha', { tvlUsd: 11 });
    const outcome = await add('defillama-pools', 200, [CHAIN, richer, POOL, other]);
    expect(outcome.regraded).toBe(2);
    // Only the nodes that the regraded nodes depend on were read.
    expect(method.graded[1]).toEqual(['chain:base', 'pool:base:1', 'protocol:alpha']);
    const times = new Map((await grades(store)).map(({ id, at }) => [id, at]));
    expect(times.get('chain:base')).toBe(100);
    expect(times.get('pool:base:2')).toBe(100);
    expect(times.get('protocol:alpha')).toBe(200);
    expect(await regradeAll(store, { grading, now: 300 })).toEqual({ regraded: 4, changed: 0 });
  });

  test('behavior: the graph does not depend on the order of the imports', async () => {
    const { store } = await start();
    const seed = process.env.ASSAY_SEED ?? 'risk-imports';
    const random = createRandom(seed);
    const sources = ['curated', 'defillama-protocols', 'defillama-pools'] as const;
    const last = new Map<RiskSource, RiskRecord[]>();
    const add = (source: RiskSource, now: number, records: readonly RiskRecord[]) =>
      applyImport({ store, source, now, records, force: true });
    const rounds = LONG ? 200 : 15;
    for (let round = 0; round < rounds; round++) {
      const source = sources[random() % sources.length]!;
      const records = IDS.filter(() => random() % 3 > 0).map((id) => randomRecord(id, random));
      await add(source, 100 + round, records);
      last.set(source, records);
    }
    const content = async () => [
      await store.query(CONTENT_NODES),
      await store.query(CONTENT_EDGES),
      await store.query(CONTENT_GRADES),
    ];
    const grown = await content();
    await store.query(CLEAR);
    for (const [source, records] of last) await add(source, 1000, records);
    expect(grown, `ASSAY_SEED=${seed}`).toEqual(await content());
    await regradeAll(store, { now: 1000 });
    expect(grown, `ASSAY_SEED=${seed}`).toEqual(await content());
  });

  test('error: a failure while reading or grading leaves everything as before', async () => {
    const { store, method, add, grading } = await start();
    await add('defillama-pools', 100, [CHAIN, PROTOCOL, POOL]);
    const before = await dump(store);
    async function* broken() {
      yield record('chain:base', { tvlUsd: 1 });
      throw new Error('the connection was lost');
    }
    const source = 'defillama-pools';
    const reading = applyImport({ store, source, now: 200, records: broken(), grading });
    await expect(reading).rejects.toThrow('the connection was lost');
    const failing = inPlace({
      ...method,
      gradeGraph() {
        throw new Error('cannot grade');
      },
    });
    const records = [record('chain:base', { tvlUsd: 1 }), PROTOCOL];
    const graded = applyImport({ store, source, now: 200, records, grading: failing });
    await expect(graded).rejects.toThrow('cannot grade');
    expect(await dump(store)).toEqual(before);
  });

  test('behavior: grades from a thread are those that are given in place', async () => {
    const { store } = await start();
    const random = createRandom(process.env.ASSAY_SEED ?? 'risk-thread');
    const threads: Grading = { ...GRADING, start: () => startThread('grade') };
    const source = 'defillama-pools';
    const first = IDS.map((id) => randomRecord(id, random));
    await applyImport({ store, source, now: 100, records: first, grading: threads });
    const given = await store.query(CONTENT_GRADES);
    expect(given).toHaveLength(IDS.length);
    expect(await regradeAll(store, { now: 100 })).toEqual({ regraded: IDS.length, changed: 0 });
    const second = IDS.map((id) => randomRecord(id, random));
    const outcome = await applyImport({
      ...{ store, source, now: 100, grading: threads },
      records: [...first.slice(0, 6), ...second.slice(6)],
    });
    expect(outcome.regraded).toBeGreaterThan(0);
    expect(await regradeAll(store, { now: 100 })).toEqual({ regraded: IDS.length, changed: 0 });
    expect(await store.query(CONTENT_GRADES)).not.toEqual(given);
  });

  test('error: a thread that dies leaves everything as before', async () => {
    const { store } = await start();
    const source = 'defillama-pools';
    await applyImport({ store, source, now: 100, records: [CHAIN, PROTOCOL, POOL] });
    const before = await dump(store);
    const dying: Grading = {
      ...GRADING,
      start() {
        const thread = startThread('grade');
        void thread.call('addNodes', [null as unknown as RiskNode]).catch(() => undefined);
        return thread;
      },
    };
    const records = [record('chain:base', { tvlUsd: 1 }), PROTOCOL, POOL];
    const importing = applyImport({ store, source, now: 200, records, grading: dying });
    await expect(importing).rejects.toThrow(RiskThreadEnded);
    expect(await dump(store)).toEqual(before);
    const again = await applyImport({ store, source, now: 200, records });
    expect(again).toMatchObject({ changed: 1, regraded: 2 });
  });

  test('error: nothing read, or more than half lost', async () => {
    const { store, add } = await start();
    await expect(add('curated', 50, [])).rejects.toThrow(ImportRefused);
    await add('defillama-pools', 100, [CHAIN, PROTOCOL, POOL]);
    const before = await dump(store);
    await expect(add('defillama-pools', 200, [])).rejects.toThrow(/nothing could be read/);
    await expect(add('defillama-pools', 200, [CHAIN])).rejects.toThrow(/only 1 of the 3/);
    expect(await dump(store)).toEqual(before);
    expect(await add('defillama-pools', 200, [CHAIN], true)).toMatchObject({ removed: 2 });
    expect(await add('defillama-pools', 300, [], true)).toMatchObject({ removed: 1 });
    expect(await store.query(NODES)).toEqual([]);
    expect(await grades(store)).toEqual([]);
  });

  /** Pools of one round, each with the round as a fact. */
  const many = (round: number) =>
    Array.from({ length: 1_500 }, (_, i) => record(`pool:base:${i}`, { round }));

  test('behavior: readers can read meanwhile, and see all of it or nothing', async () => {
    const { store } = await start();
    const seen = new Set<string>();
    let reads = 0;
    let done = false;
    async function look(): Promise<void> {
      for (; !done; reads++) {
        const rounds = new Set<unknown>();
        const found = await riskNodes.getOfIds(store, ['pool:base:0', 'pool:base:1499']);
        for (const { facts } of found) rounds.add((facts as unknown as { round: number }).round);
        seen.add(`${found.length} of round ${[...rounds].join()}`);
      }
    }
    const looking = look();
    const source = 'defillama-pools';
    await applyImport({ store, source, now: 100, records: many(1) });
    await applyImport({ store, source, now: 200, records: many(2) });
    done = true;
    await looking;
    for (const one of seen) {
      expect(['0 of round ', '2 of round 1', '2 of round 2']).toContain(one);
    }
    // A single transaction would allow only a few reads.
    expect(reads).toBeGreaterThan(40);
  });

  test('behavior: it stops on abort, and changes nothing', async () => {
    const { store, add } = await start();
    await add('defillama-pools', 100, [CHAIN, PROTOCOL, POOL]);
    const counts = await riskNodes.getCounts(store);
    for (const phase of ['reading', 'storing', 'merging', 'grading']) {
      const stopping = new AbortController();
      const stopped = applyImport({
        ...{ store, source: 'defillama-pools', now: 200, signal: stopping.signal },
        records: [...many(1), CHAIN, PROTOCOL, POOL],
        onProgress: (progress) => progress.phase === phase && stopping.abort(),
      });
      await expect(stopped).rejects.toThrow(ImportStopped);
      expect(await riskNodes.getCounts(store)).toEqual(counts);
    }
    expect(await add('defillama-pools', 300, many(1))).toMatchObject({ added: 1_499, removed: 2 });
    expect((await store.query(NODES)).length).toBe(1_500);
  });

  test('behavior: a damaged list removes nothing, unless the import is forced', async () => {
    const { store, grading } = await start();
    const readBy = (broken: number, records: RiskRecord[], more: Partial<ApplyImport> = {}) =>
      applyImport({
        ...{ store, source: 'defillama-pools', grading, now: 200, records },
        readerReport: () => ({ broken }),
        ...more,
      });
    await readBy(0, [CHAIN, PROTOCOL, POOL], { now: 100 });
    const richer = record('pool:base:1', { tvlUsd: 6 });
    const added = record('pool:base:2');
    const damaged = await readBy(2, [richer, added]);
    expect(damaged).toMatchObject({ added: 1, changed: 1, removed: 0, broken: 2, kept: 2 });
    expect(await store.query(NODES)).toHaveLength(4);
    const [held] = await riskImports.getAll(store);
    expect(held!.counts).toMatchObject({ broken: 2, kept: 2 });
    const again = await readBy(2, [richer, added]);
    expect(again).toMatchObject({ added: 0, changed: 0, removed: 0, kept: 2 });
    const forced = await readBy(2, [richer, added], { force: true });
    expect(forced).toMatchObject({ removed: 2, broken: 2, kept: 0 });

    const hacked = (count: number) =>
      record('protocol:alpha', { incidents: Array(count).fill({}) });
    await readBy(0, [hacked(2)], { source: 'defillama-hacks' });
    const partly = await readBy(1, [hacked(1), record('protocol:beta')], {
      source: 'defillama-hacks',
    });
    expect(partly).toMatchObject({ added: 1, changed: 0, removed: 0, kept: 1 });
  });

  test('error: concurrent imports run one after the other', async () => {
    const { store, add } = await start();
    await Promise.all([
      add('defillama-protocols', 100, [PROTOCOL]),
      add('defillama-pools', 100, [CHAIN, POOL]),
    ]);
    expect(await store.query(EDGES)).toHaveLength(2);
    expect((await grades(store)).find(({ id }) => id === 'pool:base:1')!.score).toBe(3);
    expect(await riskImports.findVersion(store)).toBe(2);
  });
});

describe('toRecordRow', () => {
  test('behavior: removes characters that the store cannot hold', () => {
    const row = toRecordRow(
      record('pool:base:\0a', { name: 'a\0b\ud800c\\u0000😀', apy: Number.NaN }),
    );
    expect(row.id).toBe('pool:base:a');
    expect(JSON.parse(row.body).facts).toEqual({ name: 'ab\ufffdc\\u0000😀' });
  });
});
