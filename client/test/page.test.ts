import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChromium } from '../../scripts/chromium.ts';
import { PRICE } from '../../server/test/tokenChain.ts';
import { type LocalServer, startLocalServer } from './localServer.ts';
import { addPackage, createPackedProject, type PackedProject } from './packed.ts';
import { allowed, openRealSeller, type RealSeller } from './realSeller.ts';

const run = promisify(execFile);
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html' };
const PAGE = `<!doctype html><script type="importmap">
{ "imports": {
  "@assay/client": "/node_modules/@assay/client/dist/index.js",
  "@assay/client/browser": "/node_modules/@assay/client/dist/browser/index.js",
  "viem/accounts": "/accounts.js"
} }
</script>`;

let seller: RealSeller;
let project: PackedProject;
let site: LocalServer;
let browser: Browser;
let context: BrowserContext;
/** While set, the server holds its response. */
let held: Promise<void> | undefined;
let working = 0;

beforeAll(async () => {
  seller = await openRealSeller({
    payments: { escalation: null },
    async answer({ path }) {
      working++;
      await held;
      return { id: path.nodeId };
    },
  });
  project = await createPackedProject();
  await addPackage(project, 'viem');
  await cp(new URL('pageProgram.js', import.meta.url), join(project.folder, 'pageProgram.js'));
  await project.write('page.html', PAGE);
  const input = await project.write(
    'signer.js',
    `export { privateKeyToAccount } from 'viem/accounts';`,
  );
  const file = join(project.folder, 'accounts.js');
  await build({ input, platform: 'browser', output: { file, codeSplitting: false } });
  site = await startLocalServer(async ({ url }, response) => {
    const text = await readFile(join(project.folder, url!)).catch(() => undefined);
    if (text) response.writeHead(200, { 'content-type': TYPES[extname(url!)] ?? '' }).end(text);
    else response.writeHead(404).end();
  });
  browser = await openChromium();
  context = await browser.newContext();
  // On a new machine, the browser is installed first.
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await project?.remove();
  await seller?.close();
});

const settings = (key: number, more: object = {}) => ({
  url: seller.server.url,
  key: seller.chain.payers[key]!.privateKey,
  allow: allowed(seller.chain, seller.server.url),
  ...more,
});

async function openPage(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${site.url}/page.html`);
  return page;
}

/** Calls a function of the program in a page. Passed as text, because the test runner rewrites imports in functions. */
function call(page: Page, options: object, name: string, argument = ''): Promise<unknown> {
  return page.evaluate(`import('/pageProgram.js').then(({ createProgram }) =>
    createProgram(${JSON.stringify(options)}).${name}(${JSON.stringify(argument)}))`);
}

describe('the packed client', () => {
  const sold = (nodeId: string) => ({
    chains: [],
    id: nodeId,
    paid: `${PRICE}`,
    transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    spent: `${PRICE}`,
    payments: 1,
  });

  test('default: a program reads and pays in Node', async () => {
    const code = `const { createProgram } = await import('./pageProgram.js');
      console.log(JSON.stringify(await createProgram(JSON.parse(process.argv[1])).readAndBuy('node')));`;
    const args = ['--input-type=module', '-e', code, JSON.stringify(settings(0))];
    const { stdout } = await run(process.execPath, args, { cwd: project.folder });
    expect(JSON.parse(stdout)).toEqual(sold('node'));
  });

  test('default: the same program reads and pays in a page of another origin', async () => {
    const page = await openPage();
    expect(await call(page, settings(1), 'readAndBuy', 'page')).toEqual(sold('page'));
    await page.close();
  });

  test('behavior: pages of an origin share one cap in IndexedDB', async () => {
    const options = settings(2, { store: 'shared', total: Number(5n * PRICE) });
    const before = await seller.earned();
    const pages = await Promise.all([openPage(), openPage()]);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => call(pages[i % 2]!, options, 'buy', `shared${i}`)),
    );
    expect(answers.filter((answer) => 'id' in (answer as object))).toHaveLength(5);
    expect(answers.filter((answer) => 'failure' in (answer as object))).toEqual(
      Array(3).fill({ failure: 'over_cap' }),
    );
    expect((await seller.earned()) - before).toBe(5n * PRICE);
    expect(await call(pages[0]!, options, 'spent')).toEqual({
      spent: `${5n * PRICE}`,
      reserved: '0',
      payments: 5,
    });
    for (const page of pages) await page.close();
  });

  test('behavior: a page that is closed while it pays gets its response when it is opened again', async () => {
    const options = settings(3, { store: 'closed' });
    const before = await seller.earned();
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    const from = working;
    const page = await openPage();
    const cut = call(page, options, 'buy', 'closed').catch(() => 'closed');
    await expect.poll(() => working).toBe(from + 1);
    await page.close();
    expect(await cut).toBe('closed');
    release();
    held = undefined;
    const again = await openPage();
    expect(await call(again, options, 'buy', 'closed')).toEqual({ id: 'closed' });
    expect(await call(again, options, 'spent')).toMatchObject({ spent: `${PRICE}`, reserved: '0' });
    expect((await seller.earned()) - before).toBe(PRICE);
    await again.close();
  });
});
