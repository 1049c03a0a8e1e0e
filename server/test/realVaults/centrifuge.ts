import { stringToHex } from 'viem';
import { type Address, type Hex, lower } from '../../src/domain/hex.ts';
import type { Contract, LocalChain } from './chain.ts';
import { compiled, only } from './contracts.ts';

/** One of the vaults over the share, for one asset. */
export interface AssetVault {
  readonly vault: Contract;
  readonly asset: Contract;
  readonly assetId: bigint;
  readonly unit: bigint;
}

/** Centrifuge liquidity-pools v2: one pool, one tranche, two vaults over its token. */
export interface Centrifuge {
  /** Plays the other chain: prices, fulfilments. */
  readonly issuer: Address;
  readonly escrow: Contract;
  readonly share: Contract;
  readonly poolManager: Contract;
  readonly investmentManager: Contract;
  /** The family's own, for a token with 6 decimals. */
  readonly main: AssetVault;
  /** For a token with 18. */
  readonly second: AssetVault;
}

export const POOL = 7n;
export const TRANCHE = '0x00000000000000000000000000000001';
const ZERO = '0x0000000000000000000000000000000000000000';
const key = (name: string) => stringToHex(name, { size: 32 });

export async function deployCentrifuge(chain: LocalChain, issuer: Address): Promise<Centrifuge> {
  const deploy = (name: string, args: readonly unknown[] = []) =>
    chain.deploy(issuer, compiled(name), args);
  const send = (to: Contract, fn: string, args: readonly unknown[]) =>
    chain.send(issuer, to, fn, args);
  const escrow = await deploy('Escrow', [issuer]);
  const root = await deploy('Root', [escrow.address, 3600n, issuer]);
  const vaults = await deploy('ERC7540VaultFactory', [root.address]);
  const tranches = await deploy('TrancheFactory', [root.address, issuer]);
  const restrictions = await deploy('RestrictionManager', [root.address, issuer]);
  const investmentManager = await deploy('InvestmentManager', [root.address, escrow.address]);
  const poolManager = await deploy('PoolManager', [
    ...[escrow.address, vaults.address, tranches.address],
  ]);
  const gateway = await deploy('NullGateway');
  await send(root, 'endorse', [escrow.address]);
  for (const one of [escrow, vaults, tranches, restrictions]) {
    await send(one, 'rely', [poolManager.address]);
  }
  await send(investmentManager, 'rely', [vaults.address]);
  await send(poolManager, 'file', [key('investmentManager'), investmentManager.address]);
  await send(investmentManager, 'file', [key('poolManager'), poolManager.address]);
  for (const one of [poolManager, investmentManager]) {
    await send(one, 'file', [key('gateway'), gateway.address]);
  }
  await send(poolManager, 'addPool', [POOL]);
  await send(poolManager, 'addTranche', [POOL, TRANCHE, 'Senior', 'SEN', 18, ZERO]);
  await send(poolManager, 'deployTranche', [POOL, TRANCHE]);

  async function open(name: string, decimals: number, assetId: bigint): Promise<AssetVault> {
    const asset = await deploy('MockERC20', [name, name, decimals]);
    await send(poolManager, 'addAsset', [assetId, asset.address]);
    await send(poolManager, 'allowAsset', [POOL, assetId]);
    await send(poolManager, 'deployVault', [POOL, TRANCHE, asset.address]);
    const args = [POOL, TRANCHE, assetId];
    const address = lower(await chain.read<Hex>(byAssetId(poolManager), 'getVault', args));
    const { abi } = compiled('ERC7540Vault');
    return { vault: { address, abi }, asset, assetId, unit: 10n ** BigInt(decimals) };
  }

  const main = await open('USDC', 6, 1n);
  const second = await open('DAI', 18, 2n);
  const address = lower(await chain.read<Hex>(main.vault, 'share'));
  const share = { address, abi: compiled('Tranche').abi };
  return { issuer, escrow, share, poolManager, investmentManager, main, second };
}

/** Of the two functions with three inputs, the one by the asset's id. */
function byAssetId(contract: Contract): Contract {
  const abi = only(contract, 'getVault', 3).abi.filter(
    (item) =>
      item.type !== 'function' || item.name !== 'getVault' || item.inputs[2]!.type === 'uint128',
  );
  return { address: contract.address, abi };
}
