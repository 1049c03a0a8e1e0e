import { encodeFunctionData } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChainClient } from '../../src/chain/client.ts';
import { createRpcClient } from '../../src/chain/rpcClient.ts';
import type { AdapterName, FamilyChainConfig } from '../../src/config/config.ts';
import type { Address } from '../../src/domain/hex.ts';
import { NONE } from '../../src/domain/vault/exitTerms.ts';
import { KINDS } from '../../src/vaults/index.ts';
import { runRounds } from '../../src/vaults/rounds.ts';
import { addresses, UNLIMITED } from './cast.ts';
import { type Contract, createLocalChain, type LocalChain, Refused } from './chain.ts';
import { npmCompiled } from './contracts.ts';
import { deployLagoon } from './lagoon.ts';
import { borrow, deployMorpho } from './morphoDeploy.ts';
import { usePackages } from './packageCode.ts';
import { createWallets, OWNER, startOfPlay } from './plainScenario.ts';
import { deployYo, OPERATOR, STRATEGY, UPDATER } from './yoDeploy.ts';

const USDC = 10n ** 6n;
const [ALICE, BOB] = createWallets(2) as [Address, Address];

let chain: LocalChain;
let rpc: ReturnType<typeof createRpcClient>;
usePackages('morpho');
beforeAll(async () => {
  chain = await createLocalChain({ chainId: 31_337, startTime: startOfPlay() });
  rpc = createRpcClient({ url: chain.url, upstream: 1, timeoutMs: 60_000 });
});
afterAll(async () => {
  rpc?.close();
  await chain?.close();
});

/** Reads a vault's exit terms at the newest block. */
async function termsOf(
  adapter: AdapterName,
  vault: Contract,
  asset: Contract,
  assets: bigint | null = null,
) {
  const client = createChainClient({
    rpc,
    multicall: '0xca11bde05977b3631167028862be2a173976ca11',
  });
  const terms = KINDS[adapter].exitTerms({
    chain: { address: vault.address } as FamilyChainConfig,
    asset: asset.address,
    share: vault.address,
    unit: 10n ** BigInt(await chain.read<number>(vault, 'decimals')),
    assets,
    holders: [ALICE, BOB],
  });
  return (await runRounds(client, chain.tip.number, [terms]))[0]!;
}

async function fund(asset: Contract, vault: Contract, wallet: Address, assets: bigint) {
  await chain.send(OWNER, asset, 'mint', [wallet, assets]);
  await chain.send(wallet, asset, 'approve', [vault.address, UNLIMITED]);
}

describe('exit terms', () => {
  test('default: an allocator pays what its markets can pay, and has a cap and a timelock', async () => {
    const world = await deployMorpho(chain);
    const { vault, asset, markets } = world;
    await fund(asset, vault, ALICE, 150_000n * USDC);
    await chain.send(ALICE, vault, 'deposit', [150_000n * USDC, ALICE]);
    const free = await termsOf('erc4626', vault, asset);
    expect(free.withdrawable.exact).toBeNull();
    expect(free.withdrawable.atLeast).toBeGreaterThan(149_999n * USDC);
    expect(free.deposits).toEqual({ assets: await chain.read(vault, 'maxDeposit', [BOB]) });
    expect(free.periods).toEqual([{ name: 'timelock', seconds: 86_400 }]);
    await borrow(world, markets[0], 40n * 10n ** 18n, 55_000n * USDC);
    const { withdrawable, fee, paused } = await termsOf('erc4626', vault, asset, USDC);
    expect([paused, fee?.gross]).toEqual([null, fee?.net]);
    const exact = withdrawable.exact!;
    expect(exact).toBe(withdrawable.atLeast);
    expect(exact).toBeGreaterThan(94_000n * USDC);
    expect(exact).toBeLessThan(96_000n * USDC);
    const leave = (assets: bigint) => chain.send(ALICE, vault, 'withdraw', [assets, ALICE, ALICE]);
    await expect(leave(exact + USDC)).rejects.toThrow(Refused);
    await leave(exact - 10n);
  });

  test('default: with a cooldown nothing is withdrawable at once, without one everything is', async () => {
    const asset = await chain.deploy(OWNER, await npmCompiled('Token'), ['USDe', 18]);
    const vault = await chain.deploy(OWNER, await npmCompiled('StakedUSDeV2'), [asset.address]);
    await fund(asset, vault, ALICE, 1_000n * USDC);
    await chain.send(ALICE, vault, 'deposit', [1_000n * USDC, ALICE]);
    const cooling = await termsOf('erc4626', vault, asset);
    expect(cooling).toMatchObject({ withdrawable: NONE, hasQueue: true });
    expect(cooling.periods).toEqual([{ name: 'cooldown', seconds: 2 * 86_400 }]);
    expect(cooling.deposits).toEqual({ assets: null });
    const leave = () => chain.send(ALICE, vault, 'withdraw', [USDC, ALICE, ALICE]);
    await expect(leave()).rejects.toThrow(Refused);
    await chain.send(OWNER, vault, 'setCooldownDuration', [0]);
    const open = await termsOf('erc4626', vault, asset);
    expect(open.withdrawable).toEqual({ exact: null, atLeast: 1_000n * USDC });
    expect(open.periods).toEqual([{ name: 'cooldown', seconds: 0 }]);
    await leave();
  });

  test('default: a receiver queue pays its idle assets less the fee', async () => {
    const { setting, yoUsd } = await deployYo(chain);
    const { vault, asset } = yoUsd;
    await chain.send(UPDATER, setting.oracle, 'updateSharePrice', [vault.address, 2n * USDC]);
    await chain.send(OWNER, vault, 'updateWithdrawFee', [10n ** 16n]);
    await fund(asset, vault, ALICE, 1_000n * USDC);
    await chain.send(ALICE, vault, 'deposit', [1_000n * USDC, ALICE]);
    const abi = asset.abi;
    const data = encodeFunctionData({
      abi,
      functionName: 'transfer',
      args: [STRATEGY, 700n * USDC],
    });
    await chain.send(OPERATOR, vault, 'manage', [asset.address, data, 0n]);
    const asked = 300n * USDC;
    const terms = await termsOf('receiver-queue', vault, asset, asked);
    expect(terms).toMatchObject({ withdrawable: { exact: asked, atLeast: asked }, hasQueue: true });
    expect(terms.shares).toBe(150n * USDC);
    const { gross, net } = terms.fee!;
    expect(gross).toBe(asked);
    const before = await chain.read(asset, 'balanceOf', [ALICE]);
    // A request one unit above what can be paid is queued in full.
    const shares = terms.shares! + USDC;
    await chain.send(ALICE, vault, 'requestRedeem', [shares, ALICE, ALICE]);
    expect(await chain.read(asset, 'balanceOf', [ALICE])).toBe(before);
    expect((await termsOf('receiver-queue', vault, asset)).withdrawable).toEqual(NONE);
    await chain.send(OPERATOR, vault, 'cancelRedeem', [ALICE, shares, 2n * shares]);
    await chain.send(ALICE, vault, 'requestRedeem', [terms.shares, ALICE, ALICE]);
    expect((await chain.read(asset, 'balanceOf', [ALICE])) - before).toBe(net);
  });

  test('default: ERC-7540 redemptions are queued, and a paused vault is closed', async () => {
    const [admin, safe, valuer, feeReceiver, protocolFeeReceiver] = addresses('lagoon', 5) as [
      ...[Address, Address, Address, Address, Address],
    ];
    const roles = { admin, safe, valuer, feeReceiver, protocolFeeReceiver };
    const { vault, asset } = await deployLagoon(chain, roles);
    const terms = await termsOf('erc7540', vault, asset, USDC);
    expect(terms).toMatchObject({ paused: false, isClosed: false, withdrawable: NONE });
    // The deposit limits of ERC-7540 vaults are the amounts that an account can claim.
    expect([terms.fee, terms.deposits]).toEqual([null, null]);
    await chain.send(admin, vault, 'pause', []);
    expect(await termsOf('erc7540', vault, asset)).toMatchObject({ paused: true, isClosed: true });
  });
});
