import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { verifyStore } from '../src/commands/verify.ts';
import { parseConfig } from '../src/config/load.ts';
import type { Address } from '../src/domain/hex.ts';
import { describeAnyEngine } from './database.ts';
import type { Contract } from './realVaults/chain.ts';
import { type RunningApp, startTestApp, statusLiveAt } from './runningApp.ts';
import { createShapes, OWNER, type Shapes } from './shapes/shapes.ts';

const CHAIN = 8453;
const UNIT = 1_000_000n;
const [ALICE, BOB, CAROL, DAVE]: readonly [Address, Address, Address, Address] = [
  '0x00000000000000000000000000000000000a11c1',
  '0x0000000000000000000000000000000000000b0b',
  '0x00000000000000000000000000000000000ca701',
  '0x00000000000000000000000000000000000da7e1',
];

let shapes: Shapes;
let [timed, late]: Contract[] = [];
beforeAll(async () => {
  shapes = await createShapes({ chainId: CHAIN });
  const { chain, deploy } = shapes;
  const usd = await deploy('ShapeToken', 'USD', 6);
  timed = await deploy('TimedQueue', usd.address);
  late = await deploy('LateGains', usd.address);
  for (const wallet of [ALICE, BOB, CAROL, DAVE]) {
    await chain.send(OWNER, usd, 'mint', [wallet, 1_000n * UNIT]);
    for (const vault of [timed, late]) {
      await chain.send(wallet, usd, 'approve', [vault.address, 1_000n * UNIT]);
    }
  }
  // The adapter holds more than the vault counts.
  await chain.send(ALICE, late, 'deposit', [100n * UNIT, ALICE]);
  await chain.send(OWNER, late, 'invest', [80n * UNIT]);
  await chain.send(OWNER, usd, 'mint', [await chain.read(late, 'adapter'), 7n * UNIT]);
  // Alice claims 40 of the 100 that have settled by time, and requests a redemption of 30 of those shares, which
  // becomes claimable.
  await chain.send(ALICE, timed, 'requestDeposit', [100n * UNIT, ALICE, ALICE]);
  chain.advance(4_000);
  await chain.send(ALICE, timed, 'claim', [1n, 40n * UNIT, ALICE]);
  await chain.send(ALICE, timed, 'requestRedeem', [30n * UNIT, ALICE, ALICE]);
  // Carol exits immediately with 10 of her 20 shares, for a fee of a tenth, and cancels a request.
  await chain.send(CAROL, timed, 'deposit', [20n * UNIT, CAROL]);
  await chain.send(CAROL, timed, 'leave', [10n * UNIT, CAROL, OWNER]);
  await chain.send(CAROL, timed, 'requestRedeem', [4n * UNIT, CAROL, CAROL]);
  await chain.send(CAROL, timed, 'cancel', [3n]);
  // Dave can claim more than the vault holds of pending deposits.
  await chain.send(DAVE, timed, 'deposit', [300n * UNIT, DAVE]);
  await chain.send(DAVE, timed, 'requestRedeem', [200n * UNIT, DAVE, DAVE]);
  // Bob's deposit settles by time, without any further event of the vault.
  await chain.send(BOB, timed, 'requestDeposit', [50n * UNIT, BOB, BOB]);
  for (let i = 0; i < 15; i++) {
    chain.advance(600);
    await chain.mine();
  }
});
afterAll(() => shapes?.close());

function config() {
  const family = (slug: string, { address }: Contract, adapter: string) => ({
    ...{ slug, name: slug, address, adapter },
    base: { marketDataId: 'usd' },
    share: { marketDataId: slug },
    chains: [{ chain: CHAIN, role: 'settlement', startBlock: 1 }],
  });
  const chain = { id: CHAIN, name: 'base', rpc: [shapes.chain.url], finality: { depth: 8 } };
  const file = {
    http: { host: '127.0.0.1', port: 0, adminPort: 0 },
    ticks: { liveSeconds: 300, backfillSeconds: 3600 },
    chains: [{ ...chain, pollSeconds: 0.1, timeoutSeconds: 60 }],
    families: [family('timed', timed!, 'erc7540'), family('late', late!, 'erc4626')],
  };
  return parseConfig({ file: 'timed.yaml', text: stringify(file), env: {} });
}

describeAnyEngine('requests settled by time', (open, database) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startTestApp(config(), database().config);
    await app.until(statusLiveAt(new Map([[CHAIN, shapes.chain.tip.number]])));
  });
  afterAll(() => app?.stop());
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${app.url}${path}`)).json()) as T;

  /** Returns shares, cost, value, and realized result in whole assets. */
  async function standing(wallet: Address): Promise<bigint[]> {
    const { families } = await get<{
      families: Record<'sharesBalance' | 'costBasis' | 'currentValue' | 'realized', string>[];
    }>(`/v1/performance/${wallet}?family=timed`);
    const { sharesBalance, costBasis, currentValue, realized } = families[0]!;
    return [sharesBalance, costBasis, currentValue, realized].map((one) => BigInt(one) / UNIT);
  }

  test('default: a deposit settled and claimed at once is paid for once', async () => {
    expect(await standing(ALICE)).toEqual([100n, 100n, 100n, 0n]);
  });

  test('behavior: settled shares have an owner without any event', async () => {
    expect(await standing(BOB)).toEqual([50n, 50n, 50n, 0n]);
  });

  test('behavior: an immediate exit and a cancelled request', async () => {
    expect(await standing(CAROL)).toEqual([10n, 10n, 10n, -1n]);
    const { items } = await get<{ items: { type: string; assets: string; shares: string }[] }>(
      `/v1/history?user=${CAROL}`,
    );
    expect(
      items.map(({ type, assets, shares }) => [type, BigInt(assets) / UNIT, BigInt(shares) / UNIT]),
    ).toEqual([
      ['cancel', 4n, 4n],
      ['redeem', 4n, 4n],
      ['withdraw', 9n, 10n],
      ['deposit', 20n, 20n],
    ]);
  });

  test('behavior: claimable assets are idle if the vault still counts them', async () => {
    const { stats } = await get<{
      stats: Record<'tvl' | 'idle' | 'invested' | 'totalShares', string>;
    }>('/v1/vaults/timed');
    const { tvl, idle, invested, totalShares } = stats;
    const whole = `${350n * UNIT}`;
    expect({ tvl, idle, invested, totalShares }).toEqual({
      ...{ tvl: whole, idle: whole, invested: '0', totalShares: whole },
    });
  });

  test('behavior: verify handles burned shares that are still counted, and gains that are not counted yet', async () => {
    const { stats } = await get<{ stats: { invested: string; pools: { value: string }[] } }>(
      '/v1/vaults/late',
    );
    expect([stats.invested, ...stats.pools.map(({ value }) => value)]).toEqual([
      `${80n * UNIT}`,
      `${87n * UNIT}`,
    ]);
    await app.stop();
    const lines: string[] = [];
    const args = { family: null, wallets: 10, seed: 'timed' };
    const store = await open();
    const code = await verifyStore.runOn({ config: config(), store }, args, (line) =>
      lines.push(line),
    );
    expect([code, lines.filter((line) => /^(DIFFERENT|NOT CHECKED)/.test(line))]).toEqual([0, []]);
  });
});
