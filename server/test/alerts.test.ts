import { createServer } from 'node:http';
import { encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alertsList } from '../src/commands/alerts.ts';
import { alertsTest } from '../src/commands/alertsTest.ts';
import { parseConfig } from '../src/config/load.ts';
import type { GovernanceChange } from '../src/domain/governance/change.ts';
import { watchedSeries } from '../src/store/alerts/watchedSeries.ts';
import { families } from '../src/store/families/families.ts';
import { governance } from '../src/store/governance/governance.ts';
import type { Store } from '../src/store/store.ts';
import { describeAnyEngine } from './database.ts';
import { listenOnLoopback, stopServer } from './loopbackServer.ts';
import { type RunningApp, startTestApp, statusLiveAt } from './runningApp.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const CHAIN = 8453;
const ORACLE = parseAbi([
  'function update(address[] vaults, uint256[] prices)',
  'function getLatestPrice(address vault) view returns (uint256, uint64)',
]);
/** Seconds between ticks. */
const TICK = 60;

interface Listed {
  readonly alerts: readonly { name: string; family: string; state: string; value: string | null }[];
  readonly recent: readonly { id: string; status: string; name: string; value: string }[];
}

interface FeedEvent {
  readonly type: string;
  readonly state: string;
  readonly id: string;
  readonly data: { readonly status: string };
}

/** A service that fails twice and then accepts. */
async function startReceiver() {
  const bodies: string[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const fails = ++requests <= 2;
      if (!fails) bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(fails ? 500 : 200).end('ok');
    });
  });
  const port = await listenOnLoopback(server, 0);
  return {
    url: `http://127.0.0.1:${port}/services/very-secret`,
    /** Returns the lines of all accepted messages. */
    lines: () => bodies.flatMap((body) => (JSON.parse(body) as { text: string }).text.split('\n')),
    requests: () => requests,
    close: () => stopServer(server),
  };
}

let served: ServedWorld;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

const RULES = [
  {
    ...{ name: 'price-fall', kind: 'share-price-falls', by: '1%', within: '10m' },
    ...{ clear: '0.5%', silence: '0s' },
  },
  { name: 'behind', kind: 'chain-behind', above: '9999d' },
];

function config(url: string, rules: readonly object[] = RULES) {
  const text = served.yaml({
    ticks: { liveSeconds: TICK, backfillSeconds: 3600 },
    edit: (file) =>
      Object.assign(file, {
        alerts: {
          targets: { ops: { slack: `\${ALERT_URL}` } },
          rules,
        },
      }),
  });
  return parseConfig({ file: 'alerts.yaml', text, env: { ALERT_URL: url } });
}

/** Publishes another share price, in ten-thousandths of the starting price. */
function priceBlock(start: bigint, tenThousandths: bigint) {
  const { world } = served;
  const { chain } = world.chain(CHAIN);
  const entry = world.families[0]!.bindingDeclarationAddress;
  const args = [[entry], [(start * tenThousandths) / 10_000n]] as const;
  const data = encodeFunctionData({ abi: ORACLE, functionName: 'update', args });
  return chain.send({ from: world.operator.address, to: world.oracle, data });
}

describeAnyEngine('alerts', (_, database) => {
  let opened: Promise<Store> | undefined;
  const openStore = () => (opened ??= database().open());

  // Each engine uses a new chain, so that the other run's prices are not on it.
  beforeAll(async () => {
    served = await serveWorld({ seed: 'alerts', chainIds: [CHAIN], families: ['svcusd'] });
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await served?.close();
    await receiver?.close();
  });

  test('default: fires once, clears at its other bound, and is retracted by a reorg', async () => {
    const { world } = served;
    const { chain } = world.chain(CHAIN);
    const entry = world.families[0]!.bindingDeclarationAddress;
    const asked = encodeFunctionData({
      abi: ORACLE,
      functionName: 'getLatestPrice',
      args: [entry],
    });
    const start = BigInt((await chain.call(world.oracle, asked)).slice(0, 66));
    // Fills the alert's window with one price, so that historical prices do not matter.
    for (let i = 0; i < 12; i++) await mine(10_000n);

    const app = await startTestApp(config(receiver.url), database().config);
    try {
      await app.until(statusLiveAt(served.heads()));
      await expect.poll(() => stateOf(app)).toBe('clear');
      expect((await alertsOf(app)).recent).toEqual([]);

      await mine(9_800n);
      await expect.poll(() => stateOf(app)).toBe('firing');
      // These prices do not reach the bound that clears the alert, so nothing is sent again.
      for (const price of [9_850n, 9_920n, 9_900n]) await mine(price);
      await mine(9_960n);
      await expect.poll(() => stateOf(app)).toBe('clear');
      const before = await alertsOf(app);
      expect(before.recent.map(({ status, value }) => [status, value])).toEqual([
        ['cleared', '0.4'],
        ['fired', '2'],
      ]);

      await mine(9_700n);
      await expect.poll(() => stateOf(app)).toBe('firing');
      const { recent } = await alertsOf(app);
      expect(recent).toHaveLength(3);
      await chain.reorg({
        depth: 2,
        blocks: [
          {
            timestamp: chain.tip.time - 1,
            fill: async () => void (await priceBlock(start, 9_960n)),
          },
          { timestamp: chain.tip.time },
        ],
      });
      await expect.poll(async () => (await alertsOf(app)).recent).toEqual(before.recent);
      expect(await stateOf(app)).toBe('clear');

      const events = await alertEvents(app);
      expect(events.map(({ state, data, id }) => [state, data.status, id])).toEqual([
        ['applied', 'fired', before.recent[1]!.id],
        ['applied', 'cleared', before.recent[0]!.id],
        ['applied', 'fired', recent[0]!.id],
        ['retracted', 'fired', recent[0]!.id],
      ]);
      // The receiver rejects the first two requests.
      const said = () =>
        receiver.lines().map((line) => /^price-fall (\w+): svcusd/.exec(line)?.[1]);
      await expect.poll(said).toEqual(['fired', 'cleared', 'fired', 'retracted']);
      expect(receiver.requests()).toBeGreaterThan(2);

      // The alert events become final as soon as the chain has passed them.
      for (let i = 0; i < 70; i++) await mine(9_960n);
      const finals = async () =>
        (await alertEvents(app, '&delivery=final')).map(({ state, id }) => [state, id]);
      await expect.poll(finals).toEqual([
        ['final', before.recent[1]!.id],
        ['final', before.recent[0]!.id],
      ]);
      const names = async () => (await alertsOf(app)).alerts.map(({ name }) => name);
      await expect.poll(names).toEqual(['behind', 'price-fall']);
      for (const text of ['an alert fired', 'an alert cleared', 'an alert was retracted']) {
        expect(app.logs()).toContain(text);
      }
      expect(app.logs()).not.toContain('very-secret');
    } finally {
      await app.stop();
    }

    /** Returns the next tick; a tick includes the blocks up to its own second. */
    function nextTick(): number {
      return chain.tip.time - (chain.tip.time % TICK) + TICK;
    }

    async function mine(price: bigint): Promise<void> {
      await chain.exclusive(async () => {
        await priceBlock(start, price);
        await chain.mine(nextTick());
        // A second is complete only when a later block exists.
        await chain.mine(chain.tip.time + 1);
      });
    }
  }, 120_000);

  test('behavior: the commands list and test alerts', async () => {
    const store = await openStore();
    const own = config(receiver.url);
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    expect(await alertsList.runOn({ config: own, store }, {}, print)).toBe(0);
    expect(lines.find((line) => line.includes('price-fall'))).toMatch(
      /^clear {4}price-fall {2}svcusd on base {2}since 20\S+Z {2}/,
    );
    expect(lines.at(-1)).toBe('0 of 2 alerts are firing');
    lines.length = 0;
    const count = receiver.requests();
    const asked = { name: 'price-fall', send: false };
    expect(await alertsTest.runOn({ config: own, store }, asked, print)).toBe(0);
    expect(receiver.requests()).toBe(count);
    expect(lines[0]).toMatch(/^clear {7}price-fall cleared: svcusd on base, share price fell by/);
    expect(lines[1]).toMatch(/^message to ops \(slack\): \{"text":/);
    lines.length = 0;
    expect(await alertsTest.runOn({ config: own, store }, { ...asked, send: true }, print)).toBe(0);
    expect(receiver.requests()).toBe(count + 1);
    expect(lines.at(-1)).toBe('sent to ops');
    await expect(
      alertsTest.runOn({ config: own, store }, { ...asked, name: 'other' }, print),
    ).rejects.toThrow('no alert "other"');
  });

  test('behavior: an old price of a feed and an old share price fire', async () => {
    const store = await openStore();
    const run = async (above: string) => {
      const rules = [
        { name: 'feed', kind: 'feed-stale', above },
        { name: 'oracle', kind: 'oracle-stale', above },
      ];
      const lines: string[] = [];
      const print = (line: string) => void lines.push(line);
      const own = config(receiver.url, rules);
      await alertsTest.runOn({ config: own, store }, { name: null, send: false }, print);
      return lines.slice(0, 2);
    };
    // The chain's last block is long ago.
    expect(await run('1h')).toEqual([
      expect.stringMatching(/^would fire {2}feed fired: svcusd on base, age of the price: \d/),
      expect.stringMatching(
        /^would fire {2}oracle fired: svcusd on base, age of the published share price: \d/,
      ),
    ]);
    expect(await run('9999d')).toEqual([
      expect.stringMatching(/^clear {7}feed cleared/),
      expect.stringMatching(/^clear {7}oracle cleared/),
    ]);
  });

  test('behavior: a governance change fires, a move between pools does not', async () => {
    const store = await openStore();
    const rule = { name: 'control', kind: 'governance', within: '10m' };
    const own = config(receiver.url, [rule]);
    const run = async () => {
      const lines: string[] = [];
      const print = (line: string) => void lines.push(line);
      await alertsTest.runOn({ config: own, store }, { name: null, send: false }, print);
      return lines[0];
    };
    const familyId = (await families.getAll(store))[0]!.familyId;
    const [row] = await watchedSeries.getFamilies(store, [familyId], [CHAIN]);
    const change: Omit<GovernanceChange, 'kind'> = {
      place: { chainId: CHAIN, blockTime: row!.newestTick!, blockNumber: 1, logIndex: 0 },
      ...{ txHash: '0x00', contract: '0x00', event: 'Some' },
      ...{ subject: null, oldValue: null, newValue: null, effectiveAt: null },
    };
    const insert = (kind: 'allocation' | 'owner') =>
      governance.insert(store, familyId, CHAIN, [
        { ...change, kind, place: { ...change.place, logIndex: kind === 'owner' ? 1 : 0 } },
      ]);
    await insert('allocation');
    expect(await run()).toMatch(/^clear/);
    await insert('owner');
    expect(await run()).toMatch(/^would fire {2}control fired: svcusd/);
  });
});

async function alertsOf(app: RunningApp): Promise<Listed> {
  return (await (await fetch(`${app.url}/v1/alerts?family=svcusd`)).json()) as Listed;
}

async function stateOf(app: RunningApp): Promise<string | undefined> {
  return (await alertsOf(app)).alerts.find(({ name }) => name === 'price-fall')?.state;
}

async function alertEvents(app: RunningApp, filter = ''): Promise<readonly FeedEvent[]> {
  const response = await fetch(`${app.url}/v1/events?types=alert&limit=1000${filter}`);
  return ((await response.json()) as { events: FeedEvent[] }).events;
}
