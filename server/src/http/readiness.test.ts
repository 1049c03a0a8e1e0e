import { describe, expect, test } from 'vitest';
import { describeEachEngine } from '../../test/database.ts';
import type { FamilyGap } from '../store/gaps/familyGaps.ts';
import { StoreUnavailable } from '../store/storeUnavailable.ts';
import { createReadyMark, readinessOf } from './readiness.ts';
import type { SourceStatus } from './sourceStatus.ts';
import type { ChainStatus } from './status.ts';

function family(name: string, change: Partial<SourceStatus> = {}): SourceStatus {
  return {
    ...{ kind: 'family', name, state: 'current', error: null, families: [name], gaps: [] },
    ...change,
  };
}

function feedOf(...families: string[]): SourceStatus {
  return { ...family('usd'), kind: 'feed', families };
}

function chain(chainId: number, change: Partial<ChainStatus> = {}): ChainStatus {
  return {
    ...{ chainId, name: `chain-${chainId}`, state: 'live', backfilled: true, sources: [] },
    ...{ head: 120, finalized: 100, indexedBlock: 118, lagSeconds: 1, lastError: null },
    updatedAt: 1_700_000_000,
    ...change,
  };
}

const unfinished = { state: 'unreachable', backfilled: false } as const;

const gap: FamilyGap = {
  ...{ familyId: 1, family: 'a', chainId: 1, reason: 'state', initial: true },
  ...{ fromBlock: 11, toBlock: 20, fromTime: 100, toTime: 200, foundAt: 300, requestedAt: null },
};

describe('readinessOf', () => {
  test('default', () => {
    const statuses = [chain(1, { sources: [family('a')] }), chain(2, { state: 'syncing' })];
    expect(readinessOf(statuses)).toEqual({ ready: true, missing: [] });
  });

  test('behavior: waits for the first backfill of each chain, regardless of the reason for a delay', () => {
    const states = ['syncing', 'live', 'unreachable'] as const;
    for (const state of states) {
      const one = chain(1, { state, backfilled: false, sources: [family('a')] });
      expect(readinessOf([one, chain(2)])).toMatchObject({
        ready: false,
        missing: [{ chainId: 1, family: null }],
      });
    }
    const unread = chain(1, { state: 'syncing', backfilled: false, indexedBlock: null });
    expect(readinessOf([unread])).toMatchObject({
      missing: [{ reason: 'chain-1 has not been read yet' }],
    });
  });

  test('behavior: a chain without a URL or without anything to read is not waited for', () => {
    const sources = [family('a')];
    const without = chain(1, { state: 'unconfigured', backfilled: false, sources });
    expect(readinessOf([without, chain(2, unfinished)])).toEqual({ ready: true, missing: [] });
  });

  test('behavior: a complete family is served at once, and what is missing is listed', () => {
    const away = chain(2, { ...unfinished, sources: [family('b')] });
    const statuses = [chain(1, { sources: [family('a'), family('b')] }), away];
    expect(readinessOf(statuses)).toEqual({
      ready: true,
      missing: [{ chainId: 2, family: null, reason: 'chain-2 cannot be reached' }],
    });
    // Not ready while any of its chains, its feed, or the family itself is behind.
    for (const sources of [
      [family('a'), family('b')],
      [feedOf('a'), family('b')],
    ]) {
      expect(readinessOf([statuses[0]!, { ...away, sources }]).ready).toBe(false);
    }
    const halted = chain(1, { sources: [family('a', { state: 'halted' })] });
    expect(readinessOf([halted, away]).ready).toBe(false);
  });

  test('behavior: a gap of the first backfill is waited for unless the file accepts it', () => {
    const sources = [family('a', { gaps: [gap] }), family('b')];
    const found = readinessOf([chain(1, { sources }), chain(2)]);
    expect(found).toMatchObject({ ready: false, missing: [{ chainId: 1, family: 'a' }] });
    expect(found.missing[0]!.reason).toMatch(/^Gap in a on chain 1: Contract state from /);
    expect(readinessOf([chain(1, { sources, acceptGaps: true })])).toEqual({
      ready: true,
      missing: [],
    });
  });

  test('behavior: a later gap is only listed', () => {
    const sources = [family('a', { gaps: [{ ...gap, initial: false }] })];
    expect(readinessOf([chain(1, { sources })])).toMatchObject({
      ready: true,
      missing: [{ family: 'a' }],
    });
  });
});

describeEachEngine('createReadyMark', (open) => {
  test('default', async () => {
    const store = await open();
    expect(await createReadyMark(store, () => 1).isSet()).toBe(false);
    const mark = createReadyMark(store, () => 1);
    await mark.set();
    await mark.set();
    expect(await mark.isSet()).toBe(true);
    // Simulates a restart.
    expect(await createReadyMark(store, () => 2).isSet()).toBe(true);
  });

  test('behavior: a database that rejects writes does not make a server unready', async () => {
    const store = await open();
    const query = () => Promise.reject(new StoreUnavailable('unreachable'));
    await createReadyMark({ ...store, query }, () => 1).set();
    await expect(
      createReadyMark({ ...store, query: () => Promise.reject(new Error('bug')) }, () => 1).set(),
    ).rejects.toThrow('bug');
  });
});
