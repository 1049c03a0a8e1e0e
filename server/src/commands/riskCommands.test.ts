import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, describeAnyEngine, type TestDatabase } from '../../test/database.ts';
import { listenOnLoopback, stopServer } from '../../test/loopbackServer.ts';
import type { Config } from '../config/config.ts';
import { affectedBy } from '../risk/grade/affected.ts';
import { gradeGraph } from '../risk/grade/gradeGraph.ts';
import { importCatalog, importCurated } from '../risk/import/catalog.ts';
import { GRADING, regradeAll } from '../risk/import/regrade.ts';
import { runRisk } from '../risk/import/riskLoop.ts';
import { createGradeWork } from '../risk/thread/gradeWork.ts';
import { runInPlace } from '../risk/thread/running.ts';
import { riskImports } from '../store/risk/imports.ts';
import { riskRead } from '../store/risk/read.ts';
import type { Store } from '../store/store.ts';
import { riskDiff } from './riskDiff.ts';
import { riskGrade } from './riskGrade.ts';
import { createRiskImport } from './riskImport.ts';
import { riskShow } from './riskShow.ts';

const PROTOCOLS = [
  {
    id: '1',
    name: 'Testing Markets',
    slug: 'testing-markets',
    category: 'Lending',
    chains: ['Base', 'Ethereum'],
    tvl: 2e9,
    audits: '2',
    audit_links: ['https://alpha.example/audit'],
    listedAt: 1_600_000_000,
  },
  { id: '2', name: 'Beta', slug: 'beta', category: 'Dexes', chains: ['Base'], tvl: 1e6 },
];
const CHAINS = [
  { name: 'Base', tokenSymbol: 'ETH', tvl: 5e9, chainId: 8453, gecko_id: 'base' },
  { name: 'Ethereum', tokenSymbol: 'ETH', tvl: 9e10, chainId: 1, gecko_id: 'ethereum' },
];
const CURATED = `
protocols:
  - slug: testing-markets
    name: Testing Markets
    facts:
      - upgrades: { by: timelock, delay: 48h }
        source: https://alpha.example/governance
        date: 2026-05-31
`;

let home: string;
let folder: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'assay-risk-'));
});
beforeEach(async () => {
  folder = await mkdtemp(join(home, 'test-'));
});
afterAll(() => rm(home, { recursive: true, force: true, maxRetries: 20 }));

async function write(name: string, content: unknown): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

function configWith(risk: Partial<Config['risk']> = {}): Config {
  const whole = { sources: {}, refreshHours: 24, ...risk };
  return { file: 'assay.yaml', chains: [], families: [], risk: whole } as unknown as Config;
}

const now = () => Math.floor(Date.now() / 1000);
const ALL = { label: null, limit: 20 };
const rugged = (one: object) => ({ ...one, rugged: true });

/** The work of an older method that grades everything as A. */
const OLD_WORK = () =>
  createGradeWork({
    affectedBy,
    gradeGraph: (graph, options) =>
      new Map(
        [...gradeGraph(graph, options)].map(([id, result]) => [
          id,
          { ...result, grade: 'A', methodVersion: 'before' },
        ]),
      ),
  });

const importCommand = createRiskImport({ describe: (error) => (error as Error).message });
const NOTHING = { from: null, sources: [], curated: null, force: false };

describeAnyEngine('risk commands', (open) => {
  async function run<Args>(
    command: { runOn(context: never, args: Args, print: (line: string) => void): Promise<number> },
    args: Args,
    config = configWith(),
  ) {
    const lines: string[] = [];
    const context = { config, store: await open() } as never;
    const code = await command.runOn(context, args, (line) => lines.push(line));
    return { code, text: lines.join('\n') };
  }

  test('default: import, show, grade', async () => {
    const sources = [
      { name: 'protocols', location: await write('p.json', PROTOCOLS) },
      { name: 'chains', location: await write('c.json', CHAINS) },
    ] as const;
    const curated = await write('facts.yaml', CURATED);
    const imported = await run(importCommand, { ...NOTHING, sources, curated });
    expect(imported).toMatchObject({ code: 0 });
    expect(imported.text).toMatch(/defillama-protocols: 2 read, 2 kept/);
    expect(imported.text).toMatch(/in the graph: Chain 2, Protocol 2; grades: /);

    const shown = await run(riskShow, { id: 'PROTOCOL:testing-markets' });
    expect(shown.code).toBe(0);
    expect(shown.text).toMatch(/^protocol:testing-markets {2}Protocol {2}last changed /);
    expect(shown.text).toMatch(/grade [A-F], score \d+, \d+% of facts known, method /);
    expect(shown.text).toMatch(/category: "Lending" {2}\(defillama-protocols\)/);
    expect(shown.text).toMatch(
      /upgrades: .* \(curated: https:\/\/alpha\.example\/governance, 2026-05-31\)/,
    );
    expect(shown.text).toMatch(/LIVES_ON chain:base, weight 0\.5/);
    expect(shown.text).toMatch(/Why this grade\?/);
    expect(await run(riskShow, { id: 'protocol:unknown' })).toMatchObject({ code: 1 });

    const graded = await run(riskGrade, {});
    expect(graded.text).toMatch(/^graded 4 nodes; /);
  });

  test('behavior: hacks from a URL or a file, each with the fact that changed a grade', async () => {
    const store = await open();
    const hacks = [
      {
        date: now() - 86_400,
        name: 'Some market',
        amount: 1e6,
        technique: 'Stolen key',
        defillamaId: 1,
      },
      {
        date: now() - 86_400,
        name: 'Unlisted',
        amount: 1e6,
        technique: 'Stolen key',
        defillamaId: null,
      },
    ];
    const server = createServer((_, answer) => answer.end(JSON.stringify(hacks)));
    const port = await listenOnLoopback(server, 0);
    try {
      for (const location of [`http://127.0.0.1:${port}/hacks`, await write('hacks.json', hacks)]) {
        const { code, text } = await run(importCommand, {
          ...NOTHING,
          sources: [{ name: 'hacks', location }],
          force: true,
        });
        expect(code).toBe(0);
        expect(text).toMatch(/defillama-hacks: 2 read, 1 kept, 1 skipped/);
        const node = await riskRead.findNode(store, 'protocol:testing-markets');
        expect(node?.graded.grade).toBe('F');
        expect(node?.node.facts).toMatchObject({
          incidents: [{ lossUsd: 1e6, what: 'Stolen key' }],
        });
        if (location.startsWith('http')) {
          expect(text).toMatch(/protocol:testing-markets [BCD] → F: incidents/);
          const held = (await riskImports.getAll(store)).find(
            ({ source }) => source === 'defillama-hacks',
          );
          expect(held).toMatchObject({
            counts: { gradesChanged: 1 },
            report: { gradeChanges: [{ to: 'F' }] },
          });
        } else expect(text).toMatch(/defillama-hacks: 0 nodes added, 0 changed, 0 removed/);
      }
    } finally {
      await stopServer(server);
    }
    const none = [{ name: 'hacks', location: await write('hacks.json', []) }] as const;
    expect((await run(importCommand, { ...NOTHING, sources: none, force: true })).text).toMatch(
      /F → [BCD]: incidents/,
    );
  });

  test('behavior: shows how another version of the method changed the grades', async () => {
    const store = await open();
    expect((await run(riskDiff, ALL)).text).toMatch(/^all grades are from the first method/);
    const before = { ...GRADING, methodVersion: 'before', start: () => runInPlace(OLD_WORK()) };
    await regradeAll(store, { now: 1_800_000_000, grading: before });
    expect((await run(riskDiff, ALL)).text).toMatch(/^method .* → before, 2027/);
    await regradeAll(store, { now: 1_800_000_100 });
    const { text } = await run(riskDiff, ALL);
    expect(text).toMatch(/^method before → 20\d\d-\d\d\.\d+, 2027-01-15T08:01:40/);
    expect(text).toMatch(/Chain: 2, better 0, worse 1, unchanged 1\n {2}from +to A/);
    expect(text).toMatch(/Protocol: 2, better 0, worse 2, unchanged 0/);
    // The largest change is first, with the reason for its grade.
    expect(text).toMatch(
      /\nprotocol:testing-markets {2}Testing Markets {2}A → [BCD]\n {2}[BCD]: what/,
    );
    expect(text.indexOf('testing-markets')).toBeLessThan(text.indexOf('protocol:beta'));
    const chains = await run(riskDiff, { label: 'Chain', limit: 1 });
    expect(chains.text).not.toMatch(/Protocol|protocol:/);
    expect(chains.text).toMatch(/\nchain:base {2}Base {2}A → B/);
    // A later change of a fact is not a change of the method.
    const sources = [
      { name: 'protocols', location: await write('p.json', PROTOCOLS.map(rugged)) },
    ] as const;
    await run(importCommand, { ...NOTHING, sources });
    expect((await run(riskDiff, ALL)).text).toContain('Protocol: 2, better 0, worse 2');
    await run(importCommand, {
      ...NOTHING,
      sources: [{ name: 'protocols', location: await write('p.json', PROTOCOLS) }],
    });
  });

  test('behavior: a source that fails does not stop the others', async () => {
    const sources = [
      { name: 'protocols', location: await write('p.json', '[]') },
      { name: 'chains', location: await write('c.json', CHAINS) },
    ] as const;
    const { code, text } = await run(importCommand, { ...NOTHING, sources });
    expect(code).toBe(1);
    expect(text).toMatch(/defillama-protocols: .*nothing could be read/);
    expect(text).toMatch(/defillama-chains: 0 nodes added, 0 changed, 0 removed/);
    expect(await riskRead.findNode(await open(), 'protocol:beta')).toBeDefined();
  });

  test('behavior: a list that is truncated, or has an invalid entry, removes nothing', async () => {
    const whole = JSON.stringify(PROTOCOLS);
    const damaged = [
      whole.slice(0, whole.indexOf('"id":"2"') + 30),
      whole.replace(':1000000', ':'),
    ];
    for (const text of damaged) {
      const sources = [{ name: 'protocols', location: await write('p.json', text) }] as const;
      const { code, text: said } = await run(importCommand, { ...NOTHING, sources });
      expect(code).toBe(1);
      expect(said).toMatch(/defillama-protocols: 0 nodes added, 0 changed, 0 removed/);
      expect(said).toMatch(/list is damaged, 1 entries could not be read: 1 nodes that may/);
      expect(await riskRead.findNode(await open(), 'protocol:beta')).toBeDefined();
    }
    const sources = [{ name: 'protocols', location: await write('p.json', damaged[0]!) }] as const;
    const forced = await run(importCommand, { ...NOTHING, sources, force: true });
    expect(forced.text).toMatch(/defillama-protocols: 0 nodes added, 0 changed, 1 removed/);
    const complete = [{ name: 'protocols', location: await write('p.json', whole) }] as const;
    const { code, text } = await run(importCommand, { ...NOTHING, sources: complete });
    expect(code).toBe(0);
    expect(text).toMatch(/defillama-protocols: 1 nodes added, 0 changed, 0 removed/);
  });

  test('error: a list under the name of another', async () => {
    const sources = [
      { name: 'chains', location: await write('c.json', PROTOCOLS) },
      { name: 'protocols', location: await write('p.json', PROTOCOLS) },
    ] as const;
    await expect(run(importCommand, { ...NOTHING, sources, force: true })).rejects.toThrow(
      'c.json: this is a list of protocols, so it was not read as defillama-chains',
    );
    expect(await riskRead.findNode(await open(), 'chain:base')).toBeDefined();
  });

  test('behavior: a folder, or the configured sources if none is named', async () => {
    await write('2026-01-protocols.json', PROTOCOLS);
    await write('notes.txt', 'nothing');
    const fromFolder = await run(importCommand, { ...NOTHING, from: folder });
    expect(fromFolder.text).toMatch(/notes\.txt: skipped/);
    expect(fromFolder.text).toMatch(/defillama-protocols: 0 nodes added, 0 changed/);
    const chains = await write('c.json', CHAINS);
    const configured = await run(importCommand, NOTHING, configWith({ sources: { chains } }));
    expect(configured.text).toMatch(/defillama-chains: 2 read/);
    await expect(run(importCommand, NOTHING)).rejects.toThrow('nothing to import');
  });

  test('behavior: a file of curated facts is read again only when it changed', async () => {
    const store = await open();
    const file = await write('facts.yaml', CURATED);
    await importCurated({ store, file, now: 100 });
    expect(await importCurated({ store, file, now: 200 })).toBeUndefined();
    await write('facts.yaml', CURATED.replace('48h', '7d'));
    const changed = await importCurated({ store, file, now: 300 });
    expect(changed?.outcome).toMatchObject({ changed: 1, removed: 0 });
    await write('facts.yaml', 'protocols: 7');
    const broken = await importCurated({ store, file, now: 400 });
    expect(broken?.outcome).toBeUndefined();
    const node = await riskRead.findNode(store, 'protocol:testing-markets');
    expect(node?.sources).toMatchObject({ upgrades: 'curated' });
  });

  test('behavior: the catalog is imported once per content', async () => {
    const store = await open();
    expect(await importCatalog({ store, folder, now: 100 })).toBeUndefined();
    await write('protocols.yaml', CURATED.replaceAll('testing-markets', 'gamma'));
    expect((await importCatalog({ store, folder, now: 100 }))?.outcome).toMatchObject({
      added: 1,
    });
    expect(await importCatalog({ store, folder, now: 200 })).toBeUndefined();
    const rows = await riskImports.getAll(store);
    expect(rows.find(({ source }) => source === 'catalogue')).toMatchObject({ at: 100 });
  });
});

describe('runRisk', () => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await createDatabase('pglite');
    store = await database.open();
  }, 60_000);
  afterAll(() => database?.drop());

  test('default: imports lists and curated facts, and ends when stopped', async () => {
    const stopping = new AbortController();
    const lines: string[] = [];
    const log = {
      info: (fields: object, text: string) => lines.push(`${text} ${JSON.stringify(fields)}`),
      warn: (fields: object, text: string) => lines.push(`${text} ${JSON.stringify(fields)}`),
      error: (fields: object, text: string) => lines.push(`${text} ${JSON.stringify(fields)}`),
    };
    const config = configWith({
      curated: await write('facts.yaml', CURATED),
      sources: {
        protocols: await write('p.json', PROTOCOLS),
        chains: await write('c.json', CHAINS),
        pools: join(folder, 'absent.json'),
      },
    });
    const now = () => Math.floor(Date.now() / 1000);
    const running = runRisk({ config, store, log, now, signal: stopping.signal });
    await expect
      .poll(() => riskRead.findNode(store, 'protocol:beta'), { timeout: 30_000 })
      .toBeDefined();
    stopping.abort();
    await running;
    const node = await riskRead.findNode(store, 'protocol:testing-markets');
    expect(node?.sources).toMatchObject({ upgrades: 'curated', tvlUsd: 'defillama-protocols' });
    expect(lines.join('\n')).toMatch(/a list cannot be read/);
  });
});
