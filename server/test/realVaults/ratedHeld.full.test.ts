import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { checkChains } from '../../src/check/check.ts';
import { parseConfig } from '../../src/config/load.ts';
import { describeAnyEngine } from '../database.ts';
import { type RunningApp, type StatusChain, startTestApp } from '../runningApp.ts';
import { type Contract, createLocalChain, type LocalChain } from './chain.ts';
import { npmCompiled } from './contracts.ts';
import { createWallets, OWNER } from './plainScenario.ts';

interface HeldChain extends StatusChain {
  readonly families: readonly {
    family: string;
    state: string;
    reason: string | null;
    notices: readonly { code: string }[];
  }[];
}

type Wallet = `0x${string}`;
const [ANN, BOB, CAT, DAN] = createWallets(4, 32) as [Wallet, Wallet, Wallet, Wallet];
const PRICE = 'getChainlinkPrice() returns (bool bad, uint256 updatedAt, uint256 price)';
const MINTED = 'Minted(address indexed to, uint256 amount, uint256 paid, uint256 time)';
const MAX_AGE = 86_400;

let chain: LocalChain;
let asset: Contract;
let stake: Contract;
let fund: Contract;
beforeAll(async () => {
  const startTime = Math.floor(Date.now() / 3_600_000) * 3600 - 5 * 86_400;
  chain = await createLocalChain({ chainId: 31_621, startTime });
  const deploy = async (name: string, args: readonly unknown[]) =>
    chain.deploy(OWNER, await npmCompiled(name), args);
  asset = await deploy('Token', ['ASSET', 18]);
  const dollar = await deploy('Token', ['USDC', 6]);
  stake = await deploy('RatedStake', [asset.address]);
  fund = await deploy('RatedFund', [dollar.address]);
  await chain.send(OWNER, asset, 'mint', [ANN, 10n ** 30n]);
  await chain.send(OWNER, dollar, 'mint', [ANN, 10n ** 30n]);
  await chain.send(OWNER, stake, 'set', [3n * 10n ** 18n, false]);
  for (let i = 0; i < 4; i++) {
    await chain.send(ANN, stake, 'mint', [10n ** 20n]);
    await chain.send(ANN, fund, 'subscribe', [ANN, 10n ** 9n]);
    chain.advance(3_600);
  }
  await chain.mine();
});
afterAll(() => chain?.close());

function described(slug: string, { address }: Contract, rated: object, startBlock: number) {
  return {
    ...{ slug, name: slug, address, adapter: 'rated' },
    base: { marketDataId: 'base' },
    share: { marketDataId: slug },
    chains: [{ chain: chain.chainId, role: 'settlement', startBlock, rated }],
  };
}

function config(flow: object, startBlock = 1, staked = stake) {
  const rate = { contract: 'share', call: 'getRate() returns (uint256)', decimals: 18 };
  const unit = { currency: 'ETH', decimals: 18 };
  const named = { call: PRICE, answer: 'price', updatedAt: 'updatedAt', bad: 'bad' };
  const price = { contract: 'share', ...named, decimals: 6, maxAge: MAX_AGE };
  const file = {
    http: { host: '127.0.0.1', port: 0, adminPort: 0 },
    ticks: { liveSeconds: 300, backfillSeconds: 3600 },
    chains: [
      {
        ...{ id: chain.chainId, name: 'local', rpc: [chain.url], finality: { depth: 4 } },
        ...{ pollSeconds: 0.1, timeoutSeconds: 60 },
      },
    ],
    families: [
      described(
        'stake',
        staked,
        { rate, unit, flows: [{ action: 'deposit', event: MINTED, ...flow }] },
        startBlock,
      ),
      described('fund', fund, { rate: price, unit: { currency: 'USD', decimals: 6 } }, startBlock),
    ],
  };
  return parseConfig({ file: 'held.yaml', text: stringify(file), env: {} });
}

/** Families that only wrap the asset; one has an inverse rate by mistake. */
function wrappers(by: Readonly<Record<string, Contract>>, startBlock: number) {
  const file = {
    http: { host: '127.0.0.1', port: 0, adminPort: 0 },
    ticks: { liveSeconds: 300, backfillSeconds: 3600 },
    chains: [
      {
        ...{ id: chain.chainId, name: 'local', rpc: [chain.url], finality: { depth: 4 } },
        ...{ pollSeconds: 0.1, timeoutSeconds: 60 },
      },
    ],
    families: Object.entries(by).map(([slug, wrap]) =>
      described(
        slug,
        wrap,
        {
          rate: {
            ...{ contract: 'share', call: 'getRate() returns (uint256)', decimals: 18 },
            inverse: slug === 'inverse',
          },
          unit: { token: asset.address },
          ledger: { mints: 'bought' },
        },
        startBlock,
      ),
    ),
  };
  return parseConfig({ file: 'wrap.yaml', text: stringify(file), env: {} });
}

/** Returns the families' reasons once the status is at the chain's head and satisfies `done`. */
async function reasonsOf(app: RunningApp, done: (reasons: Map<string, string | null>) => boolean) {
  const reasons = (one: HeldChain) => new Map(one.families.map((row) => [row.family, row.reason]));
  const chains = await app.until(([one]) => {
    const atHead = one!.indexedBlock === String(chain.tip.number);
    return atHead && done(reasons(one as HeldChain));
  }, 80);
  return reasons(chains[0] as HeldChain);
}

async function get<T>(app: RunningApp, path: string): Promise<T> {
  return (await (await fetch(`${app.url}${path}`)).json()) as T;
}

type Ticks = { at: string; value: string }[];
const RIGHT = { owner: 'to', shares: 'amount', assets: 'paid' };

/** Returns the errors and warnings of `check`. */
async function complaints(checked: ReturnType<typeof config>): Promise<string[]> {
  const { lines } = await checkChains(checked);
  return lines.flatMap(({ ok, warning, text }) => {
    if (ok && !warning) return [];
    return text.includes('.rated.') || !ok ? [`${ok ? 'warning' : 'error'} ${text}`] : [];
  });
}

test('error: check reports a startBlock that is too late', async () => {
  const late = chain.tip.number - 1;
  const found = await complaints(config(RIGHT, late));
  for (const slug of ['stake', 'fund']) {
    expect(found).toContainEqual(
      expect.stringMatching(
        new RegExp(`^error .*\\.startBlock: ${slug} already has shares in block ${late - 1}; `),
      ),
    );
  }
});

describeAnyEngine('share tokens without a rate for a while', (_, database) => {
  test('behavior: an unconfirmed rate is reported until a payment confirms it', async () => {
    const fresh = await chain.deploy(OWNER, await npmCompiled('RatedStake'), [asset.address]);
    const startBlock = chain.tip.number;
    // Mints fee shares first, without a payment.
    await chain.send(OWNER, fresh, 'takeFee', [BOB, 10n ** 18n]);
    await chain.mine();
    const app = await startTestApp(config(RIGHT, startBlock, fresh), database().config);
    const codes = async (slug: string) => {
      await reasonsOf(app, () => true);
      const [one] = (await app.status()) as readonly HeldChain[];
      return one!.families.find(({ family }) => family === slug)!.notices.map(({ code }) => code);
    };
    try {
      expect(await codes('stake')).toEqual(['unproven-rate']);
      await chain.send(ANN, fresh, 'mint', [10n ** 20n]);
      await chain.mine();
      expect(await codes('stake')).toEqual([]);
    } finally {
      await app.stop();
    }
  });

  test("behavior: an unconfirmed wrapper rate is reported until the wrapper's holdings confirm it", async () => {
    const right = await deployWrapper(12n * 10n ** 17n);
    const inverse = await deployWrapper(12n * 10n ** 17n);
    // At first, the rate equals its inverse.
    const even = await deployWrapper(10n ** 18n);
    const startBlock = chain.tip.number;
    for (const wrap of [right, inverse, even]) {
      await chain.send(ANN, asset, 'approve', [wrap.address, 10n ** 30n]);
      await chain.send(ANN, wrap, 'wrap', [12n * 10n ** 18n]);
    }
    await chain.mine();
    const app = await startTestApp(
      wrappers({ right, inverse, even }, startBlock),
      database().config,
    );
    try {
      await reasonsOf(app, () => true);
      const codes = async () => {
        const [one] = (await app.status()) as readonly HeldChain[];
        return one!.families.map(({ family, notices }) => [
          family,
          ...notices.map(({ code }) => code),
        ]);
      };
      const expected = [['even', 'unproven-rate'], ['inverse', 'unproven-rate'], ['right']];
      await expect.poll(async () => (await codes()).sort(), { timeout: 20_000 }).toEqual(expected);
    } finally {
      await app.stop();
    }

    async function deployWrapper(rate: bigint): Promise<Contract> {
      return chain.deploy(OWNER, await npmCompiled('HoldingWrap'), [asset.address, rate]);
    }
  });

  test('behavior: shares received before there was a rate have an incomplete cost, not 0', async () => {
    const held = await chain.deploy(OWNER, await npmCompiled('RatedStake'), [asset.address]);
    await chain.send(OWNER, held, 'set', [3n * 10n ** 18n, true]);
    const startBlock = chain.tip.number;
    await chain.send(OWNER, held, 'takeFee', [BOB, 10n ** 19n]);
    await chain.send(BOB, held, 'transfer', [CAT, 10n ** 18n]);
    await chain.send(OWNER, held, 'set', [3n * 10n ** 18n, false]);
    chain.advance(7_200);
    await chain.mine();
    await chain.send(BOB, held, 'transfer', [DAN, 10n ** 18n]);
    await chain.mine();
    const app = await startTestApp(config(RIGHT, startBlock, held), database().config);
    const year = new Date().getUTCFullYear();
    try {
      await reasonsOf(app, (reasons) => reasons.get('stake') === null);
      const incomplete = async (wallet: string) => {
        const paths = [
          `/v1/performance/${wallet}?family=stake`,
          `/v1/users/${wallet}/statement?family=stake&year=${year}`,
        ];
        const found = [];
        for (const path of paths) {
          const { families } = await get<{ families: { costIncomplete?: boolean }[] }>(app, path);
          found.push(...families.map(({ costIncomplete }) => costIncomplete));
        }
        return found;
      };
      expect(await incomplete(CAT)).toEqual([true, true]);
      expect(await incomplete(DAN)).toEqual([undefined, false]);
      // Fee shares have a known cost of zero.
      expect(await incomplete(BOB)).toEqual([undefined, false]);
      const [one] = (await app.status()) as readonly HeldChain[];
      const notices = one!.families.find(({ family }) => family === 'stake')!.notices;
      expect(notices.map(({ code }) => code)).toContain('unpriced-shares');
    } finally {
      await app.stop();
    }
  });

  test('behavior: a pause and a stale price are reported, and leave no value', async () => {
    const app = await startTestApp(config(RIGHT), database().config);
    try {
      await reasonsOf(app, (reasons) => [...reasons.values()].every((one) => one === null));
      const pausedFrom = chain.tip.time;
      await chain.send(OWNER, stake, 'set', [4n * 10n ** 18n, true]);
      chain.advance(2 * MAX_AGE);
      await chain.mine();
      chain.advance(600);
      await chain.mine();
      const held = await reasonsOf(app, (reasons) =>
        [...reasons.values()].every((one) => one !== null),
      );
      expect(held.get('stake')).toContain(
        'its rate does not answer, as while it is paused at block',
      );
      expect(held.get('fund')).toContain(`its rate is older than ${MAX_AGE} seconds at block`);
      const pausedUntil = chain.tip.time;
      expect(await complaints(config(RIGHT))).toEqual([
        'warning families[0].chains[0].rated.rate: the rate is not available now: the call reverts; data that needs it is not served meanwhile',
        expect.stringMatching(
          /^error families\[1\]\.chains\[0\]\.rated\.rate\.maxAge: the rate is \d{6} s old at the head, and maxAge is 86400; /,
        ),
        expect.stringMatching(/^warning families\[1\].* no payment confirms the rate: /),
      ]);

      await chain.send(OWNER, stake, 'set', [4n * 10n ** 18n, false]);
      await chain.send(OWNER, fund, 'set', [11_000_000n, true]);
      chain.advance(600);
      await chain.mine();
      const bad = await reasonsOf(app, (reasons) => reasons.get('stake') === null);
      expect(bad.get('fund')).toContain('its rate is marked as bad by the contract at block');
      await chain.send(OWNER, fund, 'set', [11_000_000n, false]);
      chain.advance(600);
      await chain.mine();
      await reasonsOf(app, (reasons) => [...reasons.values()].every((one) => one === null));

      const path = '/v1/vaults/stake/timeseries/share-price?interval=raw&limit=5000';
      const ticks = await get<Ticks>(app, path);
      const within = ticks.filter(({ at }) => {
        const time = Date.parse(at) / 1000;
        return time > pausedFrom + 600 && time < pausedUntil;
      });
      expect(within).toEqual([]);
      expect(new Set(ticks.map(({ value }) => value))).toEqual(
        new Set([String(3n * 10n ** 18n), String(4n * 10n ** 18n)]),
      );
    } finally {
      await app.stop();
    }
  });

  test.each([
    ['in one run', false],
    ['after a restart', true],
  ])('behavior: shares received during a pause cost the last rate, %s', async (_, restarts) => {
    const held = await chain.deploy(OWNER, await npmCompiled('RatedStake'), [asset.address]);
    const startBlock = chain.tip.number;
    await chain.send(ANN, held, 'mint', [10n ** 20n]);
    chain.advance(7_200);
    // No event of the family shows this rate.
    await chain.send(OWNER, held, 'set', [35n * 10n ** 17n, false]);
    chain.advance(7_200);
    await chain.mine();
    await chain.send(OWNER, held, 'set', [35n * 10n ** 17n, true]);
    chain.advance(7_200);
    await chain.mine();
    const isPaused = (reasons: Map<string, string | null>) =>
      reasons.get('stake')?.includes('its rate does not answer') === true;
    if (restarts) {
      const before = await startTestApp(config(RIGHT, startBlock, held), database().config);
      await reasonsOf(before, isPaused).finally(() => before.stop());
    }
    await chain.send(ANN, held, 'transfer', [BOB, 10n ** 18n]);
    chain.advance(7_200);
    await chain.mine();
    const app = await startTestApp(config(RIGHT, startBlock, held), database().config);
    try {
      await reasonsOf(app, isPaused);
      const { families } = await get<{ families: { costBasis: string }[] }>(
        app,
        `/v1/performance/${BOB}?family=stake`,
      );
      expect(families.map(({ costBasis }) => costBasis)).toEqual([String(35n * 10n ** 17n)]);
    } finally {
      await app.stop();
    }
  });

  test('error: an event with swapped fields halts its family', async () => {
    const swapped = { owner: 'to', shares: 'paid', assets: 'amount' };
    const app = await startTestApp(config(swapped), database().config);
    try {
      const reasons = await reasonsOf(app, (all) => all.get('stake')?.includes('fits') === true);
      expect(reasons.get('stake')).toContain(`the event "${MINTED}" never fits the shares`);
      expect(reasons.get('fund')).toBeNull();
      expect(await get(app, `/v1/history?family=stake`)).toMatchObject({ items: [] });
    } finally {
      await app.stop();
    }
  });

  test('error: also if the process restarts after each event', async () => {
    const rare = await chain.deploy(OWNER, await npmCompiled('RatedStake'), [asset.address]);
    const startBlock = chain.tip.number;
    await chain.send(OWNER, rare, 'set', [3n * 10n ** 18n, false]);
    const swapped = { owner: 'to', shares: 'paid', assets: 'amount' };
    const found: (string | null | undefined)[] = [];
    for (let event = 0; event < 3; event++) {
      await chain.send(ANN, rare, 'mint', [10n ** 20n]);
      const app = await startTestApp(config(swapped, startBlock, rare), database().config);
      try {
        const isLast = event === 2;
        const reasons = await reasonsOf(
          app,
          (all) => !isLast || all.get('stake')?.includes('fits') === true,
        );
        found.push(reasons.get('stake'));
      } finally {
        await app.stop();
      }
    }
    expect(found).toEqual([null, null, expect.stringContaining('never fits the shares')]);
  });
});
