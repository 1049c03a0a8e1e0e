import { describe, expect, test } from 'vitest';
import { createProgress } from './progress.ts';
import { type ChainProgress, fractionDone, renderBars } from './progressText.ts';

const base: ChainProgress = {
  chainId: 8453,
  name: 'base',
  state: 'syncing',
  startBlock: 100,
  indexedBlock: 149,
  targetBlock: 199,
  error: null,
};
const others = [
  { ...base, chainId: 1, name: 'ethereum', state: 'live' as const },
  { ...base, chainId: 10, name: 'optimism', state: 'unconfigured' as const, indexedBlock: null },
  {
    ...base,
    chainId: 5,
    name: 'goerli',
    state: 'unreachable' as const,
    error: 'no\nanswer\x1b[2J',
  },
];
const lines = [base, ...others].map((chain) => ({ ...chain, secondsLeft: 90 }));

describe('fractionDone', () => {
  test('default', () => {
    expect(fractionDone(base)).toBe(0.5);
  });

  test('behavior: unknown, before the start, at and past the target', () => {
    expect(fractionDone({ ...base, targetBlock: null })).toBe(null);
    expect(fractionDone({ ...base, indexedBlock: 5 })).toBe(0);
    expect(fractionDone({ ...base, indexedBlock: 199 })).toBe(1);
    expect(fractionDone({ ...base, indexedBlock: 300 })).toBe(1);
  });

  test('behavior: all but one block of many is less than 100%', () => {
    expect(fractionDone({ ...base, indexedBlock: 9e8 - 1, targetBlock: 9e8 })).toBeLessThan(1);
  });
});

describe('renderBars', () => {
  test('default', () => {
    expect(renderBars(lines, { columns: 79, rows: 24 }).join('\n')).toMatchInlineSnapshot(`
      "base      [========         ]   50.0%  syncing at block 149 of 199, 2 min left
      ethereum  live at block 149
      optimism  not configured: no RPC URL
      goerli    unreachable at block 149: no answer [2J"
    `);
  });

  test('behavior: never wider than the terminal', () => {
    for (let columns = 1; columns <= 120; columns++) {
      for (const line of renderBars(lines, { columns, rows: 24 })) {
        expect(line.length).toBeLessThanOrEqual(columns);
      }
    }
  });

  test('behavior: never higher than the terminal', () => {
    expect(renderBars(lines, { columns: 30, rows: 4 }).at(-1)).toBe('… and 2 more');
    expect(renderBars(lines, { columns: 30, rows: 1 })).toHaveLength(1);
  });
});

function screen(bars: boolean, lines = bars) {
  const written: string[] = [];
  const logged: string[] = [];
  let time = 0;
  const stream = {
    isTTY: bars,
    columns: 60,
    rows: 24,
    write: (text: string) => written.push(text),
  };
  const output = { isTTY: lines, write: (text: string) => logged.push(text) };
  const progress = createProgress({ stream, output, now: () => time });
  return { progress, written, logged, pass: (ms: number) => (time += ms) };
}

describe('createProgress', () => {
  test('default: a terminal is redrawn in place', () => {
    const { progress, written, pass } = screen(true);
    progress.update([base]);
    pass(1_000);
    progress.update([{ ...base, indexedBlock: 159 }]);
    progress.end();
    expect(written[0]).not.toContain('\x1b');
    const bar = 'base   60.0%  syncing at block 159 of 199, 4 s left';
    expect(written[1]).toBe(`\x1b[1A\x1b[0J${bar}\n`);
  });

  test('behavior: frames are limited, a change of state is shown at once', () => {
    const { progress, written, pass } = screen(true);
    progress.update([base]);
    pass(10);
    progress.update([{ ...base, indexedBlock: 150 }]);
    expect(written).toHaveLength(1);
    progress.update([{ ...base, state: 'live' }]);
    expect(written).toHaveLength(2);
  });

  test('behavior: on one terminal the lines of the log go above the bars', () => {
    const { progress, written, logged } = screen(true);
    progress.print('first');
    expect(written).toEqual([]);
    progress.update([base]);
    progress.print('second');
    expect(logged).toEqual(['first\n', 'second\n']);
    expect(written.slice(1)).toEqual(['\x1b[1A\x1b[0J', expect.stringMatching(/^base /)]);
  });

  test('behavior: a log that goes elsewhere leaves the bars alone', () => {
    const { progress, written, logged } = screen(true, false);
    progress.update([base]);
    progress.print('line');
    expect(logged).toEqual(['line\n']);
    expect(written).toHaveLength(1);
  });

  test('behavior: without a terminal, prints only the log', () => {
    const { progress, written, logged, pass } = screen(false);
    progress.update([base]);
    pass(60_000);
    progress.update([{ ...base, state: 'unreachable', error: 'timed out' }]);
    progress.print('line');
    progress.end();
    expect(written).toEqual([]);
    expect(logged).toEqual(['line\n']);
  });

  test('behavior: prints nothing after the end', () => {
    const { progress, written } = screen(true);
    progress.end();
    progress.update([base]);
    expect(written).toEqual([]);
  });
});
