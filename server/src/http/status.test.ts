import { describe, expect, test } from 'vitest';
import type { ChainConfig, Config } from '../config/config.ts';
import type { ChainRow } from '../store/chains/chains.ts';
import type { FamilyGap } from '../store/gaps/familyGaps.ts';
import type { SourceState } from '../store/sources/sourceStates.ts';
import { readinessOf } from './readiness.ts';
import { presentStatus, chainStatuses as statusesOf } from './status.ts';

function chain(chainId: number, name: string, rpcUrls: string[] = ['http://127.0.0.1']) {
  return { chainId, name, rpcUrls, pollSeconds: 2 } as unknown as ChainConfig;
}

const row: ChainRow = {
  chainId: 8453,
  head: 120,
  headTime: 1_700_000_010,
  finalized: 100,
  indexedBlock: 118,
  indexedTime: 1_700_000_000,
  state: 'live',
  backfilled: true,
  error: null,
  errorSince: null,
  updatedAt: 1_700_000_011,
};

function source(chainId: number, family: string): SourceState {
  return { chainId, family, feed: null, behind: false, error: null, errorSince: null };
}

const families: Config['families'] = [];
const prices: Config['prices'] = { maxAgeSeconds: 60, feeds: [] };

/** Statuses of chains without indexed sources. */
function chainStatuses(given: {
  configured: readonly ChainConfig[];
  rows: readonly ChainRow[];
  now: number;
}) {
  const { configured: chains, rows, now } = given;
  return statusesOf({ config: { chains, families, prices }, rows, sources: [], now });
}

describe('chainStatuses', () => {
  test('default', () => {
    const [status] = chainStatuses({
      configured: [chain(8453, 'base')],
      rows: [row],
      now: 1_700_000_030,
    });
    expect(status).toMatchObject({
      name: 'base',
      state: 'live',
      indexedBlock: 118,
      lagSeconds: 30,
    });
  });

  test('behavior: each family is read once, regardless of the number of chains', () => {
    const chains = Array.from({ length: 30 }, (_, i) => chain(1_000 + i, `chain ${i}`));
    let looks = 0;
    const config = {
      ...{ chains, prices },
      families: Array.from({ length: 90 }, (_, i) => ({
        slug: `family-${i}`,
        priceFeed: null,
        get chains() {
          looks += 1;
          return [{ chainId: 1_000 + (i % 30) }];
        },
      })) as unknown as Config['families'],
    };
    const sources = config.families.map(({ slug }, i) => source(1_000 + (i % 30), slug));
    const statuses = statusesOf({ config, rows: [], sources, now: 1_700_000_030 });
    expect(statuses.map(({ sources: own }) => own.length)).toEqual(chains.map(() => 3));
    expect(looks).toBe(90);
  });

  test('behavior: lag is never negative', () => {
    const now = 1_699_999_990;
    const [status] = chainStatuses({ configured: [chain(8453, 'base')], rows: [row], now });
    expect(status?.lagSeconds).toBe(0);
  });

  test('behavior: what is unknown is null', () => {
    const configured = [chain(1, 'ethereum'), chain(10, 'optimism', [])];
    const statuses = chainStatuses({ configured, rows: [row], now: 0 });
    expect(statuses.map(({ state }) => state)).toEqual(['syncing', 'unconfigured']);
    expect(statuses[0]).toMatchObject({ head: null, indexedBlock: null, lagSeconds: null });
  });

  test('behavior: a chain that lost its URL keeps what was indexed', () => {
    const rows = [{ ...row, error: 'old', errorSince: 1 }];
    const [status] = chainStatuses({ configured: [chain(8453, 'base', [])], rows, now: 0 });
    expect(status).toMatchObject({ state: 'unconfigured', indexedBlock: 118, lastError: null });
  });
});

describe('presentStatus', () => {
  test('behavior: a chain without an update for long is stale', () => {
    const stateAt = (after: number, change: Partial<ChainRow> = {}, pollSeconds = 2) => {
      const configured = [{ ...chain(8453, 'base'), pollSeconds }];
      const rows = [{ ...row, ...change }];
      const statuses = chainStatuses({ configured, rows, now: row.updatedAt + after });
      // Its data can still be served.
      expect(readinessOf(statuses)).toEqual({ ready: true, missing: [] });
      return presentStatus(statuses, { version: '1' }).chains[0]!.state;
    };
    expect(stateAt(120)).toBe('live');
    expect(stateAt(121)).toBe('stale');
    // A backfill step may take longer.
    expect(stateAt(300, { state: 'syncing' })).toBe('syncing');
    expect(stateAt(301, { state: 'syncing' })).toBe('stale');
    expect(stateAt(301, { state: 'unreachable' })).toBe('unreachable');
    expect(stateAt(301, {}, 60)).toBe('live');
    const unconfigured = chainStatuses({
      configured: [chain(8453, 'base', [])],
      rows: [row],
      now: 2e9,
    });
    expect(presentStatus(unconfigured, { version: '1' }).chains[0]!.state).toBe('unconfigured');
  });

  test('default', () => {
    const rows = [
      { ...row, state: 'unreachable' as const, error: 'rpc 1 is away', errorSince: 1_700_000_005 },
    ];
    const configured = [chain(8453, 'base'), chain(10, 'optimism', [])];
    const statuses = chainStatuses({ configured, rows, now: 1_700_000_030 });
    expect(presentStatus(statuses, { version: '0.1.0' })).toMatchInlineSnapshot(`
      {
        "chains": [
          {
            "chainId": 8453,
            "families": [],
            "feeds": [],
            "finalized": "100",
            "head": "120",
            "indexedBlock": "118",
            "lagSeconds": 30,
            "lastError": {
              "message": "rpc 1 is away",
              "since": "2023-11-14T22:13:25.000Z",
            },
            "name": "base",
            "state": "unreachable",
            "updatedAt": "2023-11-14T22:13:31.000Z",
          },
          {
            "chainId": 10,
            "families": [],
            "feeds": [],
            "finalized": null,
            "head": null,
            "indexedBlock": null,
            "lagSeconds": null,
            "lastError": null,
            "name": "optimism",
            "state": "unconfigured",
            "updatedAt": null,
          },
        ],
        "database": {
          "reason": null,
          "since": null,
          "state": "available",
        },
        "storage": null,
        "version": "0.1.0",
      }
    `);
  });
});

describe('sources of a chain', () => {
  const config = {
    chains: [chain(8453, 'base')],
    families: ['good', 'late', 'broken', 'new', 'elsewhere'].map((slug) => ({
      slug,
      chains: [{ chainId: slug === 'elsewhere' ? 1 : 8453 }],
    })),
    prices: {
      maxAgeSeconds: 60,
      feeds: [
        { name: 'usd', kind: 'aggregator', chainId: 8453 },
        { name: 'eur', kind: 'aggregator', chainId: 1 },
        { name: 'gbp', kind: 'market-data' },
      ],
    },
  } as unknown as Config;
  const source = (family: string | null, change: Partial<SourceState> = {}): SourceState => ({
    chainId: 8453,
    family,
    feed: family === null ? 'usd' : null,
    behind: false,
    error: null,
    errorSince: null,
    ...change,
  });
  const broken = { error: 'asset() does not answer', errorSince: 1_700_000_005 };
  const sources = [
    source('good'),
    source('late', { behind: true }),
    source('broken', { ...broken, behind: true }),
    source('broken', { chainId: 1 }),
    source(null),
  ];
  const show = (change: Partial<ChainRow>, rpcUrls?: string[], now = row.updatedAt) => {
    const chains = [chain(8453, 'base', rpcUrls)];
    const rows = [{ ...row, ...change }];
    const statuses = statusesOf({ config: { ...config, chains }, rows, sources, now });
    return presentStatus(statuses, { version: '1' }).chains[0]!;
  };
  const states = (...given: Parameters<typeof show>) =>
    show(...given).families.map(({ state }) => state);

  test('default', () => {
    const { families: shown, feeds } = show({});
    expect(shown).toEqual([
      { family: 'good', state: 'current', reason: null, since: null, gaps: [], notices: [] },
      { family: 'late', state: 'syncing', reason: null, since: null, gaps: [], notices: [] },
      {
        family: 'broken',
        state: 'halted',
        reason: 'asset() does not answer',
        since: '2023-11-14T22:13:25.000Z',
        gaps: [],
        notices: [],
      },
      { family: 'new', state: 'syncing', reason: null, since: null, gaps: [], notices: [] },
    ]);
    expect(feeds).toEqual([{ feed: 'usd', state: 'current', reason: null, since: null }]);
  });

  test('behavior: a gap is shown under its family and chain only', () => {
    const gap: FamilyGap = {
      ...{ familyId: 1, family: 'good', chainId: 8453, reason: 'state', initial: true },
      ...{ fromBlock: 11, toBlock: 20, fromTime: 1_700_000_000, toTime: 1_700_000_100 },
      ...{ foundAt: 1_700_000_200, requestedAt: null },
    };
    const gaps = [gap, { ...gap, chainId: 1 }, { ...gap, family: 'elsewhere' }];
    const statuses = statusesOf({ config, rows: [row], sources, gaps, now: row.updatedAt });
    const shown = presentStatus(statuses, { version: '1' }).chains[0]!.families;
    expect(shown.map(({ gaps: own }) => own.length)).toEqual([1, 0, 0, 0]);
    expect(shown[0]!.gaps[0]).toEqual({
      missing: 'state',
      fromBlock: '11',
      toBlock: '20',
      from: '2023-11-14T22:13:20.000Z',
      to: '2023-11-14T22:15:00.000Z',
      reason: expect.stringContaining('Add an archive URL to rpc of chain 8453.'),
    });
  });

  test('behavior: while the chain is not live, none of its sources is current', () => {
    const held = (state: string) => [state, state, 'halted', state];
    expect(states({ state: 'syncing' })).toEqual(held('syncing'));
    expect(states({ state: 'unreachable' })).toEqual(held('unreachable'));
    expect(states({}, undefined, row.updatedAt + 301)).toEqual(held('unreachable'));
    expect(new Set(states({}, []))).toEqual(new Set(['unconfigured']));
    expect(show({}, []).families.every(({ reason }) => reason === null)).toBe(true);
  });
});
