import { describe, expect, test } from 'vitest';
import { createChainLog } from './chainLog.ts';
import type { FamilyRows, Step } from './read/step.ts';

/** A log of one chain, with its lines in order. */
function start() {
  const lines: string[] = [];
  const add = (level: string) => (_fields: object, message: string) => {
    lines.push(`${level}: ${message.replace(/ on chain.*/, '')}`);
  };
  const log = createChainLog({ warn: add('warn'), info: add('info') }, 8453);
  let block = 0;
  /** Logs a step of one family with this many ticks. */
  function step(family: string, state: { isPruned?: boolean; ticks?: number } = {}): void {
    block += 10;
    const { isPruned = false, ticks = 0 } = state;
    const reader = { familyId: family.length, source: { family: { slug: family } } };
    const rows = { reader, isPruned, ticks: Array(ticks).fill({}) } as unknown as FamilyRows;
    const to = { number: block, time: block * 2 } as Step['to'];
    log.step({ fromBlock: block - 9, fromTime: block * 2 - 20, to, families: [rows] });
  }
  return { lines, step, unreachable: log.unreachable };
}

describe('createChainLog', () => {
  test('default: each outage of a family has one line at its start and one at its end', () => {
    const { lines, step } = start();
    for (let outage = 0; outage < 2; outage++) {
      step('steady', { isPruned: true });
      step('steady', { isPruned: true, ticks: 1 });
      step('steady');
      step('steady', { ticks: 2 });
      step('steady', { ticks: 2 });
    }
    const once = ['warn: Gap in steady', 'info: contract state can be read again'];
    expect(lines).toEqual([...once, ...once]);
  });

  test('behavior: families have their own outages', () => {
    const { lines, step } = start();
    step('a', { isPruned: true });
    step('bb', { isPruned: true });
    step('a', { ticks: 1 });
    step('bb', { isPruned: true });
    expect(lines).toEqual([
      'warn: Gap in a',
      'warn: Gap in bb',
      'info: contract state can be read again',
    ]);
  });

  test('behavior: a chain that cannot be read has one line for each reason, until it can', () => {
    const { lines, step, unreachable } = start();
    const said = 'warn: the chain cannot be read';
    for (let i = 0; i < 3; i++) {
      unreachable('rpc 1 did not answer in time');
      unreachable('rpc 2 did not answer in time');
    }
    expect(lines).toEqual([said]);
    unreachable('rpc 2 answered with an HTTP error 503');
    step('steady');
    expect(lines).toEqual([said, said, 'info: the chain is reachable again']);
    unreachable('rpc 1 did not answer in time');
    expect(lines.at(-1)).toBe(said);
  });
});
