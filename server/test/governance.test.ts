import { decodeEventLog, getAddress, keccak256, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseConfig } from '../src/config/load.ts';
import type { Hex } from '../src/domain/hex.ts';
import { statement } from '../src/store/store.ts';
import { describeAnyEngine } from './database.ts';
import type { Contract, Log } from './realVaults/chain.ts';
import { type RunningApp, startTestApp, statusLiveAt } from './runningApp.ts';
import { createShapes, OWNER, type Shapes } from './shapes/shapes.ts';

const CHAIN = 8453;
const UNIT = 1_000_000n;
const BOB = '0x0000000000000000000000000000000000000b0b';
const MARKET = keccak256('0x01');
const FINALITY = 8;

/** Kinds of the vault's events; other events are not governance changes. */
const KINDS: Readonly<Record<string, string>> = {
  OwnershipTransferStarted: 'owner',
  OwnershipTransferred: 'owner',
  RoleGranted: 'role',
  RoleRevoked: 'role',
  Paused: 'pause',
  Unpaused: 'pause',
  SetCap: 'cap',
  Submit: 'timelock',
};

interface Item {
  readonly id: string;
  readonly blockNumber: number;
}
interface Page {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  readonly incompleteChains: readonly object[];
}
interface FeedEvent {
  readonly id: string;
  readonly state: 'applied' | 'retracted' | 'final';
  readonly data: Item;
}

// Leaves the store as an older version would.
const forgetRows = statement('test.governance.forgetRows', 'delete from governance');
const forgetReads = statement(
  'test.governance.forgetReads',
  'update source set governance_block = null, governance_rules = null, governance_from = null, governance_to = null',
);

describeAnyEngine('governance history', (_, database) => {
  let shapes: Shapes;
  let vault: Contract;
  /** The items of a client that follows the feed from its start. */
  const followed = new Map<string, Item>();
  let cursor = '';

  beforeAll(async () => {
    shapes = await createShapes({ chainId: CHAIN });
    const { chain, deploy } = shapes;
    const usd = await deploy('ShapeToken', 'USD', 6);
    vault = await deploy('GovernedVault', usd.address);
    await chain.send(OWNER, usd, 'mint', [OWNER, 1_000n * UNIT]);
    await chain.send(OWNER, usd, 'approve', [vault.address, 100n * UNIT]);
    await chain.send(OWNER, vault, 'deposit', [10n * UNIT, OWNER]);
    await act('setCap', [MARKET, 5n * UNIT]);
    await act('submit', ['0x01020304', '0x0102030405', 1_800_000_000n]);
    for (let i = 0; i < FINALITY; i++) await chain.mine();
  });
  afterAll(() => shapes?.close());

  test('default: read from the first block, live, and after a restart', async () => {
    await serving(async (app) => {
      await expectTruth(app);
      const { items } = await governanceOf(app);
      expect(items[0]).toMatchObject({
        ...{ kind: 'timelock', event: 'Submit', subject: '0x01020304', oldValue: null },
        ...{ newValue: '0x0102030405', effectiveAt: 1_800_000_000, chainId: CHAIN },
        contract: getAddress(vault.address),
      });
      expect(items[1]).toMatchObject({
        ...{ kind: 'cap', event: 'SetCap', subject: MARKET, newValue: `${5n * UNIT}` },
      });
      await act('note', [1n]);
      await act('grantRole', [keccak256(toHex('CURATOR')), BOB]);
      await act('pause', []);
      await expectTruth(app);
    });
    await act('unpause', []);
    await act('transferOwnership', [BOB]);
    await serving(expectTruth);
  });

  test('behavior: a reorg removes changes, and the feed retracts them', async () => {
    await serving(async (app) => {
      await act('setCap', [MARKET, 7n * UNIT]);
      await act('setCap', [MARKET, 9n * UNIT]);
      await expectTruth(app);
      await shapes.chain.rewind(2);
      await act('note', [2n]);
      await act('setCap', [MARKET, 8n * UNIT]);
      await expectTruth(app);
      await shapes.chain.rewind(1);
    });
    await act('setCap', [MARKET, 6n * UNIT]);
    await serving(expectTruth);
  });

  test('behavior: a store of an older version is reindexed for governance only', async () => {
    const store = await database().open();
    await store.query(forgetRows);
    await store.query(forgetReads);
    await store.close();
    const before = cursor;
    await serving(async (app) => {
      await act('setCap', [MARKET, 1n * UNIT]);
      await expectTruth(app, { after: FINALITY });
      const late = await eventsAfter(app, before);
      const { items } = await governanceOf(app);
      // A client that had already read all batches of these blocks gets them too.
      const announced = new Set(late.events.map(({ id }) => id));
      expect(items.filter(({ id }) => !announced.has(id))).toEqual([]);
    });
  });

  test('behavior: pages contain every item once', async () => {
    await serving(async (app) => {
      const { items } = await governanceOf(app);
      const paged: Item[] = [];
      for (let next: string | null = ''; next !== null; ) {
        const query: string = next === '' ? '' : `&cursor=${next}`;
        const page = await get<Page>(
          app,
          `/v1/vaults/gov/governance?limit=2&chainId=${CHAIN}${query}`,
        );
        expect(page.items.length).toBeLessThanOrEqual(2);
        paged.push(...page.items);
        next = page.nextCursor;
      }
      expect(paged).toEqual(items);
      const other = await get<Page>(app, '/v1/vaults/gov/governance?chainId=1');
      expect(other).toEqual({ items: [], nextCursor: null, incompleteChains: [] });
      const status = async (path: string) => (await fetch(`${app.url}${path}`)).status;
      expect(await status('/v1/vaults/nothing/governance')).toBe(404);
      expect(await status('/v1/vaults/gov/governance?cursor=nonsense')).toBe(400);
    });
  });

  function act(fn: string, args: readonly unknown[]) {
    return shapes.chain.send(OWNER, vault, fn, args);
  }

  async function serving(work: (app: RunningApp) => Promise<void>): Promise<void> {
    const app = await startTestApp(config(), database().config);
    try {
      await work(app);
    } finally {
      await app.stop();
    }
  }

  /** `after`: mines this many blocks first, so that everything indexed late is final. */
  async function expectTruth(app: RunningApp, { after = 0 } = {}): Promise<void> {
    const { chain } = shapes;
    for (let i = 0; i < after; i++) await chain.mine();
    const truth = await readTruth();
    await app.until(statusLiveAt(new Map([[CHAIN, chain.tip.number]])));
    // A kept response can be older than the status.
    await expect
      .poll(() => governanceOf(app), { timeout: 30_000 })
      .toMatchObject({ items: truth, incompleteChains: [] });
    const { items } = await governanceOf(app);
    expect(items).toHaveLength(truth.length);
    const { events, cursor: next } = await eventsAfter(app, cursor);
    cursor = next;
    for (const { id, state, data } of events) {
      if (state === 'retracted') followed.delete(id);
      else followed.set(id, data);
    }
    expect([...followed.values()].sort(newestFirst)).toEqual(items);
  }

  /** Returns the changes in all logs of the vault, decoded with its own ABI. */
  async function readTruth() {
    const raw = await shapes.chain.rpc<RawLog[]>('eth_getLogs', [
      { address: vault.address, fromBlock: '0x0', toBlock: 'latest' },
    ]);
    const changes = raw.map((log) => {
      const { eventName } = decodeEventLog({
        abi: vault.abi,
        data: log.data,
        topics: log.topics as [Hex],
      });
      const blockNumber = Number(log.blockNumber);
      const logIndex = Number(log.logIndex);
      return {
        id: `${CHAIN}-${blockNumber}-${logIndex}-gov`,
        kind: KINDS[eventName!],
        event: eventName,
        contract: getAddress(vault.address),
        transactionHash: log.transactionHash,
        blockTimestamp: shapes.chain.timeOf(blockNumber),
        ...{ blockNumber, logIndex },
      };
    });
    return changes.filter(({ kind }) => kind !== undefined).sort(newestFirst);
  }

  async function governanceOf(app: RunningApp): Promise<Page> {
    return get(app, '/v1/vaults/gov/governance?limit=500');
  }

  async function eventsAfter(app: RunningApp, after: string) {
    const from = after === '' ? '' : `&after=${after}`;
    return get<{ events: FeedEvent[]; cursor: string }>(
      app,
      `/v1/events?types=governance&limit=1000${from}`,
    );
  }

  function config() {
    const place = { chain: CHAIN, role: 'settlement', startBlock: 1 };
    const file = {
      http: { host: '127.0.0.1', port: 0, adminPort: 0 },
      ticks: { liveSeconds: 300, backfillSeconds: 3600 },
      chains: [
        {
          ...{ id: CHAIN, name: 'base', rpc: [shapes.chain.url], finality: { depth: FINALITY } },
          ...{ pollSeconds: 0.1, timeoutSeconds: 60 },
        },
      ],
      families: [
        {
          ...{ slug: 'gov', name: 'Governed', address: vault.address, adapter: 'erc4626' },
          ...{ base: { marketDataId: 'usd' }, share: { marketDataId: 'gov' }, chains: [place] },
        },
      ],
    };
    return parseConfig({ file: 'governance.yaml', text: stringify(file), env: {} });
  }
});

type RawLog = Omit<Log, 'blockNumber'> & { readonly blockNumber: Hex; readonly logIndex: Hex };

function newestFirst(a: Item, b: Item): number {
  const logOf = ({ id }: Item) => Number(id.split('-')[2]);
  return b.blockNumber - a.blockNumber || logOf(b) - logOf(a);
}

async function get<T>(app: RunningApp, path: string): Promise<T> {
  const response = await fetch(`${app.url}${path}`);
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as T;
}
