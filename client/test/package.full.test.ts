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
import { examplesProgram } from './listExamples.ts';
import {
  addPackage,
  createPackedProject,
  installedIn,
  type PackedProject,
  packUnbuiltClone,
  typeCheck,
} from './packed.ts';

const run = promisify(execFile);
const MAX_BYTES = 12 * 1024;

/** Uses every entry. Compiles only if the package's types are right. */
const CONSUMER = `
import {
  type AssayError, type PurchaseResult, createClient, createMemoryStore, createPayer, getPerformance,
  getVault, historyItems, isAssayError, listVaults, agentNode, type RiskNode, type Signer, type SpendStore,
} from '@assay/client';
import { createIndexedDbStore } from '@assay/client/browser';
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
  const bought: PurchaseResult<RiskNode> = await agentNode(client, payer, { nodeId: 'x', signal: AbortSignal.timeout(1) });
  const grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F' = bought.answer._riskTier;
  console.log(grade, bought.payment?.receipt?.transaction);
} catch (error) {
  if (isAssayError(error, 'over_cap')) console.log(error.limit - error.used);
  const any: AssayError | undefined = isAssayError(error) ? error : undefined;
  if (any?.type === 'problem') console.log(any.status, any.problem.detail);
}
// @ts-expect-error: it has no slug
await getVault(client);
// @ts-expect-error: amounts are text unless requested
export const wrong: bigint = (await getVault(client, { slug: 'x' })).stats.tvl;
`;

/** The imports that also work in a program that is not a module. */
const COMMON_CONSUMER = `
${CONSUMER.slice(0, CONSUMER.indexOf('const client = '))}
import { withHooks } from '@assay/client/hooks';
import { decryptKeystore } from '@assay/client/keystore';
import { withPolicy } from '@assay/client/policies';
import { createRpcSigner } from '@assay/client/signer';
import { watch } from '@assay/client/watch';

const client = createClient({ url: 'https://api.example.com' });
export const tvl: Promise<string> = getVault(client, { slug: 'svcusd' }).then(({ stats }) => stats.tvl);
export const used: unknown[] = [
  createIndexedDbStore, createMemoryStore, createPayer, getPerformance, historyItems, isAssayError, listVaults, agentNode,
  createFileStore, withHooks, decryptKeystore, withPolicy, createRpcSigner, watch,
];
export type Used = [AssayError, PurchaseResult<RiskNode>, Signer, SpendStore];
`;

/** The exports of each entry, from the source. */
const ENTRIES = {
  '': import('../src/index.ts'),
  '/hooks': import('../src/hooks/index.ts'),
  '/policies': import('../src/policies/index.ts'),
  '/signer': import('../src/signer/index.ts'),
  '/watch': import('../src/watch/index.ts'),
  '/browser': import('../src/browser/index.ts'),
  '/keystore': import('../src/keystore/index.ts'),
  '/node': import('../src/node/index.ts'),
};

let project: PackedProject;
beforeAll(async () => {
  project = await createPackedProject();
  await project.write('consumer.ts', CONSUMER);
  await project.write('consumer.cts', COMMON_CONSUMER);
});
afterAll(() => project?.remove());

describe('the package', () => {
  test('default: installs no other package', async () => {
    expect(await installedIn(project)).toEqual(['@assay']);
    const others = project.files.filter((name) => !/^dist\/[\w/]+\.(js|d\.ts)$/.test(name));
    expect(others).toEqual(['LICENSE', 'README.md', 'dist/cjs/package.json', 'package.json']);
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

  // Files with the extension cts are CommonJS, the others ES modules.
  test.each([
    [5, 'nodenext', 'nodenext', ['consumer.ts', 'consumer.cts']],
    [5, 'node16', 'node16', ['consumer.ts', 'consumer.cts']],
    [5, 'node10', 'esnext', ['consumer.ts']],
    [5, 'node10', 'commonjs', ['consumer.cts']],
    [5, 'bundler', 'esnext', ['consumer.ts']],
    [7, 'nodenext', 'nodenext', ['consumer.ts', 'consumer.cts']],
    [7, 'bundler', 'esnext', ['consumer.ts']],
  ] as const)(
    'behavior: TypeScript %d checks it under strict (%s, %s): %s',
    async (compiler, resolution, module, files) => {
      const options = ['--module', module, '--moduleResolution', resolution];
      const more = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', ...files];
      expect(await typeCheck(project, compiler, [...options, ...more])).toBe('');
    },
  );

  test('behavior: require loads every entry', async () => {
    const file = await project.write(
      'program.cjs',
      `const names = ${JSON.stringify(Object.keys(ENTRIES))};
       const found = names.map((name) => require('@assay/client' + name));
       console.log(JSON.stringify(found.map((entry) => Object.keys(entry).sort())));`,
    );
    const { stdout } = await run(process.execPath, ['--no-experimental-require-module', file]);
    const modules = await Promise.all(Object.values(ENTRIES));
    expect(JSON.parse(stdout)).toEqual(modules.map((entry) => Object.keys(entry).sort()));
  });

  test('behavior: TypeScript also checks the snippets of the pages and the examples, with a viem account', async () => {
    await addPackage(project, 'viem');
    await addPackage(project, '@types/node');
    for (const [i, page] of TYPED_PAGES.entries())
      await project.write(`page${i}.ts`, programOf(page));
    const names = Object.keys(ENTRIES);
    const modules = await Promise.all(Object.values(ENTRIES));
    const entries = Object.fromEntries(names.map((name, i) => [name, modules[i]!]));
    await project.write('examples.ts', examplesProgram(entries));
    const files = [...TYPED_PAGES.map((_, i) => `page${i}.ts`), 'examples.ts'];
    const options = ['--module', 'nodenext', '--skipLibCheck', '--types', 'node'];
    expect(await typeCheck(project, 7, [...options, ...files])).toBe('');
  });

  test('behavior: the installed package runs', async () => {
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
  test('default: the complete package, without a signer', async () => {
    const whole = await bundle(`export * from '@assay/client';`);
    expect(modulesOf(whole)).toContain('pay/payer.js');
    expect(gzipSync(whole.code).length).toBeLessThan(MAX_BYTES);
  });

  test('behavior: a page that only reads vaults contains no payment code', async () => {
    const reading = await bundle(
      `import { createClient, getPerformance, getVault, historyItems, listVaults } from '@assay/client';
       export const page = [createClient, getPerformance, getVault, historyItems, listVaults];`,
    );
    expect(modulesOf(reading)).toContain('read/actions.js');
    expect(modulesOf(reading).filter((id) => id.startsWith('pay/'))).toEqual([]);
    expect(reading.code).not.toMatch(/payment|signTypedData/i);
    // Unused routes are not included either.
    expect(reading.code).not.toContain('pending-redeems');
  });

  test('behavior: it uses no Node API', async () => {
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

  test('behavior: the package has no dependency', async () => {
    const text = await readFile(join(project.client, 'package.json'), 'utf8');
    expect(JSON.parse(text)).not.toHaveProperty('dependencies');
    expect(JSON.parse(text).peerDependenciesMeta).toEqual({ viem: { optional: true } });
  });
});
