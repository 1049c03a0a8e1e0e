import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { type OutputChunk, rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programOf, TYPED_PAGES } from '../../scripts/docSnippets.ts';
import {
  addPackage,
  createPackedProject,
  installedIn,
  type PackedProject,
  packUnbuiltClone,
  typeCheck,
} from './packed.ts';

const run = promisify(execFile);
const MOST_BYTES = 12_000;

/** Uses every part, with types that only hold when the package's own do. */
const CONSUMER = `
import {
  type AssayError, type Bought, createClient, createIndexedDbStore, createMemoryStore, createPayer, getPerformance,
  getVault, historyItems, isAssayError, listVaults, agentNode, type RiskNode, type Signer, type SpendStore,
} from '@assay/client';
import { createFileStore } from '@assay/client/node';

const client = createClient({ url: 'https://api.example.com' });
export const tvl: string = (await getVault(client, { slug: 'svcusd' })).stats.tvl;
export const exact: bigint = (await getVault(client, { slug: 'svcusd', amounts: 'bigint' })).stats.tvl;
export const names: string[] = (await listVaults(client)).map(({ name }) => name);
const { families } = await getPerformance(client, { walletAddress: '0x', amounts: 'bigint' });
export const gain: bigint | null | undefined = families[0]?.unrealized;
for await (const item of historyItems(client, { family: 'svcusd', amounts: 'bigint' })) {
  const assets: bigint | null = item.assets;
  console.log(assets);
}
const signer: Signer = { address: '0x', signTypedData: async ({ message }) => String(message.value) };
const stores: SpendStore[] = [createMemoryStore(), createIndexedDbStore(), createFileStore('spend')];
const payer = createPayer({
  signer,
  store: stores[0]!,
  budget: { perCall: 1n, total: 2n, perHost: 3n, perPeriod: { amount: 1n, seconds: 60 } },
  allow: { networks: [], assets: [], recipients: [], hosts: [] },
});
try {
  const bought: Bought<RiskNode> = await agentNode(client, payer, { nodeId: 'x', signal: AbortSignal.timeout(1) });
  const grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F' = bought.answer._riskTier;
  console.log(grade, bought.payment?.receipt?.transaction);
} catch (error) {
  if (isAssayError(error, 'over_cap')) console.log(error.limit - error.used);
  const any: AssayError | undefined = isAssayError(error) ? error : undefined;
  if (any?.type === 'problem') console.log(any.status, any.problem.detail);
}
// @ts-expect-error: it has no slug
await getVault(client);
// @ts-expect-error: amounts are text unless asked for
export const wrong: bigint = (await getVault(client, { slug: 'x' })).stats.tvl;
`;

let project: PackedProject;
beforeAll(async () => {
  project = await createPackedProject();
  await project.write('consumer.ts', CONSUMER);
});
afterAll(() => project?.remove());

describe('the package', () => {
  test('default: nothing but itself is installed', async () => {
    expect(await installedIn(project)).toEqual(['@assay']);
    const others = project.files.filter((name) => !/^dist\/[\w/]+\.(js|d\.ts)$/.test(name));
    expect(others).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(project.files.join()).not.toContain('test');
  });

  test('behavior: npm pack in an unbuilt clone compiles it first', async () => {
    expect(await packUnbuiltClone()).toEqual(project.files);
  });

  test('behavior: only the packed client can be published', async () => {
    const readManifest = async (folder: string | URL) =>
      JSON.parse(await readFile(new URL('package.json', folder), 'utf8'));
    expect(await readManifest(new URL('../', import.meta.url))).toMatchObject({ private: true });
    const packed = await readManifest(pathToFileURL(`${project.client}/`));
    for (const key of ['private', 'scripts', 'devDependencies']) {
      expect(packed).not.toHaveProperty(key);
    }
  });

  test.each([
    [5, 'nodenext'],
    [7, 'nodenext'],
    [7, 'bundler'],
  ] as const)(
    'behavior: TypeScript %d checks it under strict (%s)',
    async (compiler, resolution) => {
      const module = resolution === 'bundler' ? 'esnext' : 'nodenext';
      const options = ['--module', module, '--moduleResolution', resolution];
      const more = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', 'consumer.ts'];
      expect(await typeCheck(project, compiler, [...options, ...more])).toBe('');
    },
  );

  test('behavior: so do the snippets of the pages, with an account of viem', async () => {
    await addPackage(project, 'viem');
    await addPackage(project, '@types/node');
    for (const [i, page] of TYPED_PAGES.entries())
      await project.write(`page${i}.ts`, programOf(page));
    const files = TYPED_PAGES.map((_, i) => `page${i}.ts`);
    const options = ['--module', 'nodenext', '--skipLibCheck', '--types', 'node'];
    expect(await typeCheck(project, 7, [...options, ...files])).toBe('');
  });

  test('behavior: it runs as it was installed', async () => {
    const file = await project.write(
      'program.js',
      `import { createClient, getStatus, isAssayError } from '@assay/client';
       import { createFileStore } from '@assay/client/node';
       const client = createClient({ url: 'http://127.0.0.1:9', timeoutMs: 5000 });
       const error = await getStatus(client).catch((caught) => caught);
       console.log(isAssayError(error, 'network'), typeof createFileStore('x').transact);`,
    );
    const { stdout } = await run(process.execPath, [file]);
    expect(stdout).toBe('true function\n');
  });
});

async function bundle(code: string, format: 'esm' | 'iife' = 'esm'): Promise<OutputChunk> {
  const input = await project.write('entry.js', code);
  const build = await rolldown({ input });
  const { output } = await build.generate({ format, name: 'bundled', minify: true });
  return output[0];
}

function modulesOf({ modules }: OutputChunk): string[] {
  return Object.entries(modules)
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .map(([id]) => id.split('/dist/')[1] ?? '');
}

describe('its size', () => {
  test('default: all of it, without a signer', async () => {
    const whole = await bundle(`export * from '@assay/client';`);
    expect(modulesOf(whole)).toContain('pay/payer.js');
    expect(gzipSync(whole.code).length).toBeLessThan(MOST_BYTES);
  });

  test('behavior: a page that only reads vaults pulls none of the paying code', async () => {
    const reading = await bundle(
      `import { createClient, getPerformance, getVault, historyItems, listVaults } from '@assay/client';
       export const page = [createClient, getPerformance, getVault, historyItems, listVaults];`,
    );
    expect(modulesOf(reading)).toContain('read/actions.js');
    expect(modulesOf(reading).filter((id) => id.startsWith('pay/'))).toEqual([]);
    expect(reading.code).not.toMatch(/payment|signTypedData/i);
    // What it does not use is not there either.
    expect(reading.code).not.toContain('pending-redeems');
  });

  test('behavior: it needs nothing that only Node has', async () => {
    const { code } = await bundle(`export * from '@assay/client';`, 'iife');
    const asked: string[] = [];
    const web = {
      AbortController,
      URL,
      TextEncoder,
      TextDecoder,
      crypto,
      atob,
      btoa,
      performance,
      setTimeout,
      clearTimeout,
      fetch: async (url: string) => {
        asked.push(url);
        return new Response('[]', { headers: { etag: '"x"' } });
      },
    };
    const result = runInContext(
      `${code}; (async () => {
         const client = bundled.createClient({ url: 'https://api.example.com' });
         const store = bundled.createMemoryStore();
         const allow = { networks: [], assets: [], recipients: [], hosts: ['api.example.com'] };
         const signer = { address: '0x' + '1'.repeat(40), signTypedData: async () => '0x' };
         const budget = { perCall: 1n, total: 1n };
         const payer = bundled.createPayer({ signer, store, allow, budget });
         const { payment } = await bundled.agentSchema(client, payer);
         return JSON.stringify([await bundled.listVaults(client), payment]);
       })()`,
      createContext(web),
    );
    expect(await result).toBe('[[],null]');
    expect(asked).toEqual([
      'https://api.example.com/api/v1/agent/schema',
      'https://api.example.com/v1/vaults',
    ]);
  });

  test('behavior: the package names no dependency', async () => {
    const text = await readFile(join(project.client, 'package.json'), 'utf8');
    expect(JSON.parse(text)).not.toHaveProperty('dependencies');
    expect(JSON.parse(text).peerDependenciesMeta).toEqual({ viem: { optional: true } });
  });
});
