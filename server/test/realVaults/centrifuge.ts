import { type Address, type Hex, lower } from '../../src/domain/hex.ts';
import type { Contract, LocalChain } from './chain.ts';
import { npmCompiled } from './contracts.ts';

/** A vault for one asset, over the shared share token. */
export interface AssetVault {
  readonly vault: Contract;
  readonly asset: Contract;
  readonly assetId: bigint;
  readonly unit: bigint;
}

/** Centrifuge liquidity-pools v2: one pool, one tranche, and two vaults over its token. */
export interface Centrifuge {
  /** Acts as the other chain: sends prices and fulfilments. */
  readonly issuer: Address;
  readonly escrow: Contract;
  readonly share: Contract;
  readonly poolManager: Contract;
  readonly investmentManager: Contract;
  /** The vault that the family is configured with; its token has 6 decimals. */
  readonly main: AssetVault;
  /** The vault for a token with 18 decimals. */
  readonly second: AssetVault;
}

export const POOL = 7n;
export const TRANCHE = '0x00000000000000000000000000000001';

export async function deployCentrifuge(chain: LocalChain, issuer: Address): Promise<Centrifuge> {
  const deploy = async (name: string, args: readonly unknown[] = []) =>
    chain.deploy(issuer, await npmCompiled(name), args);
  const send = (to: Contract, fn: string, args: readonly unknown[]) =>
    chain.send(issuer, to, fn, args);
  /** Returns a contract that another contract deployed. */
  const made = async (name: string, by: Contract, fn: string, args: readonly unknown[] = []) => {
    const address = lower(await chain.read<Hex>(by, fn, args));
    return { address, abi: (await npmCompiled(name)).abi };
  };
  const investmentManager = await deploy('CentrifugeInvestmentManager');
  const poolManager = await deploy('CentrifugePoolManager', [investmentManager.address]);
  await send(investmentManager, 'setPoolManager', [poolManager.address]);
  await send(poolManager, 'deployTranche', [POOL, TRANCHE, 'Senior', 'SEN', 18]);

  async function open(name: string, decimals: number, assetId: bigint): Promise<AssetVault> {
    const asset = await deploy('Token', [name, decimals]);
    await send(poolManager, 'addAsset', [assetId, asset.address]);
    await send(poolManager, 'deployVault', [POOL, TRANCHE, asset.address]);
    const args = [POOL, TRANCHE, assetId];
    const vault = await made('CentrifugeVault', poolManager, 'getVault', args);
    return { vault, asset, assetId, unit: 10n ** BigInt(decimals) };
  }

  const main = await open('USDC', 6, 1n);
  const second = await open('DAI', 18, 2n);
  const escrow = await made('CentrifugeEscrow', poolManager, 'escrow');
  const share = await made('CentrifugeShare', main.vault, 'share');
  return { issuer, escrow, share, poolManager, investmentManager, main, second };
}
