import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../../test/realVaults/chain.ts';
import { createShapes, EMPTY_ADDRESS, OWNER, type Shapes } from '../../../test/shapes/shapes.ts';
import { findAdditionalVaults } from './additionalVaults.ts';
import { findAllocator } from './allocator.ts';
import { findCustody } from './custody.ts';
import { findFirstBlock } from './firstBlock.ts';
import { recognizeVault } from './index.ts';
import { lacksLimits } from './limits.ts';
import { findPriceSource } from './priceSource.ts';
import { isContract } from './readContract.ts';
import { findRouters } from './routers.ts';
import { findWrappedSupply } from './wrapped.ts';

const UNIT = 1_000_000n;
/** The code of an account that delegates to a contract (EIP-7702). */
const LENT = `0xef0100${'11'.repeat(20)}`;

let shapes: Shapes;
let usd: Contract;
beforeAll(async () => {
  shapes = await createShapes({ chainId: 31_337 });
  usd = await shapes.deploy('ShapeToken', 'USD', 6);
});
afterAll(() => shapes?.close());

const plain = (symbol = 'PLAIN') => shapes.deploy('ShapeVault', usd.address, symbol);
const held = (vault: Contract) => ({
  address: vault.address,
  asset: usd.address,
  share: vault.address,
});

async function deposit(vault: Contract, assets: bigint): Promise<void> {
  const { chain } = shapes;
  await chain.send(OWNER, usd, 'mint', [OWNER, assets]);
  await chain.send(OWNER, usd, 'approve', [vault.address, assets]);
  await chain.send(OWNER, vault, 'deposit', [assets, OWNER]);
}

describe('recognizeVault', () => {
  test('default', async () => {
    const vault = await plain();
    expect(await recognizeVault(shapes.look(), vault.address)).toEqual({
      kind: 'erc4626',
      by: 'asset(), totalAssets(), convertToAssets() and totalSupply()',
      address: vault.address,
      asset: { address: usd.address, symbol: 'USD', name: 'USD', decimals: 6 },
      share: { address: vault.address, symbol: 'PLAIN', name: 'PLAIN', decimals: 6 },
      authority: null,
      implementation: null,
    });
  });

  test('behavior: requests by id and controller, with ERC-165 and without', async () => {
    const loud = await shapes.deploy('AsyncVault', 'Async', 'AS', usd.address, OWNER, 0n);
    const quiet = await shapes.deploy('QuietQueue', usd.address);
    expect(await recognizeVault(shapes.look(), loud.address)).toMatchObject({
      kind: 'erc7540',
      by: 'ERC-165 0x620ee8e4 (queued redemptions)',
    });
    expect(await recognizeVault(shapes.look(), quiet.address)).toMatchObject({
      kind: 'erc7540',
      by: 'pendingRedeemRequest(uint256,address)',
    });
  });

  test('behavior: a queue by receiver, also before its first price', async () => {
    const authority = await shapes.deploy('Authority', OWNER);
    const oracle = await shapes.deploy('SharePriceOracle', authority.address);
    const vault = await shapes.queue({ asset: usd, symbol: 'Q', oracle, authority });
    expect(await recognizeVault(shapes.look(), vault.address)).toMatchObject({
      kind: 'receiver-queue',
      authority: authority.address,
    });
  });

  test('behavior: a share token apart', async () => {
    const share = await shapes.deploy('ApartShare');
    const vault = await shapes.deploy('ApartVault', usd.address, share.address);
    expect(await recognizeVault(shapes.look(), vault.address)).toMatchObject({
      kind: 'erc4626',
      share: { address: share.address, symbol: 'APART', decimals: 18 },
    });
  });

  test('behavior: through proxies, beacons and clones', async () => {
    const logic = await plain('LOGIC');
    const beacon = await shapes.deploy('ShapeBeacon', logic.address);
    const maker = await shapes.deploy('CloneMaker', logic.address);
    const addresses = {
      proxy: (await shapes.deploy('ShapeProxy', logic.address)).address,
      beacon: (await shapes.deploy('ShapeBeaconProxy', beacon.address)).address,
      clone: (await shapes.chain.read<`0x${string}`>(maker, 'clone')).toLowerCase(),
    };
    for (const [by, address] of Object.entries(addresses)) {
      expect(await recognizeVault(shapes.look(), address as `0x${string}`), by).toMatchObject({
        kind: 'erc4626',
        implementation: { by, address: logic.address },
      });
    }
  });

  test('error: no contract, and a wallet that lends its address to code', async () => {
    const { rpc } = shapes.chain;
    await rpc('hardhat_setCode', ['0x00000000000000000000000000000000000c0de0', LENT]);
    for (const address of [EMPTY_ADDRESS, '0x00000000000000000000000000000000000c0de0'] as const) {
      expect(await isContract(shapes.look(), address)).toBe(false);
      expect(await recognizeVault(shapes.look(), address)).toEqual({
        kind: null,
        reason: 'has no contract',
        empty: true,
      });
    }
  });

  test.each([
    ['ShapeToken', ['BRIDGED', 6], /^is the token BRIDGED without asset\(\) and totalAssets\(\)/],
    ['ApartShare', [], /^is the token APART, the share of vaults that stand elsewhere/],
    ['Anything', [], /^returns the same for every call/],
    ['Holder', [], /^is a contract, but neither a vault nor a token/],
    ['Accountant', [], /^is neither a vault nor a token: it states a rate \(getRate\(\)\)/],
  ])('error: not a vault: %s', async (name, args, reason) => {
    const { address } = await shapes.deploy(name, ...args);
    const found = await recognizeVault(shapes.look(), address);
    expect(found).toMatchObject({ kind: null, empty: false });
    expect('reason' in found && found.reason).toMatch(reason);
  });
});

describe('contracts that are almost vaults', () => {
  async function wrapper(held: bigint, elsewhere: bigint) {
    const { deploy, chain } = shapes;
    const wrapped = await deploy('ShapeToken', 'MOO', 6);
    const contract = await deploy('SupplyWrapper', usd.address, wrapped.address);
    if (held > 0n) await chain.send(OWNER, wrapped, 'mint', [contract.address, held]);
    if (elsewhere > 0n) await chain.send(OWNER, wrapped, 'mint', [OWNER, elsewhere]);
    return { contract, wrapped };
  }

  test('behavior: limits that revert for now count as limits', async () => {
    const vault = await shapes.deploy('PausedVault', usd.address);
    expect(await lacksLimits(shapes.look(), vault.address)).toBe(false);
    expect(await recognizeVault(shapes.look(), vault.address)).toMatchObject({ kind: 'erc4626' });
  });

  test('error: a wrapper without shares is reported as such', async () => {
    const { contract } = await wrapper(0n, 0n);
    expect(await recognizeVault(shapes.look(), contract.address)).toMatchObject({
      kind: null,
      reason:
        'has asset(), but convertToAssets() fails while it has no shares: try again after the first deposit',
    });
  });

  test('behavior: finds a supply that belongs to another token', async () => {
    const { contract, wrapped } = await wrapper(430n, 650n);
    expect(await findWrappedSupply(shapes.look(), contract.address)).toEqual({
      token: wrapped.address,
      by: 'vault()',
      held: 430n,
      supply: 1_080n,
    });
    // A wrapper that holds the entire supply is not reported.
    const { contract: whole } = await wrapper(430n, 0n);
    expect(await findWrappedSupply(shapes.look(), whole.address)).toBeNull();
    expect(await findWrappedSupply(shapes.look(), (await plain()).address)).toBeNull();
  });
});

describe('findCustody', () => {
  test('default', async () => {
    const vault = await shapes.deploy('CooldownVault', usd.address);
    const silo = await shapes.chain.read<string>(vault, 'silo');
    expect(await findCustody(shapes.look(), held(vault), { since: 0 })).toEqual([
      { address: silo.toLowerCase(), by: 'silo()' },
    ]);
    expect(await findCustody(shapes.look(), held(await plain()), { since: 0 })).toEqual([]);
  });

  test('behavior: named by the manager of the vault', async () => {
    const vault = await shapes.deploy('ManagedVault', usd.address);
    const manager = await shapes.chain.read<string>(vault, 'manager');
    const found = await findCustody(shapes.look(), held(vault), { since: 0 });
    expect(found.map(({ by }) => by)).toEqual(['manager() → withdrawalManager()', 'manager()']);
    expect(found[1]!.address).toBe(manager.toLowerCase());
  });

  test('behavior: where the shares of a request went', async () => {
    const vault = await shapes.deploy('QuietQueue', usd.address);
    expect(await findCustody(shapes.look(), held(vault), { since: 0 })).toEqual([]);
    await deposit(vault, 10n * UNIT);
    const { logs } = await shapes.chain.send(OWNER, vault, 'requestRedeem', [UNIT, OWNER, OWNER]);
    const keeper = `0x${logs[0]!.topics[2]!.slice(26)}`;
    expect(await findCustody(shapes.look(), held(vault), { since: 0 })).toEqual([
      { address: keeper, by: 'the shares of a RedeemRequest' },
    ]);
  });

  test('behavior: a share token that holds assets', async () => {
    const share = await shapes.deploy('ApartShare');
    const vault = await shapes.deploy('ApartVault', usd.address, share.address);
    const asked = { ...held(vault), share: share.address };
    expect(await findCustody(shapes.look(), asked, { since: 0 })).toEqual([]);
    await shapes.chain.send(OWNER, usd, 'mint', [share.address, UNIT]);
    expect(await findCustody(shapes.look(), asked, { since: 0 })).toEqual([
      { address: share.address, by: 'share()' },
    ]);
  });
});

describe('findAllocator', () => {
  test.each([
    ['QueueAllocator', 'Euler Earn'],
    ['AdapterAllocator', 'Morpho Vault V2'],
    ['StrategyAllocator', 'Yearn V3'],
    ['ManagedVault', 'Maple pool'],
    ['CooldownVault', null],
  ])('behavior: %s', async (name, allocator) => {
    const { address } = await shapes.deploy(name, usd.address);
    expect(await findAllocator(shapes.look(), address)).toBe(allocator);
  });
});

describe('findPriceSource', () => {
  test('default', async () => {
    const authority = await shapes.deploy('Authority', OWNER);
    const oracle = await shapes.deploy('SharePriceOracle', authority.address);
    const master = await shapes.queue({ asset: usd, symbol: 'M', oracle, authority });
    const feeder = await shapes.queue({
      ...{ asset: usd, symbol: 'F', oracle, authority },
      priceEntry: master.address,
    });
    const asked = (vault: Contract) => ({ address: vault.address, shareDecimals: 6 });
    expect(await findPriceSource(shapes.look(), asked(master))).toMatchObject({
      oracle: oracle.address,
      oracleBy: 'oracle()',
      entry: master.address,
      price: null,
      proven: false,
    });
    await shapes.chain.send(OWNER, oracle, 'update', [[master.address], [1_020_000n]]);
    expect(await findPriceSource(shapes.look(), asked(master))).toMatchObject({
      entryBy: null,
      price: 1_020_000n,
      proven: true,
    });
    expect(await findPriceSource(shapes.look(), asked(feeder))).toMatchObject({
      entry: master.address,
      entryBy: 'priceEntry()',
      proven: true,
    });
    const other = await shapes.deploy('SharePriceOracle', authority.address);
    await shapes.chain.send(OWNER, other, 'update', [[master.address], [3_000_000n]]);
    const named = { oracle: other.address };
    expect(await findPriceSource(shapes.look(), asked(master), named)).toMatchObject({
      price: 3_000_000n,
      ownPrice: 1_020_000n,
      proven: false,
    });
  });

  test('error: no contract names an oracle', async () => {
    const { address } = await shapes.deploy('BlindQueue', usd.address);
    expect(await findPriceSource(shapes.look(), { address, shareDecimals: 6 })).toBeNull();
  });
});

describe('findFirstBlock', () => {
  test('default', async () => {
    const vault = await plain();
    const block = shapes.chain.tip.number;
    for (let i = 0; i < 5; i++) await shapes.chain.mine();
    expect(await findFirstBlock(shapes.look(), vault.address)).toBe(block);
    // The contract exists since the first block.
    const multicall = '0xca11bde05977b3631167028862be2a173976ca11';
    expect(await findFirstBlock(shapes.look(), multicall)).toBe(0);
  });
});

describe('findAdditionalVaults', () => {
  test('default: those in force', async () => {
    const [eur, gbp] = [
      await shapes.deploy('ShapeToken', 'EUR', 6),
      await shapes.deploy('ShapeToken', 'GBP', 6),
    ];
    const share = await shapes.deploy('ApartShare');
    const [first, second, left] = [usd, eur, gbp].map((asset) =>
      shapes.deploy('ApartVault', asset.address, share.address),
    ) as [Promise<Contract>, Promise<Contract>, Promise<Contract>];
    for (const [asset, vault] of [
      [usd, first],
      [eur, left],
      [eur, second],
    ] as const) {
      const { address } = await vault;
      await shapes.chain.send(OWNER, share, 'updateVault', [asset.address, address]);
    }
    const asked = { address: (await first).address, share: share.address };
    expect(await findAdditionalVaults(shapes.look(), asked, { since: 0 })).toEqual([
      (await second).address,
    ]);
  });
});

describe('findRouters', () => {
  test('default: shares only pass through them', async () => {
    const { chain } = shapes;
    const vault = await plain();
    const gateway = await shapes.deploy('Gateway');
    const keeper = await shapes.deploy('Holder');
    await deposit(vault, 10n * UNIT);
    await chain.send(OWNER, vault, 'approve', [gateway.address, 10n * UNIT]);
    await chain.send(OWNER, gateway, 'redeem', [vault.address, 2n * UNIT]);
    await chain.send(OWNER, vault, 'transfer', [keeper.address, UNIT]);
    const asked = { since: 0, except: [] };
    expect(await findRouters(shapes.look(), vault.address, asked)).toEqual([gateway.address]);
  });
});
