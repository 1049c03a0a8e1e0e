import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../devnet/src/random.ts';
import { LONG } from '../../scripts/test/extents.mjs';
import { type Child, startNode } from '../../server/test/childProcess.ts';
import { PRICE } from '../../server/test/tokenChain.ts';
import { createPayer } from '../src/index.ts';
import { createFileStore } from '../src/node/index.ts';
import type { BuyLine, BuyOptions } from './children/buy.ts';
import { openRealSeller, type RealSeller } from './realSeller.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 20_261_116);
const KILLS = LONG ? 100 : 8;
/** Events of one purchase: a read and three changes of the state, a signature, and two requests, each with start and end. */
const EVENTS = 14;

let seller: RealSeller;
let folder: string;
/** One bundled file, which starts fast: it is started for every kill. */
let program: string;
let made = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-kill-'));
  program = join(folder, 'buy.mjs');
  const input = fileURLToPath(new URL('children/buy.ts', import.meta.url));
  await build({ input, platform: 'node', output: { file: program, codeSplitting: false } });
  seller = await openRealSeller({
    payments: { escalation: null },
    // Each response is different, so a repeated one is recognized.
    answer: async ({ path }) => ({ ...path, made: ++made }),
  });
});
afterAll(async () => {
  await seller?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
});

function start(
  options: Pick<BuyOptions, 'urls' | 'folder' | 'budget'> & Partial<BuyOptions>,
): Child {
  const { allow } = seller.payerOptions(0);
  const key = seller.chain.payers[0]!.privateKey;
  const all: BuyOptions = { allow, key, ...options };
  return startNode(program, JSON.stringify(all));
}

async function linesOf(child: Child): Promise<readonly BuyLine[]> {
  const lines: BuyLine[] = [];
  for (let line = await child.nextLine(); line !== undefined; line = await child.nextLine()) {
    lines.push(JSON.parse(line) as BuyLine);
  }
  return lines;
}

test(
  `behavior: ${KILLS} kills at random (seed ${SEED}): every response arrives, and is paid for once`,
  async () => {
    const random = createRandom(`${SEED}`);
    const spend = join(folder, 'kills');
    // Two purchases per process, and the reservations that a killed process may have left unsigned.
    const budget = { perCall: `${PRICE}`, total: `${PRICE * BigInt(3 * KILLS + 2)}` };
    const before = await seller.earned();
    const urls: string[] = [];
    const had = new Map<string, string>();
    let hits = 0;
    for (let kill = 0; kill <= KILLS; kill++) {
      for (const _ of [1, 2]) urls.push(`${seller.server.url}/api/v1/agent/node/${urls.length}`);
      const wanted = urls.filter((url) => !had.has(url));
      const isLast = kill === KILLS;
      const dieAt = 1 + random.int(EVENTS * Math.min(2, wanted.length));
      const dieLater = random.int(2) === 0 ? 0 : 1 + random.int(40);
      const child = start({
        urls: wanted,
        folder: spend,
        budget,
        ...(!isLast && { dieAt, dieLater }),
      });
      for (const { url, hash, failure } of await linesOf(child)) {
        expect(failure, url).toBe(undefined);
        had.set(url, hash!);
      }
      const code = await child.exit;
      if (isLast) expect(code, child.errors()).toBe(0);
      else if (code === null) hits++;
    }
    expect(hits).toBeGreaterThan(KILLS / 4);
    expect([...had.keys()].sort()).toEqual([...urls].sort());
    expect(new Set(had.values()).size).toBe(urls.length);
    const price = PRICE * BigInt(urls.length);
    expect((await seller.earned()) - before).toBe(price);
    const { spent, open, payments } = await createPayer(
      seller.payerOptions(0, { store: createFileStore(spend) }),
    ).report();
    expect(spent).toBe(price);
    expect(payments.map(({ url }) => url).sort()).toEqual([...urls].sort());
    // A process killed before it signed left a reservation that expires.
    expect(open.filter(({ state }) => state !== 'reserved')).toEqual([]);
  },
  KILLS * 15_000,
);

test('behavior: two processes share one cap', async () => {
  const spend = join(folder, 'shared');
  const budget = { perCall: `${PRICE}`, total: `${5n * PRICE}` };
  const before = await seller.earned();
  const children = ['a', 'b'].map((name) => {
    const urls = [1, 2, 3, 4].map((i) => `${seller.server.url}/api/v1/agent/node/${name}${i}`);
    return start({ urls, folder: spend, budget, together: true });
  });
  const lines = (await Promise.all(children.map(linesOf))).flat();
  expect(lines.filter(({ hash }) => hash !== undefined)).toHaveLength(5);
  expect(lines.filter(({ failure }) => failure === 'over_cap')).toHaveLength(3);
  expect((await seller.earned()) - before).toBe(5n * PRICE);
});
