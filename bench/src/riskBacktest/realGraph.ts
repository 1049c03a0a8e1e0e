import { loadBuilt } from '../loadBuilt.ts';
import type { Edge, Node } from './server.ts';

interface Record {
  readonly node: Node;
  readonly edges: readonly Edge[];
}

/** Returns the newest lists of a folder as one graph, by the server's importers, without a store. */
export async function realGraph(
  folder: string,
  now: number,
): Promise<{ nodes: Map<string, Node>; edges: Edge[] }> {
  const { openSourceFolder } = await loadBuilt('risk/import/openSourceFolder.js');
  const { readRiskSource } = await loadBuilt('risk/import/readSource.js');
  const { createImportReport } = await loadBuilt('risk/import/report.js');
  const { createSourceNames } = await loadBuilt('risk/lists/defillama/item.js');
  const { mergeRecords } = await loadBuilt('risk/graph/merge.js');

  const found = new Map<string, (Record & { source: string; updatedAt: number })[]>();
  const shared = { known: found, now, report: createImportReport(), names: createSourceNames() };
  for (const { source, documents } of (await openSourceFolder(folder)).sources) {
    const open = documents.map((document: { open: unknown }) => document.open);
    for await (const record of readRiskSource({ ...shared, source, open })) {
      const known = found.get(record.node.id) ?? [];
      found.set(record.node.id, [...known, { ...record, source, updatedAt: now }]);
    }
  }
  const nodes = new Map<string, Node>();
  const edges: Edge[] = [];
  for (const [id, records] of found) {
    const merged = mergeRecords(records);
    if (merged === undefined) continue;
    nodes.set(id, merged.node.node);
    for (const { edge } of merged.edges) edges.push(edge);
  }
  return { nodes, edges };
}
