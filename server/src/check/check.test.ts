import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { serveProvider } from '../../../devnet/src/index.ts';
import { ARCHIVE, stateOf } from '../../test/providers.ts';
import type { Contract } from '../../test/realVaults/chain.ts';
import { createShapes, EMPTY_ADDRESS, OWNER, type Shapes } from '../../test/shapes/shapes.ts';
import { parseConfig } from '../config/load.ts';
import type { Address } from '../domain/hex.ts';
import { checkChains } from './check.ts';

const UNIT = 1_000_000n;

let shapes: Shapes;
let other: Shapes;
let usd: Contract;
let oracle: Contract;
let registry: Contract;
let router: Contract;
let feed: Contract;
let queue: Contract;
let feeder: Contract;
let plain: Contract;
let elsewhere: Contract;

beforeAll(async () => {
  shapes = await createShapes({ chainId: 8453 });
  other = await createShapes({ chainId: 1 });
  const { chain, deploy } = shapes;
  usd = await deploy('ShapeToken', 'USD', 6);
  const authority = await deploy('Authority', OWNER);
  oracle = await deploy('SharePriceOracle', authority.address);
  registry = await deploy('PoolRegistry', authority.address);
  router = await deploy('Router');
  queue = await shapes.queue({ asset: usd, symbol: 'QUEUE', oracle, authority });
  feeder = await shapes.queue({
    ...{ asset: usd, symbol: 'FEEDER', oracle, authority },
    priceEntry: queue.address,
  });
  await chain.send(OWNER, oracle, 'update', [[queue.address], [UNIT]]);
  plain = await deploy('CooldownVault', usd.address);
  feed = await deploy('Aggregator', 'USD / USD', OWNER);
  await chain.send(OWNER, feed, 'transmit', [100_000_000n]);
  const token = await other.deploy('ShapeToken', 'USD', 18);
  elsewhere = await other.deploy('CooldownVault', token.address);
});
afterAll(async () => {
  await shapes?.close();
  await other?.close();
});

type Entry = Record<string, unknown>;

function family(slug: string, adapter: string, address: Address, chain: Entry = {}): Entry {
  return {
    ...{ slug, name: slug, address, adapter },
    base: { marketDataId: 'usd' },
    share: { marketDataId: slug },
    chains: [{ chain: 8453, role: 'settlement', startBlock: 1, ...chain }],
  };
}

const queueFamily = (chain: Entry = {}) =>
  family('queue', 'receiver-queue', queue.address, {
    ...{ oracle: oracle.address, registry: registry.address, routers: [router.address] },
    ...chain,
  });

async function check(families: readonly Entry[], more: Entry = {}) {
  const text = stringify({
    chains: [
      { id: 8453, name: 'base', rpc: [shapes.chain.url] },
      { id: 1, name: 'ethereum', rpc: [other.chain.url] },
    ],
    families,
    ...more,
  });
  const report = await checkChains(parseConfig({ file: 'assay.yaml', text, env: {} }));
  const listLines = (wanted: boolean) =>
    report.lines.filter(({ ok }) => ok === wanted).map(({ text: line }) => line);
  expect(report.ok).toBe(listLines(false).length === 0);
  return { failed: listLines(false), passed: listLines(true) };
}

async function onlyFailure(families: readonly Entry[], more: Entry = {}): Promise<string> {
  const { failed } = await check(families, more);
  expect(failed).toHaveLength(1);
  return failed[0]!;
}

describe('checkChains', () => {
  test('default', async () => {
    const feeds = { 'usd-usd': { aggregator: feed.address, chain: 8453 } };
    const feederFamily = {
      ...family('feeder', 'receiver-queue', feeder.address),
      feederOf: 'queue',
    };
    const { failed, passed } = await check(
      [
        queueFamily({ asset: usd.address }),
        feederFamily,
        family('plain', 'erc4626', plain.address),
      ],
      { prices: { feeds } },
    );
    expect(failed).toEqual([]);
    const silo = (await shapes.chain.read<string>(plain, 'silo')).toLowerCase();
    expect(passed).toEqual([
      `chain 8453 (base): head ${shapes.chain.tip.number}`,
      'family:queue on chain 8453: QUEUE over USD (6 decimals)',
      `families[0].chains[0].oracle: ${oracle.address} has its own entry, which is what convertToAssets() uses`,
      `families[0].chains[0].registry: ${registry.address} declares no pool of ${queue.address} yet`,
      `families[0].chains[0].routers[0]: ${router.address} is a contract`,
      'family:feeder on chain 8453: FEEDER over USD (6 decimals)',
      `families[1].chains[0].oracle: ${oracle.address} has the entry of ${queue.address}, which is what convertToAssets() uses`,
      'family:plain on chain 8453: COOL over USD (6 decimals)',
      `family:plain on chain 8453: custody ${silo} was found by silo()`,
      'feed:usd-usd on chain 8453: price with 8 decimals',
      `chain 1 (ethereum): head ${other.chain.tip.number}`,
    ]);
  });

  test('error: no contract, and a contract that is not a vault', async () => {
    expect(await onlyFailure([family('a', 'erc4626', EMPTY_ADDRESS)])).toBe(
      `families[0].address: ${EMPTY_ADDRESS} on chain 8453 has no contract; correct the address or the chain`,
    );
    expect(
      await onlyFailure([family('a', 'erc4626', EMPTY_ADDRESS, { address: usd.address })]),
    ).toMatch(/^families\[0\]\.address: 0x\w+ on chain 8453 is the token USD without asset\(\)/);
  });

  test('error: a vault of another kind', async () => {
    expect(await onlyFailure([family('a', 'erc4626', queue.address)])).toBe(
      'families[0].adapter: a on chain 8453 is receiver-queue, detected by totalPendingAssets() and pendingRedeemRequest(address), and not erc4626; set adapter: receiver-queue',
    );
    expect(await onlyFailure([family('a', 'receiver-queue', plain.address)])).toMatch(
      /^families\[0\]\.adapter: .*; set adapter: erc4626$/,
    );
  });

  test('behavior: asks for the tokens of an unreadable chain', async () => {
    const chains = [
      { id: 8453, name: 'base', rpc: [shapes.chain.url] },
      { id: 10, name: 'optimism' },
    ];
    const on = (here: Entry, there: Entry) => {
      const one = family('plain', 'erc4626', plain.address, here);
      const unread = { chain: 10, role: 'execution', ...there };
      return [{ ...one, chains: [...(one.chains as Entry[]), unread] }];
    };
    const named = { asset: usd.address };
    expect((await check(on(named, named), { chains })).failed).toEqual([]);
    const { failed, passed } = await check(on({}, {}), { chains });
    expect(failed).toEqual([
      'families[0].chains[1].asset: is missing, and chain 10 has no RPC URL to read it from; add the address of the base asset there',
    ]);
    expect(passed).toContain(
      `families[0].chains[0].asset: is missing; the API omits chain 8453 from the family until it is read for the first time; add asset: "${usd.address}"`,
    );
    expect(await onlyFailure(on({ ...named, share: EMPTY_ADDRESS }, named), { chains })).toBe(
      `families[0].chains[0].share: the vault's share is ${plain.address}, and not ${EMPTY_ADDRESS}; correct it, or remove it`,
    );
  });

  test('behavior: a description names its tokens itself, and a currency has none', async () => {
    const rated = (unit: Entry) => ({
      ...{ rate: { fixed: '1' }, unit },
      flows: [
        {
          action: 'deposit',
          event: 'In(address indexed to, uint256 shares)',
          owner: 'to',
          shares: 'shares',
        },
      ],
    });
    const checkUnread = async (unit: Entry, more: Entry = {}) => {
      const one = family('notes', 'rated', usd.address, { chain: 10, rated: rated(unit), ...more });
      const home = family('plain', 'erc4626', plain.address);
      const chains = [
        { id: 8453, name: 'base', rpc: [shapes.chain.url] },
        { id: 10, name: 'optimism' },
      ];
      const { failed, passed } = await check([home, one], { chains });
      return { failed, aboutAsset: passed.filter((line) => line.includes('.asset')) };
    };
    expect((await checkUnread({ token: usd.address })).failed).toEqual([]);
    const currency = { currency: 'USD', decimals: 18 };
    expect(await checkUnread(currency)).toEqual({ failed: [], aboutAsset: [] });
    expect(await checkUnread(currency, { asset: usd.address })).toEqual({
      failed: [],
      aboutAsset: [
        'families[1].chains[0].asset: is not used, because amounts are in the currency USD, which has no address; remove it',
      ],
    });
  });

  test('behavior: also asks for a share token apart from its vault', async () => {
    const share = await shapes.deploy('ApartShare');
    const apart = await shapes.deploy('ApartVault', usd.address, share.address);
    const chains = [
      { id: 8453, name: 'base', rpc: [shapes.chain.url] },
      { id: 10, name: 'optimism' },
    ];
    const one = family('apart', 'erc4626', apart.address, { asset: usd.address });
    const there = { chain: 10, role: 'execution', asset: usd.address };
    const failed = await onlyFailure([{ ...one, chains: [...(one.chains as Entry[]), there] }], {
      chains,
    });
    expect(failed).toBe(
      'families[0].chains[1].share: is missing: the share token of apart is not its vault, and chain 10 has no RPC URL; add the address of the share token there',
    );
  });

  test('error: a key that has no effect with the kind', async () => {
    const named = family('a', 'erc4626', plain.address, { oracle: oracle.address });
    expect(await onlyFailure([named])).toBe(
      'families[0].chains[0].oracle: has no effect with erc4626; remove it',
    );
  });

  test('error: neither the file nor the vault names an oracle', async () => {
    const blind = await shapes.deploy('BlindQueue', usd.address);
    expect(await onlyFailure([family('blind', 'receiver-queue', blind.address)])).toBe(
      'families[0].chains[0].oracle: neither the file nor the vault of blind names a share-price oracle on chain 8453; add oracle: with its address',
    );
  });

  test('error: an oracle without a contract, without the price, with another price', async () => {
    const key = /^families\[0\]\.chains\[0\]\.oracle: /;
    const authority = await shapes.deploy('Authority', OWNER);
    const silent = await shapes.deploy('SharePriceOracle', authority.address);
    for (const [address, reason] of [
      [EMPTY_ADDRESS, 'has no contract'],
      [silent.address, 'does not support getLatestPrice() for queue'],
      [usd.address, 'does not support getLatestPrice() for queue'],
    ] as const) {
      const failure = await onlyFailure([queueFamily({ oracle: address })]);
      expect(failure).toMatch(key);
      expect(failure).toContain(reason);
    }
    await shapes.chain.send(OWNER, silent, 'update', [[queue.address], [2n * UNIT]]);
    expect(await onlyFailure([queueFamily({ oracle: silent.address })])).toContain(
      'prices a share of queue at 2000000, the vault itself at 1000000; name the oracle that the vault uses',
    );
  });

  test('error: registry, routers and custody', async () => {
    const wrong = {
      registry: usd.address,
      routers: [router.address, OWNER],
      custody: [EMPTY_ADDRESS],
    };
    const { failed } = await check([queueFamily(wrong)]);
    expect(failed).toEqual([
      `families[0].chains[0].registry: ${usd.address} is not a pool registry: it has no epoch() and declared no pool; correct the address, or remove it`,
      `families[0].chains[0].routers[1]: ${OWNER} on chain 8453 has no contract, and a wallet's moves are transfers; correct the address, or remove it`,
      `families[0].chains[0].custody[0]: ${EMPTY_ADDRESS} on chain 8453 is a regular wallet, which holds its own assets; correct the address, or remove it`,
    ]);
    expect(await onlyFailure([queueFamily({ registry: EMPTY_ADDRESS })])).toContain(
      `families[0].chains[0].registry: ${EMPTY_ADDRESS} on chain 8453 has no contract`,
    );
  });

  test('error: asset, start, and additional vaults', async () => {
    const { chain } = shapes;
    const vault = await shapes.deploy('ShapeVault', usd.address, 'LATE');
    await chain.send(OWNER, usd, 'mint', [OWNER, UNIT]);
    await chain.send(OWNER, usd, 'approve', [vault.address, UNIT]);
    await chain.send(OWNER, vault, 'deposit', [UNIT, OWNER]);
    const first = chain.tip.number;
    await chain.mine();
    const late = (startBlock: number) => family('late', 'erc4626', vault.address, { startBlock });
    expect((await check([late(first)])).failed).toEqual([]);
    expect(await onlyFailure([late(first + 1)])).toBe(
      `families[0].chains[0].startBlock: late already has shares in block ${first}; start at the block that created the share token`,
    );
    expect(await onlyFailure([late(1_000_000)])).toContain('is above the head');
    const wrong = { asset: oracle.address, vaults: [plain.address, queue.address] };
    expect((await check([family('a', 'erc4626', vault.address, wrong)])).failed).toEqual([
      expect.stringMatching(/^families\[0\]\.chains\[0\]\.asset: the vault's asset is /),
      expect.stringMatching(/^families\[0\]\.chains\[0\]\.vaults\[0\]: its share token is /),
      expect.stringMatching(/^families\[0\]\.chains\[0\]\.vaults\[1\]: 0x\w+ is receiver-queue/),
    ]);
  });

  test('error: chains that disagree, and a missing master', async () => {
    const both = family('both', 'erc4626', plain.address);
    (both.chains as Entry[]).push({
      ...{ chain: 1, role: 'settlement', startBlock: 1 },
      address: elsewhere.address,
    });
    expect((await check([both])).failed).toEqual([
      'families[0].chains[1]: assetDecimals of both is 6 on chain 8453 and 18 on chain 1; they must be equal; make it a separate family',
      'families[0].chains[1]: shareDecimals of both is 6 on chain 8453 and 18 on chain 1; they must be equal; make it a separate family',
    ]);
    const master = family('master', 'erc4626', elsewhere.address, { chain: 1 });
    const lost = { ...family('lost', 'receiver-queue', feeder.address), feederOf: 'master' };
    expect(await onlyFailure([master, lost])).toMatch(
      /^families\[1\]\.feederOf: master is not on chain 8453/,
    );
  });

  test('error: one share token in two families', async () => {
    const share = await shapes.deploy('ApartShare');
    const eur = await shapes.deploy('ShapeToken', 'EUR', 6);
    const [first, second] = [
      await shapes.deploy('ApartVault', usd.address, share.address),
      await shapes.deploy('ApartVault', eur.address, share.address),
    ];
    const families = [
      family('a', 'erc4626', first.address),
      family('b', 'erc4626', second.address),
    ];
    expect(await onlyFailure(families)).toBe(
      `families[1].chains[0]: its share token ${share.address} is also that of a; put its vault under families[0].chains[0].vaults: one share token is one family`,
    );
    const together = family('a', 'erc4626', first.address, { vaults: [second.address] });
    const { failed, passed } = await check([together]);
    expect(failed).toEqual([]);
    expect(passed).toContain('families[0].chains[0].vaults[0]: over the same share, for EUR');
  });

  test('error: contracts that are not feeds, and feeds without a price or with an old one', async () => {
    const fresh = await shapes.deploy('Aggregator', 'NEW / USD', OWNER);
    const zero = await shapes.deploy('Aggregator', 'ZERO / USD', OWNER);
    await shapes.chain.send(OWNER, zero, 'transmit', [0n]);
    const old = await shapes.deploy('Aggregator', 'OLD / USD', OWNER);
    await shapes.chain.send(OWNER, old, 'transmit', [100_000_000n]);
    shapes.chain.advance(200);
    await shapes.chain.mine();
    const aggregators = {
      none: EMPTY_ADDRESS,
      token: usd.address,
      fresh: fresh.address,
      zero: zero.address,
      old: old.address,
    };
    const feeds = Object.fromEntries(
      Object.entries(aggregators).map(([name, aggregator]) => [name, { aggregator, chain: 8453 }]),
    );
    const { failed } = await check([], { prices: { feeds, maxAgeSeconds: 100 } });
    expect(failed).toEqual([
      expect.stringMatching(/^prices\.feeds\.none\.aggregator: .* has no contract; /),
      expect.stringMatching(
        /^prices\.feeds\.token\.aggregator: .* does not support latestRoundData/,
      ),
      expect.stringMatching(
        /^prices\.feeds\.fresh\.aggregator: .* does not support latestRoundData/,
      ),
      expect.stringMatching(/^prices\.feeds\.zero\.aggregator: .* no price above zero; /),
      expect.stringMatching(/^prices\.feeds\.old\.aggregator: its last price is \d+ s old/),
    ]);
  });

  test('error: holdings of the file that are not over the base asset', async () => {
    const eur = await shapes.deploy('ShapeToken', 'EUR', 6);
    const venue = await shapes.deploy('ShapeVault', usd.address, 'VENUE');
    const pool = (offchainId: string, kind: string, address: Address) => ({
      ...{ offchainId, name: offchainId, protocol: 'P', url: 'https://example.org' },
      position: { chain: 8453, kind, address },
    });
    const pools = [
      pool('venue', 'erc4626', venue.address),
      pool('base', 'token', usd.address),
      pool('euro', 'token', eur.address),
      pool('odd', 'erc4626', usd.address),
    ];
    const { failed } = await check([{ ...family('a', 'erc4626', plain.address), pools }]);
    expect(failed).toEqual([
      expect.stringMatching(/^families\[0\]\.pools\[2\]\.position: .* name a holding of the base/),
      expect.stringMatching(
        /^families\[0\]\.pools\[3\]\.position: .* does not have the interface of erc4626/,
      ),
    ]);
  });

  test('behavior: reports URLs without old state if no URL has it', async () => {
    const pruned = await serveProvider({ profile: ARCHIVE, target: shapes.chain.url });
    try {
      pruned.control.setDepth(stateOf(3));
      const findNotes = async (rpc: readonly string[]) => {
        const chains = [{ id: 8453, name: 'base', rpc }];
        const { failed, passed } = await check([family('a', 'erc4626', plain.address)], { chains });
        expect(failed).toEqual([]);
        return passed.filter((line) => line.includes(', rpc '));
      };
      const text =
        /^chain 8453 \(base\), rpc 1: it keeps 3 blocks of state, so series begin on \d{4}-\d\d-\d\d, at block \d+; add an archive URL to chain 8453 to have them from the first block$/;
      expect(await findNotes([pruned.url])).toEqual([expect.stringMatching(text)]);
      expect(await findNotes([pruned.url, pruned.url])).toHaveLength(2);
      expect(await findNotes([pruned.url, shapes.chain.url])).toEqual([]);
    } finally {
      await pruned.close();
    }
  });

  test('error: an RPC endpoint that does not respond', async () => {
    const chains = [
      { id: 8453, name: 'base', rpc: ['http://127.0.0.1:9'] },
      { id: 10, name: 'optimism' },
    ];
    const { failed, passed } = await check([], { chains });
    expect(failed).toEqual(['chain 8453 (base): rpc 1 does not accept or keep a connection']);
    expect(passed).toEqual(['chain 10 (optimism): no RPC URL, skipped']);
  });
});
