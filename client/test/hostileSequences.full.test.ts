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

const SEED = Number(process.env.ASSAY_SEED ?? 20_261_118);
const SEQUENCES = Number(process.env.ASSAY_SEQUENCES ?? (LONG ? 1_000 : 24));
/** Sequences at a time: a sequence mostly waits for sellers that do not respond. */
const AT_ONCE = 8;
/** Maximum number of sequences without a store until a response is charged twice. */
const FORGETFUL = 40;

let chain: TokenChain;
let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-sequences-'));
  program = join(folder, 'buyWants.mjs');
  const input = fileURLToPath(new URL('children/buyWants.ts', import.meta.url));
  await build({ input, platform: 'node', output: { file: program, codeSplitting: false } });
  chain = await createTokenChain();
});
afterAll(async () => {
  await chain?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs sequences with these numbers, in any order, until one makes `isEnough` true. */
async function runAll(
  count: number,
  forgets: boolean,
  isEnough: (end: SequenceEnd, number: number) => boolean,
): Promise<void> {
  let next = 0;
  let isOver = false;
  await Promise.all(Array.from({ length: AT_ONCE }, runSome));

  async function runSome(): Promise<void> {
    while (next < count && !isOver) {
      const number = next++;
      const spend = join(folder, `${forgets}${number}`);
      const seed = `${SEED} ${number}`;
      const end = await runSequence({ seed, chain, program, folder: spend, forgets });
      isOver ||= isEnough(end, number);
    }
  }
}

test('default: at least 60 hostile behaviors', () => {
  const names = [...Object.keys(AFTER_PAYMENT), ...Object.keys(BEFORE_PAYMENT)];
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(60);
});

test(
  `behavior: ${SEQUENCES} sequences of calls, processes, and kills (seed ${SEED}): one charge for each response, and no cap exceeded`,
  async () => {
    const sums = { kills: 0, had: 0, charges: 0 };
    const modes = new Set<string>();
    const violations: Record<number, readonly string[]> = {};
    const started = performance.now();
    await runAll(SEQUENCES, false, (end, number) => {
      if (end.violations.length > 0) violations[number] = end.violations;
      for (const mode of end.modes) modes.add(mode);
      for (const name of ['kills', 'had', 'charges'] as const) sums[name] += end[name];
      return false;
    });
    const each = Math.round((performance.now() - started) / SEQUENCES);
    console.log(
      `${SEQUENCES} sequences, ${each} ms each, ${modes.size} modes: ${JSON.stringify(sums)}`,
    );
    expect(violations).toEqual({});
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
  let isTwice = false;
  await runAll(FORGETFUL, true, ({ violations }) => {
    isTwice ||= violations.some((text) => /charged [2-9] times/.test(text));
    return isTwice;
  });
  expect(isTwice).toBe(true);
}, 600_000);
