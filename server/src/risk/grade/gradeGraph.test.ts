import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../../scripts/test/extents.mjs';
import { GRADES, type RiskEdge, type RiskNode } from '../../domain/risk/graph.ts';
import { affectedBy } from './affected.ts';
import { gradeGraph } from './gradeGraph.ts';
import type { RiskGraph } from './indexedGraph.ts';

const NOW = 1_800_000_000;
const runs = LONG ? 5000 : 200;
const seed = process.env.ASSAY_SEED ? { seed: Number(process.env.ASSAY_SEED) } : {};
const options = { now: NOW, hash: (text: string) => `hash of ${text}` };

/** From safe to dangerous: by assessment, by size, too small to assess, and dead. */
const CHAINS: readonly object[] = [
  { kind: 'rollup', stage: 1 },
  { kind: 'other', tvlUsd: 5e9 },
  { kind: 'other', tvlUsd: 5e6 },
  { kind: 'other', tvlUsd: 5e6, dead: true },
];
/** A chain of which only the name is known. */
const OBSCURE = 4;

function node(number: number, size: number): RiskNode {
  const name = `chain ${number}`;
  const facts = { name, slug: `c${number}`, ...CHAINS[size] };
  return { id: `chain:c${number}`, label: 'Chain', facts };
}

function edge(source: number, target: number, weight: number): RiskEdge {
  return { type: 'SETTLES_TO', sourceId: `chain:c${source}`, targetId: `chain:c${target}`, weight };
}

function graphOf(nodes: readonly RiskNode[], edges: readonly RiskEdge[]): RiskGraph {
  return { nodes: new Map(nodes.map((some) => [some.id, some])), edges };
}

const sizes = fc.array(fc.integer({ min: 0, max: OBSCURE }), { minLength: 1, maxLength: 9 });
const weight = fc.constantFrom(1, 1, 1, 0.5, 0.25, 1e-4);
/** Any graph, including cycles, self-references, missing targets, and duplicate edges. */
const graphs = sizes.chain((list) =>
  fc
    .array(fc.tuple(fc.nat(list.length), fc.nat(list.length), weight), { maxLength: 20 })
    .map((edges) =>
      graphOf(
        list.map((size, number) => node(number, size)),
        edges.map(([source, target, w]) => edge(source, target, w)),
      ),
    ),
);

function place(grade: string): number {
  return GRADES.indexOf(grade as (typeof GRADES)[number]);
}

describe('gradeGraph', () => {
  test('behavior: over edges of weight 1, no node grades better than its dependency', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const results = gradeGraph(graph, options);
        for (const { sourceId, targetId, weight } of graph.edges) {
          const [source, target] = [results.get(sourceId), results.get(targetId)];
          if (weight < 1 || !source || !target) continue;
          expect(place(source.grade)).toBeGreaterThanOrEqual(place(target.grade));
          expect(source.score).toBeLessThanOrEqual(target.score);
        }
      }),
      { numRuns: runs, ...seed },
    );
  });

  test('behavior: the order of nodes and edges does not matter', () => {
    fc.assert(
      fc.property(graphs, fc.infiniteStream(fc.nat()), (graph, places) => {
        const shuffle = <T>(items: readonly T[]): T[] =>
          items
            .map((item) => ({ item, at: places.next().value as number }))
            .sort((a, b) => a.at - b.at)
            .map(({ item }) => item);
        const other = { nodes: new Map(shuffle([...graph.nodes])), edges: shuffle(graph.edges) };
        expect(Object.fromEntries(gradeGraph(other, options))).toEqual(
          Object.fromEntries(gradeGraph(graph, options)),
        );
      }),
      { numRuns: runs, ...seed },
    );
  });

  test('behavior: grading only the reached nodes gives the same as grading everything', () => {
    fc.assert(
      fc.property(
        graphs,
        fc.nat(8),
        fc.integer({ min: 0, max: OBSCURE }),
        (graph, number, size) => {
          const changed = node(number % graph.nodes.size, size);
          const nodes = new Map(graph.nodes).set(changed.id, changed);
          const only = affectedBy(graph.edges, [changed.id]);
          const after = { nodes, edges: graph.edges };
          const kept = gradeGraph(graph, options);
          for (const [id, result] of gradeGraph(after, { ...options, only })) kept.set(id, result);
          expect(Object.fromEntries(kept)).toEqual(Object.fromEntries(gradeGraph(after, options)));
        },
      ),
      { numRuns: runs, ...seed },
    );
  });

  test('behavior: a node that becomes riskier makes no other node safer', () => {
    fc.assert(
      fc.property(graphs, fc.nat(8), (graph, number) => {
        const riskier = node(number % graph.nodes.size, 3);
        const before = gradeGraph(graph, options);
        const after = gradeGraph(
          { ...graph, nodes: new Map(graph.nodes).set(riskier.id, riskier) },
          options,
        );
        for (const [id, { score }] of before)
          expect(after.get(id)!.score).toBeLessThanOrEqual(score);
      }),
      { numRuns: runs, ...seed },
    );
  });

  test('behavior: a node on two paths counts once', () => {
    const nodes = [node(0, 0), node(1, 0), node(2, 0), node(3, 3)];
    const one = graphOf(nodes, [edge(0, 1, 1), edge(0, 2, 1), edge(1, 3, 1)]);
    const two = graphOf(nodes, [...one.edges, edge(2, 3, 1), edge(0, 3, 0.5)]);
    const score = (graph: RiskGraph) => gradeGraph(graph, options).get('chain:c0')!.score;
    expect(score(two)).toBe(score(one));
  });

  test('behavior: the heaviest of several paths counts', () => {
    const nodes = [node(0, 0), node(1, 0), node(2, 3)];
    const light = graphOf(nodes, [edge(0, 2, 0.1)]);
    const both = graphOf(nodes, [edge(0, 2, 0.1), edge(0, 1, 1), edge(1, 2, 0.9)]);
    const score = (graph: RiskGraph) => gradeGraph(graph, options).get('chain:c0')!.score;
    expect(score(both)).toBeLessThan(score(light));
  });

  test('behavior: many nodes with few facts are no worse than one', () => {
    const nodes = [node(0, 0), node(1, OBSCURE), node(2, OBSCURE), node(3, 0)];
    const score = (edges: RiskEdge[]) =>
      gradeGraph(graphOf(nodes, edges), options).get('chain:c0')!;
    expect(score([edge(0, 1, 1)]).grade).toBe('C');
    expect(score([edge(0, 1, 1), edge(0, 2, 1)]).grade).toBe('C');
    expect(score([edge(0, 1, 0.5)]).grade).toBe('A');
  });

  test('behavior: the members of a cycle share one grade', () => {
    const cycle = graphOf(
      [node(0, 0), node(1, 2), node(2, 3)],
      [edge(0, 1, 1), edge(1, 2, 1), edge(2, 0, 1)],
    );
    const scores = [...gradeGraph(cycle, options).values()].map(({ score }) => score);
    expect(new Set(scores).size).toBe(1);
  });

  test("behavior: the input hash changes with the grade's inputs, and with nothing else", () => {
    const graph = graphOf([node(0, 0), node(1, 1), node(2, 1)], [edge(0, 1, 1)]);
    const hashOf = (changed: RiskNode) =>
      gradeGraph({ ...graph, nodes: new Map(graph.nodes).set(changed.id, changed) }, options).get(
        'chain:c0',
      )!.inputHash;
    expect(hashOf(node(1, 2))).not.toBe(hashOf(node(1, 1)));
    expect(hashOf(node(2, 2))).toBe(hashOf(node(2, 1)));
  });
});

describe('surroundings', () => {
  const chain = (slug: string, kind?: 'rollup' | 'other'): RiskNode => ({
    id: `chain:${slug}`,
    label: 'Chain',
    facts: { name: slug, slug, ...(kind && { kind }) },
  });
  const all = [chain('ethereum'), chain('roll', 'rollup'), chain('side', 'other'), chain('dark')];
  const answerOf = (...slugs: string[]) => {
    const facts = { name: 'P', slug: 'p', category: 'Dexes', chains: slugs };
    const protocol: RiskNode = { id: 'protocol:p', label: 'Protocol', facts };
    const edges = slugs.map((slug) => ({
      ...{ type: 'LIVES_ON', sourceId: 'protocol:p', targetId: `chain:${slug}`, weight: 0.5 },
    })) as RiskEdge[];
    const { breakdown } = gradeGraph(graphOf([...all, protocol], edges), options).get(
      'protocol:p',
    )!;
    return breakdown.find(({ question }) => question === 'Does it run on a rollup?')!.answer;
  };

  test('behavior: a protocol runs on a rollup when one of its chains is known to be one', () => {
    expect(answerOf('ethereum', 'roll')).toMatch(/^Yes/);
    expect(answerOf('dark', 'roll')).toMatch(/^Yes/);
    expect(answerOf('ethereum', 'side')).toBe('No.');
    expect(answerOf('ethereum', 'dark')).toMatch(/not known/);
    expect(answerOf()).toMatch(/not known/);
  });
});

describe('affectedBy', () => {
  test('behavior: everything that can reach a change, and nothing beyond it', () => {
    const edges = [edge(0, 1, 1), edge(1, 2, 0.1), edge(2, 3, 1), edge(2, 0, 1), edge(4, 3, 1)];
    expect(affectedBy(edges, ['chain:c2'])).toEqual(new Set(['chain:c2', 'chain:c1', 'chain:c0']));
  });
});
