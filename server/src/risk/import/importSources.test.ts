import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FULL } from '../../../../scripts/test/extents.mjs';
import { describeAnyEngine } from '../../../test/database.ts';
import { riskEdges } from '../../store/risk/edges.ts';
import { riskNodes } from '../../store/risk/nodes.ts';
import { riskRead } from '../../store/risk/read.ts';
import { type Store, statement } from '../../store/store.ts';
import { importCatalog } from './catalog.ts';
import { importSources } from './importSources.ts';
import type { SourceDocument } from './openSource.ts';
import { type FoundSource, openSourceFolder } from './openSourceFolder.ts';

const CHAIN = `chains:
  - slug: base
    name: Base
    facts:
      - kind: rollup
        source: https://example.org/base
        date: 2026-05-31
`;

const CLEAR = statement(
  'test.importSources.clear',
  'truncate risk_record, risk_node, risk_edge, risk_grade, risk_import, risk_version',
);
const NOW = 1_790_000_000;

/** Each list needs data from the protocols: an id, an issued coin, or how a protocol concentrates liquidity. */
const LISTS: readonly FoundSource[] = [
  list('defillama-protocols', [
    { id: '7', name: 'Arrow Money', stablecoins: ['arrow-dollar'], category: 'CDP' },
    { id: '8', name: 'Bow Swap', tags: ['CLMM'], chains: ['Base'] },
    { id: '9', name: 'Coin Ferry', stablecoins: ['usd-quill'], category: 'Bridge' },
  ]),
  list('defillama-stablecoins', [
    { ...coin('ARD', 1), gecko_id: 'arrow-dollar', pegMechanism: 'crypto-backed' },
    { ...coin('QUILL', 2), gecko_id: 'usd-quill', pegMechanism: 'fiat-backed' },
    // A protocol that only the pools list names.
    { ...coin('Late', 3), gecko_id: 'late' },
  ]),
  list('defillama-pools', [
    { pool: 'p1', chain: 'Base', project: 'bow-swap', symbol: 'ARD-WETH', tvlUsd: 5 },
    { pool: 'p2', chain: 'Base', project: 'late', symbol: 'ARD', tvlUsd: 5 },
  ]),
  list('defillama-hacks', [{ name: 'Its old name', date: NOW - 86_400, defillamaId: '8' }]),
];

function coin(name: string, digit: number): object {
  return { name, symbol: name, pegType: 'peggedUSD', address: `0x${`${digit}`.repeat(40)}` };
}

function list(source: FoundSource['source'], items: readonly object[]): FoundSource {
  return { source, documents: [documentOf(`${source}.json`, JSON.stringify(items))] };
}

/** Returns the sources whose import changes anything. */
async function changedBy(store: Store, sources: readonly FoundSource[]): Promise<string[]> {
  const { results } = await importSources({ store, sources, now: NOW });
  return results.flatMap(({ source, outcome, error }) => {
    if (outcome === undefined) throw error;
    return outcome.added + outcome.changed + outcome.removed > 0 ? [source] : [];
  });
}

async function gradeOf(store: Store, id: string): Promise<string | undefined> {
  return (await riskRead.findNode(store, id))?.graded?.grade;
}

/** Facts by node id, and edges as text. */
async function content(store: Store) {
  const nodes = new Map<string, string>();
  const edges: string[] = [];
  for await (const page of riskNodes.getAll(store)) {
    for (const { id, facts } of page) nodes.set(id, JSON.stringify(facts));
  }
  for await (const page of riskEdges.getAll(store)) {
    edges.push(...page.map((each) => `${each.sourceId} ${each.type} ${each.targetId}`));
  }
  return { nodes, edges: edges.sort() };
}

function documentOf(name: string, text: string): SourceDocument {
  const bytes = Buffer.from(text);
  return {
    name,
    bytes: bytes.length,
    async *open() {
      yield bytes;
    },
    close: async () => undefined,
  };
}

describeAnyEngine('importSources', (open) => {
  test('behavior: a list gives the same result alone as with the others', async () => {
    const store = await open();
    await store.query(CLEAR, []);
    expect(await changedBy(store, LISTS)).toHaveLength(LISTS.length);
    const together = await content(store);
    for (const each of LISTS) expect(await changedBy(store, [each])).toEqual([]);

    await store.query(CLEAR, []);
    for (const each of LISTS) await changedBy(store, [each]);
    expect(await content(store)).toEqual(together);
    const { nodes, edges } = together;
    expect(edges.filter((edge) => edge.includes('ISSUED_BY'))).toEqual([
      `asset:ethereum:0x${'1'.repeat(40)} ISSUED_BY protocol:arrow-money`,
    ]);
    expect(nodes.get('pool:base:p1')).toMatch(/"concentrated":\s?true/);
    expect(nodes.get('protocol:bow-swap')).toContain('"incidents"');
    // Data stored for other lists is not a fact.
    expect(nodes.get('protocol:arrow-money')).not.toContain('arrow-dollar');
  });

  test('behavior: a protocol that was removed from the list is not found by its id', async () => {
    const store = await open();
    await store.query(CLEAR, []);
    const other = list('defillama-protocols', [{ id: '12', name: 'Dart' }]);
    const [protocols, , , hacks] = LISTS as [FoundSource, FoundSource, FoundSource, FoundSource];
    await changedBy(store, [protocols]);
    await importSources({ store, sources: [other], now: NOW, force: true });
    await expect(changedBy(store, [hacks])).rejects.toThrow('defillama-hacks');
  });

  test('behavior: the catalog takes precedence, but hides no recent hack', async () => {
    const store = await open();
    await store.query(CLEAR, []);
    await importCatalog({ store, now: NOW });
    const curve = 'protocol:curve-dex';
    expect(await gradeOf(store, curve)).not.toBe('F');
    const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
    await changedBy(store, [
      list('defillama-protocols', [
        { id: '3', name: 'Curve DEX', chains: ['Ethereum'] },
        { id: '4', name: 'Dollar Ferry', stablecoins: ['usd-coin'] },
        {
          id: '5',
          name: 'Lido',
          chains: ['Ethereum', 'Terra'],
          chainTvls: { Ethereum: 9, Terra: 1 },
        },
      ]),
      list('defillama-stablecoins', [{ ...coin('X', 1), gecko_id: 'usd-coin', address: usdc }]),
      list('defillama-hacks', [{ name: 'Curve', date: NOW - 10 * 86_400, defillamaId: '3' }]),
    ]);
    expect(await gradeOf(store, curve)).toBe('F');
    const { edges } = await content(store);
    const from = (start: string) => edges.filter((edge) => edge.startsWith(start));
    expect(from(`asset:ethereum:${usdc} ISSUED_BY`)).toEqual([
      `asset:ethereum:${usdc} ISSUED_BY protocol:circle-usdc`,
    ]);
    expect(from('protocol:lido LIVES_ON')).toEqual(['protocol:lido LIVES_ON chain:ethereum']);
  });

  const folder = process.env.ASSAY_RISK_DATA ?? '';
  test.runIf(FULL && folder !== '' && existsSync(folder))(
    'behavior: each of the real lists gives the same result alone as with the others',
    async () => {
      const store = await open();
      await store.query(CLEAR, []);
      await importCatalog({ store, now: NOW });
      const { sources } = await openSourceFolder(folder);
      expect(await changedBy(store, sources)).toHaveLength(sources.length);
      for (const each of sources) expect(await changedBy(store, [each])).toEqual([]);
    },
    300_000,
  );

  test('error: a mistake in one of several files names that file', async () => {
    const store = await open();
    const documents = [
      documentOf('mine.yaml', CHAIN),
      documentOf('yours.yaml', CHAIN.replace('name:', 'nane:')),
    ];
    const sources = [{ source: 'curated', documents }] as const;
    const { results } = await importSources({ store, sources, now: 100 });
    const [{ error, outcome }] = results as [(typeof results)[number]];
    expect(outcome).toBeUndefined();
    expect((error as Error).message).toMatch(/^yours\.yaml:/);
    expect((error as Error).message).not.toContain('mine.yaml');
  });
});
