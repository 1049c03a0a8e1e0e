import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { verifyStore } from '../src/commands/verify.ts';
import { parseConfig } from '../src/config/load.ts';
import type { Address } from '../src/domain/hex.ts';
import { describeAnyEngine } from './database.ts';
import type { Contract } from './realVaults/chain.ts';
import { startTestApp, statusLiveAt } from './runningApp.ts';
import { createShapes, OWNER, type Shapes } from './shapes/shapes.ts';

const CHAIN = 8453;
const UNIT = 1_000_000n;
const [ALICE, BOB]: readonly [Address, Address] = [
  '0x00000000000000000000000000000000000a11c1',
  '0x0000000000000000000000000000000000000b0b',
];

let shapes: Shapes;
let vault: Contract;
beforeAll(async () => {
  shapes = await createShapes({ chainId: CHAIN });
  const { chain, deploy } = shapes;
  const usd = await deploy('ShapeToken', 'USD', 6);
  // The vault's manager returns the contract that holds the shares of pending redemptions.
  vault = await deploy('ManagedVault', usd.address);
  const office = await chain.read<Address>(vault, 'manager');
  const queue = await chain.read<Address>(
    { ...(await deploy('PoolOffice')), address: office },
    'withdrawalManager',
  );
  const waiting = { ...(await deploy('Holder')), address: queue };
  for (const wallet of [ALICE, BOB]) {
    await chain.send(OWNER, usd, 'mint', [wallet, 1_000n * UNIT]);
    await chain.send(wallet, usd, 'approve', [vault.address, 1_000n * UNIT]);
    await chain.send(wallet, vault, 'deposit', [100n * UNIT, wallet]);
    await chain.advance(4_000);
  }
  await chain.send(OWNER, usd, 'mint', [vault.address, 10n * UNIT]);
  await chain.send(OWNER, waiting, 'approve', [vault.address, OWNER]);
  // Alice queues 60 shares, gets 10 back, and is paid for 20. Bob queues 5.
  await chain.send(ALICE, vault, 'transfer', [queue, 60n * UNIT]);
  await chain.send(BOB, vault, 'transfer', [queue, 5n * UNIT]);
  await chain.send(OWNER, vault, 'transferFrom', [queue, ALICE, 10n * UNIT]);
  await chain.send(OWNER, vault, 'redeem', [20n * UNIT, ALICE, queue]);
  await chain.advance(4_000);
  await chain.send(OWNER, usd, 'mint', [OWNER, 1n]);
});
afterAll(() => shapes?.close());

function config() {
  const family = {
    ...{ slug: 'managed', name: 'managed', address: vault.address, adapter: 'erc4626' },
    base: { marketDataId: 'usd' },
    share: { marketDataId: 'managed' },
    chains: [{ chain: CHAIN, role: 'settlement', startBlock: 1 }],
  };
  const chain = { id: CHAIN, name: 'base', rpc: [shapes.chain.url], finality: { depth: 8 } };
  const file = {
    http: { host: '127.0.0.1', port: 0, adminPort: 0 },
    ticks: { liveSeconds: 300, backfillSeconds: 3600 },
    chains: [{ ...chain, pollSeconds: 0.1, timeoutSeconds: 60 }],
    families: [family],
  };
  return parseConfig({ file: 'custody.yaml', text: stringify(file), env: {} });
}

describeAnyEngine('a queue outside the vault', (open, database) => {
  test('behavior: queued shares belong to the wallet that queued them, until they are paid or returned', async () => {
    const app = await startTestApp(config(), database().config);
    try {
      await app.until(statusLiveAt(new Map([[CHAIN, shapes.chain.tip.number]])));
      const get = async (path: string) => (await fetch(`${app.url}${path}`)).json();
      const shares = async (wallet: Address) => {
        const { families } = (await get(`/v1/performance/${wallet}`)) as {
          families: { sharesBalance: string; costBasis: string; realized: string }[];
        };
        return BigInt(families[0]!.sharesBalance);
      };
      expect([await shares(ALICE), await shares(BOB)]).toEqual([80n * UNIT, 100n * UNIT]);
      const waits = async (wallet: Address) => {
        const { redeems } = (await get(`/v1/users/${wallet}/pending-redeems`)) as {
          redeems: { shares: string; currentAssets: string }[];
        };
        return redeems.map((one) => [BigInt(one.shares), BigInt(one.currentAssets)]);
      };
      const worth = (amount: bigint) => shapes.chain.read(vault, 'convertToAssets', [amount]);
      expect(await waits(ALICE)).toEqual([[30n * UNIT, await worth(30n * UNIT)]]);
      expect(await waits(BOB)).toEqual([[5n * UNIT, await worth(5n * UNIT)]]);
      const { items } = (await get(`/v1/history?user=${ALICE}`)) as {
        items: { type: string; shares: string }[];
      };
      expect(items.map(({ type, shares: of }) => [type, BigInt(of) / UNIT])).toEqual([
        ['withdraw', 20n],
        ['cancel', 10n],
        ['redeem', 60n],
        ['deposit', 100n],
      ]);
    } finally {
      await app.stop();
    }
    const lines: string[] = [];
    const args = { family: null, wallets: 10, seed: 'custody' };
    const store = await open();
    const code = await verifyStore.runOn({ config: config(), store }, args, (line) =>
      lines.push(line),
    );
    expect([code, lines.filter((line) => /^(DIFFERENT|NOT CHECKED)/.test(line))]).toEqual([0, []]);
  });
});
