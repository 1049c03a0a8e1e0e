import { describe, expect, test } from 'vitest';
import { openSearchIndex } from '../search/searchIndex.ts';
import { createViewReader, packView } from './viewBlocks.ts';
import { createViewWork, type ViewData } from './viewWork.ts';

/** Long names: their block takes several parts. */
function viewOf(count: number): ViewData {
  const work = createViewWork();
  const ids = Array.from({ length: count }, (_, i) => `pool:base:0x${i}`);
  work.addNodes(
    ids.map((id, i) => ({
      ...({ id, label: 'Pool', name: `Número ${i} ${'x'.repeat(900)}`, network: 'base' } as const),
      ...({ value: i % 3 === 0 ? null : i, grade: i % 2 === 0 ? 'A' : 'D' } as const),
    })),
  );
  work.addEdges(
    ids.slice(1).map((sourceId, i) => ({
      ...{ type: 'ALLOCATES', sourceId, targetId: ids[i]!, lastUpdatedAt: 1_790_000_000 + i },
    })),
  );
  return work.finish();
}

describe('viewBlocks', () => {
  test.each([0, 1, 3_000])('%i nodes are read back unchanged', (count) => {
    const view = viewOf(count);
    const { layout, parts } = packView(view);
    const sent = [...parts()].map((part) => part.slice());
    if (count > 1_000) expect(Math.max(...sent.map(({ length }) => length))).toBe(1024 * 1024);
    const reader = createViewReader(layout);
    expect(reader.parts).toBe(sent.length);
    for (const part of sent) reader.add(part);
    const read = reader.finish();
    const again = packView(read);
    expect(again.layout).toBe(layout);
    const bytes = [...again.parts()];
    expect(bytes.every((part, i) => Buffer.compare(part, sent[i]!) === 0)).toBe(true);
    const hits = ({ search }: ViewData) =>
      openSearchIndex(search).search({ q: 'número', limit: 10 });
    expect(hits(read)).toEqual(hits(view));
    expect(read.adjacency.ids).toBe(read.search.ids);
  });
});
