import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveProvider } from '../../../devnet/src/index.ts';
import { ARCHIVE, stateOf } from '../../test/providers.ts';
import type { Contract } from '../../test/realVaults/chain.ts';
import { createShapes, OWNER, type Shapes } from '../../test/shapes/shapes.ts';
import { parseConfig } from '../config/load.ts';
import type { Address } from '../domain/hex.ts';
import { draftConfig, type InitRequest } from './init.ts';
import { InitRefused } from './initRefused.ts';

let base: Shapes;
let ethereum: Shapes;
/** At the same address on both chains. */
let both: readonly [Contract, Contract];
let alone: Contract;

beforeAll(async () => {
  base = await createShapes({ chainId: 8453 });
  ethereum = await createShapes({ chainId: 1 });
  const made: Contract[] = [];
  for (const shapes of [base, ethereum]) {
    const usd = await shapes.deploy('ShapeToken', 'USD', 6);
    made.push(await shapes.deploy('ShapeVault', usd.address, 'BOTH'));
  }
  both = made as [Contract, Contract];
  const odd = await base.deploy('ShapeToken', `\${HOME}\n"7e5`, 6);
  alone = await base.deploy('ShapeVault', odd.address, `7E5 \${HOME}`);
  // A token has the same address there.
  await ethereum.deploy('ShapeToken', 'OTHER', 6);
  await ethereum.deploy('ShapeToken', 'BRIDGED', 6);
});
afterAll(async () => {
  await base?.close();
  await ethereum?.close();
});

function draft(vaults: readonly (string | Address)[], request: Partial<InitRequest> = {}) {
  return draftConfig(
    {
      chains: [base, ethereum].map(({ chain }) => ({ chainId: chain.chainId, url: chain.url })),
      vaults: vaults.map((text) => {
        const [address, chain = null] = text.split('@');
        return { chain, address: address as Address };
      }),
      feeds: [],
      ...request,
    },
    { file: 'assay.yaml', schema: 'docs/assay.schema.json' },
  );
}

const load = (text: string) => parseConfig({ file: 'assay.yaml', text, env: {} });

describe('draftConfig', () => {
  test('default', async () => {
    expect(both[0].address).toBe(both[1].address);
    const { text, lines } = await draft([both[0].address]);
    expect(text).toMatch(/^# yaml-language-server: \$schema=docs\/assay\.schema\.json\n/);
    const config = load(text);
    expect(config.chains.map(({ name, rpcUrls }) => [name, rpcUrls])).toEqual([
      ['base', [base.chain.url]],
      ['ethereum', [ethereum.chain.url]],
    ]);
    expect(config.families).toMatchObject([
      { slug: 'both', chains: [{ chainId: 8453 }, { chainId: 1 }] },
    ]);
    expect(lines.filter(({ mark }) => mark === 'missing').map(({ text: line }) => line)).toEqual([
      'families[0].priceFeed: a USD feed of USD; add it with --feed usd-usd=8453:ADDRESS; without it, there are no USD values',
    ]);
  });

  test('behavior: one chain of the two, by its name or id', async () => {
    for (const chain of ['ethereum', '1']) {
      const { text } = await draft([`${both[0].address}@${chain}`]);
      const config = load(text);
      expect(config.chains.map(({ chainId }) => chainId)).toEqual([1]);
      expect(config.families).toMatchObject([{ slug: 'both', chains: [{ chainId: 1 }] }]);
    }
  });

  test('behavior: names of tokens cannot break the file', async () => {
    const { text, lines } = await draft([alone.address]);
    const [family] = load(text).families;
    expect(family).toMatchObject({
      slug: '7e5-home',
      name: `7E5 \${HOME}`,
      baseAsset: { marketDataId: 'home-7e5' },
      shareAsset: { marketDataId: '7e5-home' },
      chains: [{ chainId: 8453 }],
    });
    for (const { text: line } of lines) expect(line).not.toMatch(/\p{Cc}/u);
    // On the other chain, another contract has this address.
    expect(lines.map(({ text: line }) => line)).toContainEqual(
      expect.stringMatching(/on ethereum is the token \w+ without asset\(\).*; skipped$/),
    );
  });

  test('behavior: vaults that only look alike are separate families', async () => {
    const eur = await base.deploy('ShapeToken', 'EUR', 6);
    const copy = await base.deploy('ShapeVault', eur.address, 'COPY');
    const other = await ethereum.deploy('ShapeToken', 'EUR', 6);
    await ethereum.deploy('ShapeToken', 'GAP', 6);
    const far = await ethereum.deploy('ShapeVault', other.address, 'COPY');
    const { text, lines } = await draft([`${copy.address}@8453`, `${far.address}@1`]);
    expect(load(text).families.map(({ slug }) => slug)).toEqual(['copy-base', 'copy-ethereum']);
    expect(lines.at(-1)!.text).toMatch(/^copy-base and copy-ethereum have the same share symbol/);
  });

  test('behavior: a feed by its name or by its description', async () => {
    const feed = await base.deploy('Aggregator', 'USD / USD', OWNER);
    await base.chain.send(OWNER, feed, 'transmit', [100_000_000n]);
    for (const name of ['usd-usd', 'dollar']) {
      const feeds = [{ name, chain: 'base', address: feed.address }];
      const config = load((await draft([both[0].address], { feeds })).text);
      expect(config.families[0]!.priceFeed).toBe(name);
      expect(config.prices.feeds).toMatchObject([{ name, address: feed.address, chainId: 8453 }]);
    }
    const feeds = [{ name: 'usd-usd', chain: '1', address: both[1].address }];
    await expect(draft([both[0].address], { feeds })).rejects.toThrow(/correct --feed usd-usd$/);
  });

  test('behavior: a node without old state, whose URL contains a key', async () => {
    for (let i = 0; i < 20; i++) await base.chain.mine();
    const rpc = await serveProvider({ profile: ARCHIVE, target: base.chain.url });
    rpc.control.setDepth(stateOf(10));
    const url = `${rpc.url}/v2/0123456789abcdef0123`;
    const { text, lines } = await draft([both[0].address], { chains: [{ chainId: null, url }] });
    await rpc.close();
    expect(text).not.toContain('0123456789abcdef0123');
    expect(text).toContain('# startBlock: 0');
    expect(lines.map(({ text: line }) => line).join('\n')).not.toContain('0123456789abcdef0123');
    expect(lines.filter(({ mark }) => mark === 'missing').map(({ text: line }) => line)).toEqual([
      'chains: export BASE_RPC_URL before you start; its URL contains a key, so the file only names the variable',
      expect.stringMatching(
        /^families\[0\]\.chains\[0\]\.startBlock: .* archive state, which the backfill needs$/,
      ),
      expect.stringMatching(/^families\[0\]\.priceFeed: /),
      expect.stringMatching(
        /^chains: URL 1 of base: it keeps 10 blocks of state, so series begin on \S+, at block \d+; add an archive URL to chain 8453 /,
      ),
    ]);
    expect(() => load(text)).toThrow(/BASE_RPC_URL/);
  });

  test('error: not a vault', async () => {
    const token = await base.deploy('ShapeToken', 'BRIDGED', 6);
    await expect(draft([`${token.address}@base`])).rejects.toThrow(InitRefused);
    await expect(draft([`${token.address}@base`])).rejects.toThrow(
      /on base is the token BRIDGED without asset\(\).*; correct --vault, or choose a preset with --preset NAME: .*rocket-pool-reth/,
    );
  });

  test('error: chains other than those of the RPC endpoints', async () => {
    const vault = both[0].address;
    await expect(draft([`${vault}@optimism`])).rejects.toThrow(
      `--vault ${vault} names the chain optimism, but the RPC endpoints are of 8453 (base), 1 (ethereum); correct it`,
    );
    const chains = [{ chainId: 10, url: base.chain.url }];
    await expect(draft([vault], { chains })).rejects.toThrow(
      'the RPC endpoint for chain 10 is of chain 8453; correct --chain',
    );
    const dead = [{ chainId: null, url: 'http://127.0.0.1:9' }];
    await expect(draft([vault], { chains: dead })).rejects.toThrow(
      'rpc 1 does not accept or keep a connection',
    );
  });
});
