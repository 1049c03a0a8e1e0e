import { afterEach, describe, expect, test } from 'vitest';
import { FULL, LONG } from '../../../../scripts/test/extents.mjs';
import { GRADES, type Label, type RiskEdge, type RiskNode } from '../../domain/risk/graph.ts';
import type { SearchDoc } from '../../domain/risk/searchDoc.ts';
import type { AdjacencyEdge } from '../graph/adjacency.ts';
import { openSearchIndex } from '../search/searchIndex.ts';
import type { GradedRow, GradeWork } from './gradeWork.ts';
import { inParts, type Running, runInPlace } from './running.ts';
import { startWork } from './start.ts';
import { RiskThreadEnded, startThread } from './thread.ts';
import type { ViewData, ViewWork } from './viewWork.ts';
import { WORKS, type Works } from './works.ts';

interface Graph {
  readonly outlines: readonly SearchDoc[];
  readonly nodes: readonly RiskNode[];
  readonly edges: readonly (RiskEdge & AdjacencyEdge)[];
}

/** Pools on a chain, of a protocol, each with two assets, one of them shared by many. */
function graphOf(count: number): Graph {
  const chains = Math.ceil(count / 50);
  const protocols = Math.ceil(count / 20);
  const assets = Math.ceil(count / 3);
  const label = (number: number): Label => {
    if (number < chains) return 'Chain';
    if (number < chains + protocols) return 'Protocol';
    return number < chains + protocols + assets ? 'Asset' : 'Pool';
  };
  const ids = Array.from({ length: count }, (_, i) => `${label(i).toLowerCase()}:c:0x${i}`);
  const nodes = ids.map((id, i) => {
    const facts = { name: `Número ${i} ${i % 97}`, slug: id, chain: 'c', tvlUsd: (i * 7919) % 1e6 };
    return { id, label: label(i), facts } as RiskNode;
  });
  const edge = (type: AdjacencyEdge['type'], from: number, to: number, weight = 1) => ({
    ...{ type, sourceId: ids[from]!, targetId: ids[to]!, weight },
    lastUpdatedAt: 1_700_000_000 + from,
  });
  const edges = ids.flatMap((_, i) => {
    const own = i < chains ? [] : [edge('LIVES_ON', i, i % chains)];
    if (label(i) !== 'Pool') return own;
    return [
      ...own,
      edge('OPERATED_BY', i, chains + (i % protocols)),
      edge('ACCEPTS_DEPOSITS_IN', i, chains + protocols, 0.5),
      edge('ACCEPTS_DEPOSITS_IN', i, chains + protocols + 1 + (i % (assets - 1)), 0.25),
    ];
  });
  const outlines = nodes.map(({ id, label: of, facts }, i) => ({
    ...{ id, label: of, name: facts.name, symbol: `S${i % 31}`, address: `0x${i}`, network: 'c' },
    ...{ value: i % 5 === 0 ? null : i, grade: GRADES[i % 6]! },
  }));
  return { outlines, nodes, edges };
}

async function view(work: Running<ViewWork>, { outlines, edges }: Graph): Promise<ViewData> {
  await inParts(outlines, (part) => work.call('addNodes', part));
  await inParts(edges, (part) => work.call('addEdges', part));
  return work.call('finish');
}

async function grades(
  work: Running<GradeWork>,
  { nodes, edges }: Graph,
  changed?: readonly string[],
): Promise<{ needed: readonly string[] | undefined; rows: readonly GradedRow[] }> {
  await inParts(edges, (part) => work.call('addEdges', part));
  if (changed !== undefined) await work.call('addChanged', changed);
  const needed = changed && (await work.call('reach', nodes.length));
  await inParts(nodes, (part) => work.call('addNodes', part));
  const count = await work.call('grade', 1_800_000_000);
  const rows: GradedRow[] = [];
  while (rows.length < count) rows.push(...(await work.call('take', 700)));
  expect(await work.call('take', 700)).toEqual([]);
  return { needed, rows };
}

/** Counts the turns of the event loop in the meantime. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let done = false;
  const settled = work.finally(() => {
    done = true;
  });
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
  }
  await settled;
  return turns;
}

describe('thread', () => {
  const running: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of running.splice(0)) await one.close();
  });

  function start<Name extends keyof Works>(name: Name): Running<Works[Name]> {
    const started = startThread(name);
    running.push(started);
    return started;
  }

  test('default: the view is the one that is built in place', async () => {
    const graph = graphOf(3_000);
    const built = await view(start('view'), graph);
    expect(built).toEqual(await view(runInPlace(WORKS.view()), graph));
    expect(built.adjacency.targets.length).toBe(graph.edges.length);
    // Handed over once, without a copy for each.
    expect(built.adjacency.ids).toBe(built.search.ids);
  });

  test('default: the grades are those that are given in place', async () => {
    const graph = graphOf(3_000);
    const all = await grades(start('grade'), graph);
    expect(all.rows).toHaveLength(3_000);
    expect(all).toEqual(await grades(runInPlace(WORKS.grade()), graph));
    const changed = graph.nodes.filter(({ label }) => label === 'Protocol').slice(0, 2);
    const ids = changed.map(({ id }) => id);
    const some = await grades(start('grade'), graph, ids);
    expect(some).toEqual(await grades(runInPlace(WORKS.grade()), graph, ids));
    expect(some.rows.length).toBeLessThan(100);
    expect(some.needed!.length).toBeGreaterThan(some.rows.length);
    const given = new Map(all.rows);
    for (const [id, result] of some.rows) expect(result).toEqual(given.get(id));
  });

  test('behavior: the event loop keeps running while a large graph is processed', async () => {
    const graph = graphOf(LONG ? 200_000 : FULL ? 20_000 : 8_000);
    const inThread = start('view');
    await inParts(graph.outlines, (part) => inThread.call('addNodes', part));
    // The first edge shows that the nodes are complete, so the thread starts to process them.
    const first = inThread.call('addEdges', graph.edges.slice(0, 1));
    expect(await turnsDuring(first)).toBeGreaterThan(20);
    await inParts(graph.edges.slice(1), (part) => inThread.call('addEdges', part));
    expect((await inThread.call('finish')).adjacency.targets).toHaveLength(graph.edges.length);
    const grading = start('grade');
    await inParts(graph.edges, (part) => grading.call('addEdges', part));
    await inParts(graph.nodes, (part) => grading.call('addNodes', part));
    expect(await turnsDuring(grading.call('grade', 1_800_000_000))).toBeGreaterThan(20);
    // For comparison: run in place, the work blocks the event loop.
    const held = runInPlace(WORKS.view());
    await held.call('addNodes', graph.outlines);
    expect(await turnsDuring(held.call('finish'))).toBe(1);
  });

  test('behavior: only a large graph gets a thread', async () => {
    const graph = graphOf(10);
    const small = startWork('view', 10);
    const large = startWork('view', 10_000);
    running.push(small, large);
    for (const work of [small, large]) await work.call('addNodes', graph.outlines);
    expect(await turnsDuring(small.call('finish'))).toBe(1);
    expect(await turnsDuring(large.call('finish'))).toBeGreaterThan(1);
  });

  test('error: a thread that fails ends only its own work', async () => {
    const graph = graphOf(1_000);
    const other = start('view');
    const failing = start('view');
    const broken = [null as unknown as SearchDoc];
    await expect(failing.call('addNodes', broken)).rejects.toThrow(RiskThreadEnded);
    await expect(failing.call('finish')).rejects.toThrow(/ended early \(TypeError\)/);
    expect(openSearchIndex((await view(other, graph)).search).size).toBe(1_000);
  });

  test('error: closing ends work in progress', async () => {
    const graph = graphOf(20_000);
    const stopped = start('grade');
    await stopped.call('addNodes', graph.nodes);
    const grading = expect(stopped.call('grade', 0)).rejects.toThrow(RiskThreadEnded);
    await stopped.close();
    await grading;
    await expect(stopped.call('take', 1)).rejects.toThrow(/it was stopped/);
  });
});
