import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseConfig } from '../../src/config/load.ts';
import { describeAnyEngine } from '../database.ts';
import { type RunningApp, startTestApp } from '../runningApp.ts';
import { type Contract, createLocalChain, type LocalChain } from './chain.ts';
import { npmCompiled } from './contracts.ts';
import { createWallets, OWNER } from './plainScenario.ts';

const [ANN, BOB, CAT] = createWallets(3, 64) as [`0x${string}`, `0x${string}`, `0x${string}`];
const ONE = 10n ** 18n;
const RATE = 15n * 10n ** 17n;

let chain: LocalChain;
let asset: Contract;
beforeAll(async () => {
  const startTime = Math.floor(Date.now() / 3_600_000) * 3600 - 5 * 86_400;
  chain = await createLocalChain({ chainId: 31_664, startTime });
  asset = await chain.deploy(OWNER, await npmCompiled('Token'), ['ASSET', 18]);
  await chain.send(OWNER, asset, 'mint', [ANN, 10n ** 30n]);
});
afterAll(() => chain?.close());

const KINDS = [
  ['erc4626', 'PausedVault'],
  ['erc7540', 'PausedTimelock'],
] as const;

function config(adapter: string, { address }: Contract, startBlock: number) {
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
      {
        ...{ slug: 'paused', name: 'Paused', address, adapter },
        base: { marketDataId: 'base' },
        share: { marketDataId: 'share' },
        chains: [{ chain: chain.chainId, role: 'settlement', startBlock }],
      },
    ],
  };
  return parseConfig({ file: 'paused.yaml', text: stringify(file), env: {} });
}

async function untilHead(app: RunningApp): Promise<void> {
  await app.until(([one]) => one!.indexedBlock === String(chain.tip.number), 80);
}

interface Entry {
  readonly costBasis: string;
  readonly costIncomplete?: true;
}

async function entryOf(app: RunningApp, wallet: string): Promise<Entry> {
  const response = await fetch(`${app.url}/v1/performance/${wallet}?family=paused`);
  const { families } = (await response.json()) as { families: Entry[] };
  expect(families).toHaveLength(1);
  return families[0]!;
}

async function hours(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    chain.advance(3_600);
    await chain.mine();
  }
}

describeAnyEngine('vaults whose conversion reverts for a while', (_, database) => {
  test.each(KINDS.flatMap((kind) => [false, true].map((restarts) => [...kind, restarts] as const)))(
    'behavior: %s (%s): shares received meanwhile cost the last rate of the chain (restarted: %s)',
    async (adapter, model, restarts) => {
      const startBlock = chain.tip.number;
      const args = [asset.address];
      const vault = await chain.deploy(OWNER, await npmCompiled(model), args);
      await chain.send(ANN, asset, 'approve', [vault.address, 10n ** 30n]);
      await chain.send(ANN, vault, 'deposit', [100n * ONE, ANN]);
      await chain.send(ANN, vault, 'transfer', [CAT, ONE]);
      // No event shows these rates: the last change lies between two ticks.
      await chain.send(OWNER, vault, 'set', [12n * 10n ** 17n, false]);
      await hours(3);
      await chain.send(OWNER, vault, 'set', [RATE, false]);
      await chain.mine();
      await chain.send(OWNER, vault, 'set', [RATE, true]);
      await hours(3);
      const own = config(adapter, vault, startBlock);
      if (restarts) {
        const before = await startTestApp(own, database().config);
        await untilHead(before).finally(() => before.stop());
      }
      await chain.send(ANN, vault, 'transfer', [BOB, 2n * ONE]);
      await hours(2);
      const app = await startTestApp(own, database().config);
      try {
        await untilHead(app);
        expect(await entryOf(app, CAT)).toMatchObject({ costBasis: String(ONE) });
        const bob = await entryOf(app, BOB);
        expect(bob.costBasis).toBe(String(2n * RATE));
        expect(bob.costIncomplete).toBeUndefined();
      } finally {
        await app.stop();
      }
    },
    120_000,
  );
});
