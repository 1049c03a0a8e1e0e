import { createHash } from 'node:crypto';
import { loadBuilt } from '../loadBuilt.ts';
import { type Figure, seconds } from '../table.ts';

interface Node {
  readonly id: string;
}
interface Edge {
  readonly sourceId: string;
  readonly targetId: string;
}
interface Graph {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly edges: readonly Edge[];
}

const FIGURE = 'grading the real lists from scratch';
const NOW = Date.UTC(2026, 10, 15) / 1000;

/** Imports and merges the lists in ASSAY_RISK_DATA as the server does, then measures grading. */
export async function gradeFigures(): Promise<Figure[]> {
  const folder = process.env.ASSAY_RISK_DATA;
  if (folder === undefined || folder === '') {
    const measured = 'not measured: ASSAY_RISK_DATA is not a folder with the lists';
    return [{ figure: FIGURE, asked: '< 5 s', measured, pass: null }];
  }
  const { gradeGraph } = await loadBuilt('risk/grade/gradeGraph.js');
  const { affectedBy } = await loadBuilt('risk/grade/affected.js');
  const graph = await readGraph(folder);
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const full = timed(() => gradeGraph(graph, { now: NOW, hash }).size);
  const changed = busiestProtocol(graph);
  const part = timed(() => {
    const only = affectedBy(graph.edges, [changed]);
    return gradeGraph(graph, { now: NOW, hash, only }).size;
  });
  return [
    {
      figure: `${FIGURE}: ${graph.nodes.size} nodes, ${graph.edges.length} edges`,
      asked: '< 5 s',
      measured: seconds(full.ms),
      pass: full.ms < 5000,
    },
    {
      figure: 'after a change to the protocol with the most dependants',
      asked: 'dependants only',
      measured: `${seconds(part.ms)}, ${part.size} nodes`,
      pass: part.size < full.size,
    },
  ];
}

async function readGraph(folder: string): Promise<Graph> {
  const { openSourceFolder } = await loadBuilt('risk/import/openSourceFolder.js');
  const { readRiskSource } = await loadBuilt('risk/import/readSource.js');
  const { createImportReport } = await loadBuilt('risk/import/report.js');
  const { createSourceNames } = await loadBuilt('risk/lists/defillama/item.js');
  const { mergeRecords } = await loadBuilt('risk/graph/merge.js');
  const records = new Map<string, unknown[]>();
  const shared = {
    known: records,
    now: NOW,
    report: createImportReport(),
    names: createSourceNames(),
  };
  for (const { source, documents } of (await openSourceFolder(folder)).sources) {
    const open = documents.map((document: { open: unknown }) => document.open);
    for await (const record of readRiskSource({ ...shared, source, open })) {
      const own = records.get(record.node.id) ?? [];
      own.push({ ...record, source, updatedAt: NOW });
      records.set(record.node.id, own);
    }
  }
  const nodes = new Map<string, Node>();
  const edges: Edge[] = [];
  for (const [id, own] of records) {
    const merged = mergeRecords(own);
    nodes.set(id, merged.node.node);
    for (const { edge } of merged.edges) edges.push(edge);
  }
  return { nodes, edges: edges.filter(({ targetId }) => nodes.has(targetId)) };
}

function busiestProtocol({ edges }: Graph): string {
  const counts = new Map<string, number>();
  for (const { targetId } of edges)
    if (targetId.startsWith('protocol:')) counts.set(targetId, (counts.get(targetId) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}

function timed(work: () => number): { ms: number; size: number } {
  const start = performance.now();
  const size = work();
  return { ms: performance.now() - start, size };
}
