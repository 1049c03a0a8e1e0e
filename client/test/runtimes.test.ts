import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChromium } from '../../scripts/chromium.ts';
import { PRICE } from '../../server/test/tokenChain.ts';
import type { AuthorizationTypedData } from '../src/index.ts';
import { sendJson, startLocalServer } from './localServer.ts';
import { createPackedProject, type PackedProject } from './packed.ts';
import { allowed, openRealSeller, type RealSeller } from './realSeller.ts';

const EXAMPLES = new URL('../examples/', import.meta.url);
let seller: RealSeller;
let project: PackedProject;
beforeAll(async () => {
  seller = await openRealSeller({
    payments: { escalation: null },
    answer: async ({ path }) => ({ id: path.nodeId, _riskTier: 'B' }),
  });
  project = await createPackedProject();
  for (const name of ['browser.mjs', 'worker.mjs']) {
    await cp(new URL(name, EXAMPLES), join(project.folder, name));
  }
}, 600_000);
afterAll(async () => {
  await project?.remove();
  await seller?.close();
});

/** Returns the amount that the seller earned meanwhile. */
async function earning<Result>(work: () => Promise<Result>) {
  const before = await seller.earned();
  const result = await work();
  return { result, earned: (await seller.earned()) - before };
}

/** A wallet that signs without a confirmation. */
function signFor(key: number, params: readonly unknown[]): Promise<string> {
  const { domain, types, primaryType, message } = JSON.parse(`${params[1]}`);
  const { EIP712Domain: _, ...rest } = types;
  const typed = { domain, types: rest, primaryType, message } as AuthorizationTypedData;
  return privateKeyToAccount(seller.chain.payers[key]!.privateKey).signTypedData(typed);
}

describe('the example for browsers', () => {
  test('default: a page pays with the wallet of the browser', async () => {
    const file = join(project.folder, 'page.js');
    const input = join(project.folder, 'browser.mjs');
    await build({ input, platform: 'browser', output: { file, codeSplitting: false } });
    const site = await startLocalServer(async ({ url }, response) => {
      const isCode = url === '/page.js';
      response.writeHead(200, { 'content-type': isCode ? 'text/javascript' : 'text/html' });
      response.end(isCode ? await readFile(file) : '<!doctype html>');
    });
    const browser = await openChromium();
    try {
      const page = await browser.newPage();
      await page.exposeFunction('wallet', ({ method, params }: Record<string, unknown[]>) =>
        `${method}` === 'eth_requestAccounts'
          ? [seller.chain.payers[2]!.address]
          : signFor(2, params!),
      );
      await page.goto(site.url);
      const options = {
        url: seller.server.url,
        nodeId: 'page',
        allow: allowed(seller.chain, seller.server.url),
      };
      const { result, earned } = await earning(() =>
        page.evaluate(
          `import('/page.js').then(({ buyGrade }) =>
            buyGrade({ ...${JSON.stringify(options)}, provider: { request: window.wallet } }))`,
        ),
      );
      expect(result).toMatchObject({
        data: { id: 'page' },
        transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      });
      expect(earned).toBe(PRICE);
    } finally {
      await browser.close();
      await site.close();
    }
  }, 600_000);
});

describe('the example for workers', () => {
  test('default: equal requests at once are paid once, and the spend is in the storage', async () => {
    const signer = await startLocalServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      sendJson(response, { result: await signFor(3, JSON.parse(body).params) });
    });
    try {
      const { default: worker, Buyer } = await import(
        pathToFileURL(join(project.folder, 'worker.mjs')).href
      );
      const storage = createStorage();
      const buyer = new Buyer(
        { storage },
        {
          API_URL: seller.server.url,
          ALLOW: JSON.stringify(allowed(seller.chain, seller.server.url)),
          SIGNER_URL: signer.url,
          SIGNER_ADDRESS: seller.chain.payers[3]!.address,
        },
      );
      const env = { BUYER: { idFromName: (name: string) => name, get: () => buyer } };
      const ask = async (): Promise<{ id: string }> =>
        (await worker.fetch(new Request('https://worker.example/?node=worker'), env)).json();
      const { result, earned } = await earning(() => Promise.all([ask(), ask()]));
      expect(result.map(({ id }) => id)).toEqual(['worker', 'worker']);
      expect(earned).toBe(PRICE);
      expect((await storage.list({ prefix: 'record ' })).size).toBe(1);
    } finally {
      await signer.close();
    }
  });
});

/** Models the storage of a Durable Object, which exists only on its platform. */
function createStorage() {
  const values = new Map<string, unknown>();
  let last: Promise<unknown> = Promise.resolve();
  const storage = {
    get: async (key: string) => structuredClone(values.get(key)),
    put: async (key: string, value: unknown) => void values.set(key, structuredClone(value)),
    list: async ({ prefix }: { readonly prefix: string }) =>
      new Map([...values].filter(([key]) => key.startsWith(prefix))),
    transaction<Result>(work: (transaction: object) => Promise<Result>): Promise<Result> {
      const running = last.then(() => work(storage));
      last = running.catch(() => {});
      return running;
    },
  };
  return storage;
}
