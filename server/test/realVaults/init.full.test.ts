import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkChains } from '../../src/check/check.ts';
import type { Config } from '../../src/config/config.ts';
import { parseConfig } from '../../src/config/load.ts';
import { type Address, lower } from '../../src/domain/hex.ts';
import { draftConfig, type InitResult } from '../../src/init/init.ts';
import { addresses } from './cast.ts';
import { deployCentrifuge } from './centrifuge.ts';
import { createLocalChain, type LocalChain } from './chain.ts';
import { npmCompiled } from './contracts.ts';
import { createFeed } from './feed.ts';
import { deployLagoon } from './lagoon.ts';
import { deployMorpho } from './morphoDeploy.ts';
import { packageCompiled, usePackages } from './packageCode.ts';
import { account, OWNER } from './plainScenario.ts';
import { deployYo, UPDATER, YO_USD } from './yoDeploy.ts';

const chains: LocalChain[] = [];
afterAll(async () => {
  for (const chain of chains) await chain.close();
});

/** Starts the chain near the present, so that prices are fresh. */
async function open(chainId: number, multicall = true): Promise<LocalChain> {
  const startTime = Math.floor(Date.now() / 1000) - 20 * 86_400;
  const chain = await createLocalChain({ chainId, startTime, multicall });
  chains.push(chain);
  return chain;
}

interface Drafted extends InitResult {
  readonly config: Config;
}

/** Returns the loaded configuration that `init` writes, after `check` found nothing wrong with it. */
async function init(
  on: readonly LocalChain[],
  vaults: readonly Address[],
  feeds: readonly { name: string; chain: string; address: Address }[] = [],
): Promise<Drafted> {
  const request = {
    chains: on.map(({ url }) => ({ chainId: null, url })),
    vaults: vaults.map((address) => ({ chain: null, address: lower(address) })),
    feeds,
  };
  const result = await draftConfig(request, { file: 'assay.yaml', schema: 'schema.json' });
  const config = parseConfig({ file: 'assay.yaml', text: result.text, env: {} });
  const report = await checkChains(config);
  expect(report.lines.filter(({ ok }) => !ok)).toEqual([]);
  return { ...result, config };
}

const missing = ({ lines }: InitResult) =>
  lines.filter(({ mark }) => mark === 'missing').map(({ text }) => text.split(':')[0]);

describe('init on OpenZeppelin from npm', () => {
  test('default: also without Multicall3', async () => {
    for (const multicall of [true, false]) {
      const chain = await open(31_337, multicall);
      const asset = await chain.deploy(OWNER, await npmCompiled('Token'), ['CENT', 2]);
      const vault = await chain.deploy(OWNER, await npmCompiled('OffsetVault'), [asset.address, 3]);
      const startBlock = chain.tip.number;
      await chain.mine();
      const { config, lines, ...drafted } = await init([chain], [vault.address]);
      expect(config.chains).toMatchObject([{ chainId: 31_337, name: 'chain-31337' }]);
      expect(config.families).toMatchObject([
        {
          slug: 'ov',
          name: 'Offset Vault',
          address: vault.address,
          adapter: 'erc4626',
          priceFeed: null,
          chains: [
            { chainId: 31_337, role: 'settlement', startBlock, asset: asset.address, custody: [] },
          ],
        },
      ]);
      expect(missing({ lines, ...drafted })).toEqual(['families[0].priceFeed']);
      expect(lines.map(({ text }) => text).join('\n')).toContain(
        'add it with --feed cent-usd=31337:ADDRESS',
      );
    }
  });
});

describe('init on contracts from packages', () => {
  usePackages('chainlink', 'morpho', 'solmate');

  test('behavior: plain vaults of other projects', async () => {
    const chain = await open(8453);
    const asset = await chain.deploy(OWNER, await npmCompiled('Token'), ['USDC', 6]);
    const code = await packageCompiled('solmate', 'MockERC4626');
    const solmate = await chain.deploy(OWNER, code, [asset.address, 'S', 'S']);
    const fees = await chain.deploy(OWNER, await npmCompiled('FeeVault'), [
      asset.address,
      account(0xfee5n),
    ]);
    const { config } = await init([chain], [solmate.address, fees.address]);
    expect(config.families.map(({ adapter }) => adapter)).toEqual(['erc4626', 'erc4626']);
  });

  test('behavior: MetaMorpho with a Chainlink feed', async () => {
    const chain = await open(8453);
    const { vault, asset, startBlock } = await deployMorpho(chain);
    const { proxy, submit } = await createFeed(chain, asset.address);
    await submit(99_990_000n);
    const drafted = await init(
      [chain],
      [vault.address],
      [{ name: 'usdc-usd', chain: '8453', address: proxy }],
    );
    expect(drafted.config.prices.feeds).toMatchObject([
      { name: 'usdc-usd', kind: 'aggregator', chainId: 8453, address: proxy },
    ]);
    expect(drafted.config.families).toMatchObject([
      {
        slug: 'mmusdc',
        adapter: 'erc4626',
        priceFeed: 'usdc-usd',
        chains: [{ asset: asset.address, startBlock, custody: [] }],
      },
    ]);
    expect(drafted.text).toContain('allocated by MetaMorpho');
    expect(missing(drafted)).toEqual([]);
  });
});

describe('init on models of vaults', () => {
  describe('YO V2', () => {
    let drafted: Drafted;
    let worlds: Awaited<ReturnType<typeof deployYo>>[];
    beforeAll(async () => {
      const both = [await open(8453), await open(1)];
      worlds = [];
      for (const chain of both) {
        const world = await deployYo(chain);
        worlds.push(world);
        const { oracle } = world.setting;
        for (const vault of [world.yoUsd.vault.address, YO_USD]) {
          await chain.send(UPDATER, oracle, 'updateSharePrice', [vault, 1_000_000n]);
        }
      }
      const { yoUsd, yoUsdt } = worlds[0]!;
      drafted = await init(both, [yoUsd.vault.address, yoUsdt.vault.address]);
    });

    test('default: one family over two chains, with the oracle that the vault names', () => {
      const [first] = worlds;
      const { yoUsd, setting } = first!;
      expect(drafted.config.families[0]).toMatchObject({
        slug: 'yovault-v2',
        address: yoUsd.vault.address,
        adapter: 'receiver-queue',
        feederOf: null,
        chains: worlds.map(({ yoUsd: { chain, asset, startBlock } }) => ({
          chainId: chain.chainId,
          asset: asset.address,
          startBlock,
          oracle: setting.oracle.address,
          custody: [],
        })),
      });
      expect(drafted.text).toContain('behind a proxy');
    });

    test('behavior: the price entry of another vault is found and proven', () => {
      expect(drafted.config.families[1]).toMatchObject({
        address: worlds[0]!.yoUsdt.vault.address,
        adapter: 'receiver-queue',
        feederOf: null,
      });
      const messages = drafted.lines.filter(({ text }) => text.includes('YO_USD_ADDRESS()'));
      expect(messages).toHaveLength(2);
      for (const { text } of messages) expect(text).toContain('confirmed by convertToAssets()');
      expect(missing(drafted)).toEqual(['families[0].priceFeed', 'families[1].priceFeed']);
    });

    test('behavior: a used gateway is configured as a router', async () => {
      const { setting, yoUsd } = worlds[0]!;
      const { chain, gateway } = setting;
      const user = account(0x1n);
      const { vault, asset } = yoUsd;
      await chain.send(OWNER, asset, 'mint', [user, 10_000_000n]);
      for (const token of [asset, vault]) {
        await chain.send(user, token, 'approve', [gateway.address, 10_000_000n]);
      }
      const entry = [vault.address, 10_000_000n, 0n, user, 0];
      await chain.send(user, gateway, 'deposit', entry);
      await chain.send(user, gateway, 'redeem', [vault.address, 1_000_000n, 0n, user, 0]);
      const { config } = await init([chain], [vault.address]);
      expect(config.families[0]!.chains[0]!.routers).toEqual([gateway.address]);
    });
  });

  test('behavior: finds Lagoon’s silo, which no function returns', async () => {
    const chain = await open(42_161);
    const [safe, admin, valuer, feeReceiver, protocolFeeReceiver] = addresses('init', 5) as [
      ...[Address, Address, Address, Address, Address],
    ];
    const { vault, silo, asset } = await deployLagoon(chain, {
      ...{ safe, admin, valuer, feeReceiver, protocolFeeReceiver },
    });
    const { config, text } = await init([chain], [vault.address]);
    expect(config.families).toMatchObject([
      {
        slug: 'lgusd',
        adapter: 'erc7540',
        chains: [{ asset: asset.address, custody: [silo] }],
      },
    ]);
    expect(text).toContain('behind a proxy');
    const { startBlock } = config.families[0]!.chains[0]!;
    const codeAt = (block: number) =>
      chain.rpc<string>('eth_getCode', [vault.address, `0x${block.toString(16)}`]);
    expect(await codeAt(startBlock - 1)).toBe('0x');
    expect(await codeAt(startBlock)).not.toBe('0x');
  });

  describe('Centrifuge', () => {
    let chain: LocalChain;
    let world: Awaited<ReturnType<typeof deployCentrifuge>>;
    beforeAll(async () => {
      chain = await open(1);
      const [issuer] = addresses('issuer', 1) as [Address];
      world = await deployCentrifuge(chain, issuer);
    });

    test.each([
      ['both vaults of the share are given', true],
      ['one is given, and the share token names the other', false],
    ])('behavior: one family when %s', async (_, both) => {
      const { main, second, escrow, share } = world;
      const asked = both ? [main, second] : [main];
      const drafted = await init(
        [chain],
        asked.map(({ vault }) => vault.address),
      );
      expect(drafted.config.families).toMatchObject([
        {
          slug: 'sen',
          address: lower(main.vault.address),
          adapter: 'erc7540',
          chains: [
            {
              asset: main.asset.address,
              vaults: [lower(second.vault.address)],
              custody: [escrow.address],
            },
          ],
        },
      ]);
      expect(drafted.text).toContain('SEN, 18 decimals');
      const messages = drafted.lines.map(({ text }) => text.toLowerCase()).join('\n');
      expect(messages).toContain(`at ${lower(share.address)}`);
    });

    test('error: two families over one share token are an error', async () => {
      const { main, second } = world;
      const [first, other] = await Promise.all(
        [main, second].map(async ({ vault }, i) => {
          const { text } = await init([chain], [vault.address]);
          return text
            .replace(/ {8}# Additional vaults[\s\S]*?(?= {8}# Contracts)/, '')
            .replace('slug: sen', `slug: sen-${i}`);
        }),
      );
      const families = other!.slice(other!.indexOf('families:') + 'families:\n'.length);
      const text = `${first}${families}`;
      const config = parseConfig({ file: 'a.yaml', text, env: {} });
      expect(config.families).toHaveLength(2);
      const { lines, ok } = await checkChains(config);
      expect(ok).toBe(false);
      const [failed] = lines.filter((line) => !line.ok);
      expect(failed!.text).toMatch(
        /^families\[1\]\.chains\[0\]: its share token 0x\w+ is also that of sen-0; put its vault under families\[0\]\.chains\[0\]\.vaults/,
      );
    });
  });
});
