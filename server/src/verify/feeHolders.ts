import { RpcRefused } from '../chain/rpcError.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../domain/hex.ts';
import type { DeploymentReads } from './deployment.ts';
import { addressIn } from './vaultLogs.ts';

/**
 * The storage slots of the withdraw manager in IPOR Fusion's vaults, which have no getter: now, and before a
 * correction.
 */
const SLOTS: readonly Hex[] = [
  '0x465d2ff0062318fe6f4c7e9ac78cfcd70bc86a1d992722875ef83a9770513100',
  '0xb37e8684757599da669b8aea811ee2b3693b2582d2c730fab3f4965fa2ec3e11',
];

/** Accounts with shares that were taken as fees and will be burned. */
export async function findFeeHolders(
  deployment: DeploymentReads,
  block: number,
): Promise<Address[]> {
  const ask = deployment.askAt(block);
  const found = new Set<Address>();
  for (const slot of SLOTS) {
    const address = await addressAt(deployment, slot, block);
    if (address === ZERO_ADDRESS) continue;
    const fee = await ask<bigint>(address, 'getRequestFee() view returns (uint256)');
    if (fee !== undefined) found.add(address);
  }
  return [...found];
}

async function addressAt({ chain, storageAt }: DeploymentReads, slot: Hex, block: number) {
  try {
    return addressIn(await storageAt(chain.address, slot, block));
  } catch (error) {
    // An RPC endpoint that returns no storage: missing accounts show up in the sums.
    if (error instanceof RpcRefused) return ZERO_ADDRESS;
    throw error;
  }
}
