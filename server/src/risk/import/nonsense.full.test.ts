import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../../../../scripts/test/extents.mjs';
import { describeAnyEngine, describeEachEngine } from '../../../test/database.ts';
import type { RiskNode } from '../../domain/risk/graph.ts';
import { listSource, RISK_LIST_NAMES, type RiskListName } from '../../domain/risk/riskLists.ts';
import { riskNodes } from '../../store/risk/nodes.ts';
import { type Store, statement } from '../../store/store.ts';
import { type GradeChange, TIME_PASSED } from './gradeChanges.ts';
import { importSources } from './importSources.ts';
import type { FoundSource } from './openSourceFolder.ts';

const NOW = 1_790_000_000;
const runs = LONG ? 300 : 5;
const many = LONG ? 50_000 : 1_000;
const seed = process.env.ASSAY_SEED ? { seed: Number(process.env.ASSAY_SEED) } : {};

const CLEAR = statement(
  'test.nonsense.clear',
  'truncate risk_record, risk_node, risk_edge, risk_grade, risk_import, risk_version, risk_method_change',
);
const GRADES = statement(
  'test.nonsense.grades',
  `select id, grade, input_hash as "inputHash", breakdown::text as "breakdown" from risk_grade
   where to_version = 9007199254740991 order by id`,
);

/** Valid lists, imported before the nonsense. */
const SENSE: Readonly<Record<RiskListName, readonly object[]>> = {
  chains: [
    { name: 'Ethereum', tokenSymbol: 'ETH', tvl: 9e10, gecko_id: 'ethereum' },
    { name: 'Base', tokenSymbol: 'ETH', tvl: 5e9, parent: { chain: 'Ethereum', types: ['L2'] } },
  ],
  protocols: [
    {
      id: '1',
      name: 'Alpha',
      category: 'Lending',
      chains: ['Ethereum'],
      tvl: 2e9,
      mcap: 5e8,
      symbol: 'A',
    },
    {
      id: '2',
      name: 'Beta',
      category: 'Dexes',
      chains: ['Base'],
      tvl: 5e7,
      mcap: 2e7,
      symbol: 'B',
    },
  ],
  stablecoins: [
    {
      name: 'Coin',
      symbol: 'USDX',
      pegType: 'peggedUSD',
      pegMechanism: 'fiat-backed',
      price: 1,
      address: `0x${'1'.repeat(40)}`,
      circulating: { peggedUSD: 2e9 },
    },
  ],
  pools: [
    {
      pool: 'p1',
      chain: 'Ethereum',
      project: 'alpha',
      symbol: 'USDX',
      tvlUsd: 9e6,
      apy: 3,
      exposure: 'single',
      underlyingTokens: [`0x${'1'.repeat(40)}`],
    },
    {
      pool: 'p2',
      chain: 'Base',
      project: 'beta',
      symbol: 'USDX',
      tvlUsd: 5e6,
      apy: 3,
      exposure: 'single',
    },
  ],
  hacks: [
    {
      name: 'Beta',
      date: NOW - 900 * 86_400,
      amount: 1e6,
      technique: 'Reentrancy',
      defillamaId: '2',
    },
  ],
};

/** Arbitrary values, and occasionally valid list values about existing or missing nodes. */
const anything = fc.oneof(
  fc.anything({ withBigInt: false, withNullPrototype: false, maxDepth: 2 }),
  fc.constantFrom('Ethereum', 'Base', 'Alpha', 'beta', '1', '2', 'p1', 'Lending', 'L2', '', '-'),
  fc.constantFrom(0, -1, Number.MAX_VALUE, 1e15, 0.5, 12, NOW, NOW - 60, true, false, null),
  fc.array(fc.constantFrom('Ethereum', 'Base', 'compound', 'Alpha', '\u202e', 7), {
    maxLength: 12,
  }),
);
const fields =
  `id name symbol category chains chain chainTvls tvl mcap forkedFrom oracles rugged deadFrom deprecated audits
  listedAt parentProtocol pool project tvlUsd apy underlyingTokens exposure outlier pegType pegMechanism price address
  circulating date technique amount returnedFunds defillamaId tokenSymbol parent`.split(/\s+/);
const nonsense = fc.array(
  fc.dictionary(fc.constantFrom(...fields), anything, { maxKeys: 12 }).chain((junk) =>
    // Some of the items are about an existing node, so that something changes.
    fc
      .constantFrom<object>({}, ...Object.values(SENSE).flat())
      .map((base) => ({ ...base, ...junk })),
  ),
  { maxLength: 12 },
);

function list(name: RiskListName, items: readonly unknown[]): FoundSource {
  const bytes = Buffer.from(JSON.stringify(items));
  const document = {
    name: `${name}.json`,
    bytes: bytes.length,
    async *open() {
      yield bytes;
    },
    close: async () => undefined,
  };
  return { source: listSource(name), documents: [document] };
}

interface State {
  readonly grades: ReadonlyMap<string, { readonly grade: string; readonly breakdown: string }>;
  readonly nodes: ReadonlyMap<string, RiskNode>;
}

async function stateOf(store: Store): Promise<State> {
  const rows = await store.query<{ id: string; grade: string; breakdown: string }>(GRADES);
  const nodes = new Map<string, RiskNode>();
  for await (const page of riskNodes.getAll(store))
    for (const node of page) nodes.set(node.id, node);
  return { grades: new Map(rows.map((row) => [row.id, row])), nodes };
}

/** Restores the graph from before the nonsense. */
async function makeSense(store: Store): Promise<void> {
  await store.query(CLEAR, []);
  const sources = RISK_LIST_NAMES.map((name) => list(name, SENSE[name]));
  await importSources({ store, sources, now: NOW });
}

async function importNonsense(store: Store, name: RiskListName, items: readonly unknown[]) {
  const { results } = await importSources({
    store,
    sources: [list(name, items)],
    now: NOW,
    force: true,
  });
  return results.flatMap(({ outcome }) => outcome?.gradeChanges ?? []);
}

/** Expects every changed grade to be reported, and every fact reported as a cause to have changed. */
function expectNamed(before: State, after: State, changes: readonly GradeChange[]): void {
  const changed = [...after.grades].flatMap(([id, { grade }]) => {
    const held = before.grades.get(id);
    return held === undefined || held.grade === grade ? [] : [`${id} ${held.grade} ${grade}`];
  });
  expect(changes.map(({ id, from, to }) => `${id} ${from} ${to}`).sort()).toEqual(changed.sort());
  for (const { because } of changes) {
    expect(because.length).toBeGreaterThan(0);
    for (const { id, facts } of because) {
      expect(facts).not.toContain(TIME_PASSED);
      const [old, fresh] = [before.nodes.get(id), after.nodes.get(id)];
      for (const fact of facts) {
        if (fact === 'edges') continue;
        const of = (node: RiskNode | undefined) =>
          JSON.stringify((node?.facts as Record<string, unknown> | undefined)?.[fact]);
        if (fact === 'new') expect(old).toBeUndefined();
        else expect(of(fresh), `${fact} of ${id}`).not.toBe(of(old));
      }
    }
  }
}

describeAnyEngine('nonsense', (open) => {
  test('behavior: no grade changes without the fact that changed it', async () => {
    const store = await open();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...RISK_LIST_NAMES), nonsense, async (name, items) => {
        await makeSense(store);
        const before = await stateOf(store);
        const changes = await importNonsense(store, name, items);
        expectNamed(before, await stateOf(store), changes);
      }),
      { numRuns: runs, ...seed },
    );
    // A rug pull is a real change, so at least one grade must be reported.
    await makeSense(store);
    const rugged = SENSE.protocols.map((one) => ({ ...one, rugged: true }));
    const changes = await importNonsense(store, 'protocols', rugged);
    expect(changes.map(({ id, to }) => `${id} ${to}`)).toContain('pool:ethereum:p1 F');
    expect(changes.find(({ id }) => id === 'pool:ethereum:p1')!.because).toEqual([
      { id: 'protocol:alpha', facts: ['rugged'] },
    ]);
  });

  test('behavior: a large amount of it changes nothing that is not reported', async () => {
    const store = await open();
    await makeSense(store);
    const before = await stateOf(store);
    const pools = Array.from({ length: many }, (_, at) => ({
      ...{ pool: `x${at}`, chain: at % 3 === 0 ? 'Base' : `Nowhere ${at % 50}`, symbol: 'X-Y' },
      ...{
        project: at % 7 === 0 ? 'alpha' : `nobody-${at % 90}`,
        tvlUsd: 1e6 * (at % 40),
        apy: at,
      },
    }));
    const changes = await importNonsense(store, 'pools', [...SENSE.pools, ...pools]);
    const after = await stateOf(store);
    expectNamed(before, after, changes);
    // Its pools pay more now, which is a fact of the protocol and part of its reasons.
    expect(after.grades.get('protocol:alpha')!.breakdown).toMatch(
      /9\d\.\d% a year; this counts much/,
    );
  });
});

describe('the same input', () => {
  const seenBy = new Map<string, string>();
  beforeAll(() => seenBy.clear());

  describeEachEngine('is graded', (open, database) => {
    test('behavior: with the same grades, reasons, and hashes, in any order', async () => {
      const store = await open();
      for (const items of [SENSE, reversed(SENSE)]) {
        await store.query(CLEAR, []);
        for (const name of RISK_LIST_NAMES)
          await importSources({ store, sources: [list(name, items[name])], now: NOW });
        // A list can reference entries of a later list, so all lists are imported again.
        const sources = RISK_LIST_NAMES.map((name) => list(name, items[name]));
        await importSources({ store, sources, now: NOW });
        const digest = createHash('sha256');
        for (const row of await store.query<Record<string, string>>(GRADES))
          digest.update(
            JSON.stringify([row.id, row.grade, row.inputHash, JSON.parse(row.breakdown!)]),
          );
        seenBy.set(`${database().engine} ${items === SENSE}`, digest.digest('hex'));
      }
    });
  });

  test('behavior: on both engines', () => {
    expect(seenBy.size).toBe(4);
    expect(new Set(seenBy.values()).size).toBe(1);
  });
});

function reversed(lists: typeof SENSE): typeof SENSE {
  const entries = Object.entries(lists).map(([name, items]) => [name, items.toReversed()]);
  return Object.fromEntries(entries);
}
