import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LONG } from '../../scripts/test/extents.mjs';
import { createTokenChain, type TokenChain } from '../../server/test/tokenChain.ts';
import { AFTER_PAYMENT, BEFORE_PAYMENT } from './hostileModes.ts';
import { runSequence, type SequenceEnd } from './hostileSequence.ts';
import { type LocalServer, startLocalServer } from './localServer.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 20_261_118);
const SEQUENCES = Number(process.env.ASSAY_SEQUENCES ?? (LONG ? 1_000 : 12));
/** Maximum number of sequences without a store until a response is charged twice. */
const FORGETFUL = 40;

let chain: TokenChain;
let elsewhere: LocalServer;
let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-sequences-'));
  program = join(folder, 'buyWants.mjs');
  const input = fileURLToPath(new URL('children/buyWants.ts', import.meta.url));
  await build({ input, platform: 'node', output: { file: program, codeSplitting: false } });
  chain = await createTokenChain();
  elsewhere = await startLocalServer((_, response) => void response.writeHead(200).end('{}'));
});
afterAll(async () => {
  await elsewhere?.close();
  await chain?.close();
  await rm(folder, { recursive: true, force: true });
});

function run(number: number, forgets = false): Promise<SequenceEnd> {
  const spend = join(folder, `${forgets}${number}`);
  const seed = `${SEED} ${number}`;
  return runSequence({ seed, chain, elsewhere, program, folder: spend, forgets });
}

test('default: at least 60 ways to be hostile', () => {
  const names = [...Object.keys(AFTER_PAYMENT), ...Object.keys(BEFORE_PAYMENT)];
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(60);
});

test(
  `behavior: ${SEQUENCES} sequences of calls, processes and kills (seed ${SEED}): one charge for each answer, and no cap exceeded`,
  async () => {
    const sums = { kills: 0, had: 0, charges: 0 };
    const modes = new Set<string>();
    for (let number = 0; number < SEQUENCES; number++) {
      const end = await run(number);
      expect(end.violations, `sequence ${number}`).toEqual([]);
      for (const mode of end.modes) modes.add(mode);
      for (const name of ['kills', 'had', 'charges'] as const) sums[name] += end[name];
    }
    console.log(`${SEQUENCES} sequences, ${modes.size} modes: ${JSON.stringify(sums)}`);
    // Kills happen, responses are delivered, and the seller settles what it can.
    expect(sums.kills).toBeGreaterThan(SEQUENCES / 2);
    expect(sums.had).toBeGreaterThan(SEQUENCES / 2);
    expect(sums.charges).toBeGreaterThan(SEQUENCES);
    if (SEQUENCES >= 200) {
      expect([...modes].sort()).toEqual(
        [...Object.keys(AFTER_PAYMENT), ...Object.keys(BEFORE_PAYMENT), 'honest'].sort(),
      );
    }
  },
  SEQUENCES * 60_000,
);

test('behavior: without the store, the same sellers charge a response twice', async () => {
  for (let number = 0; number < FORGETFUL; number++) {
    const { violations } = await run(number, true);
    if (violations.some((text) => /charged [2-9] times/.test(text))) return;
  }
  throw new Error('nothing was charged twice');
}, 600_000);
