import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseConfig } from '../src/config/load.ts';
import { describeAnyEngine } from './database.ts';
import type { Contract } from './realVaults/chain.ts';
import { type RunningApp, type StatusChain, startTestApp } from './runningApp.ts';
import { createShapes, OWNER, type Shapes } from './shapes/shapes.ts';

const CHAIN = 8453;
const UNIT = 1_000_000n;
const BOB = '0x0000000000000000000000000000000000000b0b';

interface ChainFamilies extends StatusChain {
  readonly families: readonly { family: string; state: string; reason: string | null }[];
}

let shapes: Shapes;
let usd: Contract;
let vaults: Record<'good' | 'blind' | 'loud' | 'broken', Contract>;
beforeAll(async () => {
  shapes = await createShapes({ chainId: CHAIN });
  const { chain, deploy } = shapes;
  usd = await deploy('ShapeToken', 'USD', 6);
  vaults = {
    good: await deploy('CooldownVault', usd.address),
    blind: await deploy('BlindQueue', usd.address),
    loud: await deploy('LoudVault', usd.address),
    broken: await deploy('LoudVault', usd.address),
  };
  await chain.send(OWNER, usd, 'mint', [OWNER, 1_000n * UNIT]);
  for (const vault of [vaults.good, vaults.loud, vaults.broken]) {
    await chain.send(OWNER, usd, 'approve', [vault.address, 100n * UNIT]);
    await chain.send(OWNER, vault, 'deposit', [10n * UNIT, OWNER]);
    await chain.advance(4_000);
  }
});
afterAll(() => shapes?.close());

function config(named: Readonly<Record<string, Contract>> = vaults) {
  const families = Object.entries(named).map(([slug, { address }]) => ({
    ...{ slug, name: slug, address, adapter: slug === 'blind' ? 'receiver-queue' : 'erc4626' },
    base: { marketDataId: 'usd' },
    share: { marketDataId: slug },
    chains: [{ chain: CHAIN, role: 'settlement', startBlock: 1 }],
  }));
  const chain = { id: CHAIN, name: 'base', rpc: [shapes.chain.url], finality: { depth: 8 } };
  const file = {
    http: { host: '127.0.0.1', port: 0, adminPort: 0 },
    ticks: { liveSeconds: 300, backfillSeconds: 3600 },
    chains: [{ ...chain, pollSeconds: 0.1, timeoutSeconds: 60 }],
    families,
  };
  return parseConfig({ file: 'held.yaml', text: stringify(file), env: {} });
}

async function familiesAt(app: RunningApp, done: (chain: ChainFamilies) => boolean) {
  const chains = await app.until(([chain]) => done(chain as ChainFamilies));
  return new Map((chains[0] as ChainFamilies).families.map((one) => [one.family, one]));
}

describeAnyEngine('halted families', (_, database) => {
  test('behavior: an invalid family halts only itself, and status names it', async () => {
    const app = await startTestApp(config(), database().config);
    try {
      const { chain } = shapes;
      const atHead = (one: ChainFamilies) => one.indexedBlock === String(chain.tip.number);
      const first = await familiesAt(app, (one) => atHead(one));
      expect(first.get('good')).toMatchObject({ state: 'current', reason: null });
      expect(first.get('blind')).toMatchObject({ state: 'halted' });
      expect(first.get('blind')!.reason).toContain('has no share-price oracle');
      expect(first.get('blind')!.reason).toContain('add the key oracle');

      await chain.send(OWNER, vaults.loud, 'shout', [OWNER, BOB]);
      await chain.send(OWNER, vaults.broken, 'breakDown', []);
      await chain.advance(4_000);
      await chain.send(OWNER, vaults.good, 'deposit', [5n * UNIT, OWNER]);
      await chain.advance(4_000);
      await chain.send(OWNER, vaults.good, 'deposit', [5n * UNIT, OWNER]);
      const isHalted = (one: ChainFamilies, family: string) =>
        one.families.some((row) => row.family === family && row.state === 'halted');
      const later = await familiesAt(
        app,
        (one) => atHead(one) && isHalted(one, 'loud') && isHalted(one, 'broken'),
      );
      expect(later.get('loud')!.reason).toContain("an amount beyond any real token's");
      expect(later.get('broken')!.reason).toContain('its state could not be read at block');
      expect(later.get('good')).toMatchObject({ state: 'current' });
      expect(await depositedIn(app, 'good')).toBe(await shares(vaults.good));
    } finally {
      await app.stop();
    }
  });

  test('behavior: a vault can move to another family and back, with its history', async () => {
    for (const slug of ['one', 'two', 'one']) {
      const app = await startTestApp(config({ [slug]: vaults.good }), database().config);
      try {
        await familiesAt(app, ({ families }) => families[0]?.state === 'current');
        expect(await depositedIn(app, slug)).toBe(await shares(vaults.good));
      } finally {
        await app.stop();
      }
    }
  });
});

async function depositedIn(app: RunningApp, family: string): Promise<bigint> {
  const served = await fetch(`${app.url}/v1/history?family=${family}`);
  const { items } = (await served.json()) as { items: { shares: string }[] };
  return items.reduce((sum, item) => sum + BigInt(item.shares), 0n);
}

async function shares(vault: Contract): Promise<bigint> {
  return (await shapes.chain.read(vault, 'totalSupply', [])) as bigint;
}
