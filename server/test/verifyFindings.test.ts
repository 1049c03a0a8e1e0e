import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { verifyStore } from '../src/commands/verify.ts';
import { parseConfig } from '../src/config/load.ts';
import type { Address } from '../src/domain/hex.ts';
import { draftConfig } from '../src/init/init.ts';
import { withDatabase } from './database.ts';
import type { Contract } from './realVaults/chain.ts';
import { startTestApp, statusLiveAt } from './runningApp.ts';
import { createShapes, OWNER, type Shapes } from './shapes/shapes.ts';

const CHAIN = 8453;
const UNIT = 1_000_000n;
const ETHER = 10n ** 18n;
const ALICE: Address = '0x00000000000000000000000000000000000a11c1';
const BOB: Address = '0x0000000000000000000000000000000000000b0b';

let shapes: Shapes;
let vaults: Record<'parts' | 'wrap' | 'late' | 'coin' | 'side', Contract>;
let lateStart = 0;
beforeAll(async () => {
  shapes = await createShapes({ chainId: CHAIN });
  const { chain, deploy } = shapes;
  const usd = await deploy('ShapeToken', 'USD', 6);
  const moo = await deploy('ShapeToken', 'MOO', 6);
  vaults = {
    parts: await deploy('PartsVault', usd.address),
    wrap: await deploy('SupplyWrapper', usd.address, moo.address),
    late: await deploy('ShapeVault', usd.address, 'LATE'),
    coin: await deploy('CoinVault', (await deploy('WrappedCoin')).address),
    side: await deploy('SideSaleVault', usd.address),
  };
  await chain.send(OWNER, usd, 'mint', [ALICE, 1_000n * UNIT]);
  for (const { address } of [vaults.parts, vaults.wrap, vaults.late, vaults.side]) {
    await chain.send(ALICE, usd, 'approve', [address, 1_000n * UNIT]);
  }
  await chain.send(ALICE, vaults.parts, 'deposit', [100n * UNIT, ALICE]);
  await chain.send(ALICE, vaults.parts, 'redeem', [31n * UNIT, ALICE, ALICE]);
  await chain.send(ALICE, vaults.late, 'deposit', [100n * UNIT, ALICE]);
  await chain.send(ALICE, vaults.side, 'deposit', [100n * UNIT, ALICE]);
  await chain.send(ALICE, vaults.side, 'buy', [40n * UNIT]);
  await chain.send(BOB, vaults.coin, 'depositCoin', [5n * ETHER]);
  await chain.send(ALICE, vaults.coin, 'depositCoin', [3n * ETHER + 1n]);
  await chain.send(ALICE, vaults.coin, 'redeemCoin', [ETHER + 7n]);
  lateStart = chain.tip.number + 1;
  // The wrapper holds 43 for its holder; 65 more are held elsewhere.
  await chain.send(OWNER, usd, 'mint', [vaults.wrap.address, 108n * UNIT]);
  await chain.send(OWNER, moo, 'mint', [vaults.wrap.address, 43n * UNIT]);
  await chain.send(OWNER, moo, 'mint', [OWNER, 65n * UNIT]);
  for (let i = 0; i < 15; i++) {
    chain.advance(600);
    await chain.mine();
  }
});
afterAll(() => shapes?.close());

/** Returns what verify reports for a server on one of the vaults. */
async function verified(slug: keyof typeof vaults, startBlock = 1): Promise<string[]> {
  const { chain } = shapes;
  const rpc = { id: CHAIN, name: 'base', rpc: [chain.url], finality: { depth: 8 } };
  const file = {
    http: { host: '127.0.0.1', port: 0, adminPort: 0 },
    ticks: { liveSeconds: 300, backfillSeconds: 3600 },
    chains: [{ ...rpc, pollSeconds: 0.1, timeoutSeconds: 60 }],
    families: [
      {
        ...{ slug, name: slug, address: vaults[slug].address, adapter: 'erc4626' },
        base: { marketDataId: 'usd' },
        share: { marketDataId: slug },
        chains: [{ chain: CHAIN, role: 'settlement', startBlock }],
      },
    ],
  };
  const config = parseConfig({ file: 'findings.yaml', text: stringify(file), env: {} });
  return withDatabase('postgres', async (database) => {
    const app = await startTestApp(config, database.config);
    const lines: string[] = [];
    try {
      await app.until(statusLiveAt(new Map([[CHAIN, chain.tip.number]])));
      const asked = { config, store: await database.open() };
      const args = { family: null, wallets: 20, seed: 'findings' };
      await verifyStore.runOn(asked, args, (line) => lines.push(line));
    } finally {
      await app.stop();
    }
    return lines;
  });
}

test('behavior: an exit paid in parts is not a difference', async () => {
  const lines = await verified('parts');
  expect(lines.filter((line) => /^(DIFFERENT|NOT CHECKED)/.test(line))).toEqual([]);
});

test('behavior: native coin that the vault wraps or unwraps counts as the payment', async () => {
  const lines = await verified('coin');
  expect(lines.filter((line) => /^(DIFFERENT|NOT CHECKED)/.test(line))).toEqual([]);
});

test('error: shares paid for at a strategy are bought without a deposit', async () => {
  const lines = await verified('side');
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^DIFFERENT .*invariant 13 .* 1 transactions? minted paid shares without a deposit/,
    ),
  );
});

test('error: reports a supply that belongs to another token', async () => {
  const lines = await verified('wrap');
  const found = lines.filter((line) =>
    /add up to 0 shares, the chain reports 108000000: /.test(line),
  );
  expect(found.length).toBeGreaterThan(0);
  for (const line of found) expect(line).toMatch(/: its totalSupply\(\) is that of 0x\w{40}, /);
  expect(lines.join('\n')).not.toContain('startBlock');
});

test('error: reports a startBlock that is too late', async () => {
  const lines = await verified('late', lateStart);
  expect(lines.join('\n')).toMatch(/: startBlock is too late, there were 100000000 before it/);
});

test('behavior: init reports a supply that belongs to another token', async () => {
  const { lines } = await draftConfig(
    {
      chains: [{ chainId: CHAIN, url: shapes.chain.url }],
      vaults: [{ chain: null, address: vaults.wrap.address }],
      feeds: [],
    },
    { file: 'assay.yaml', schema: 'schema.json' },
  );
  expect(lines).toContainEqual({
    mark: 'missing',
    text: expect.stringMatching(
      /totalSupply\(\) is that of 0x\w{40} \(vault\(\)\), .* at most 43000000$/,
    ),
  });
});
