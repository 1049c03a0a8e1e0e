import { RpcRefused } from '../chain/rpcError.ts';
import { type Address, type Hex, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import type { Ask } from './ask.ts';
import { type DeploymentReads, vaultsOf } from './deployment.ts';
import { addressIn } from './vaultLogs.ts';

/** The storage slot of the silo's address in Lagoon's vaults, which have no getter for it. */
const SILO_SLOT: Hex = '0x5c74d456014b1c0eb4368d944667a568313858a3029a650ff0cb7b56f8b57a08';

const GETTERS = ['escrow', 'silo', 'pendingSilo'];
/** On the contract that a vault reports as its manager. */
const MANAGER_GETTERS = ['globalEscrow', 'escrow'];

/** The vaults themselves, and every account that they report as a holder for others. */
export async function findEscrows(deployment: DeploymentReads, block: number): Promise<Address[]> {
  const ask = deployment.askAt(block);
  const vaults = vaultsOf(deployment.chain);
  const named = await Promise.all(vaults.map((vault) => namedBy(deployment, ask, vault, block)));
  return [...new Set([...vaults, ...named.flat()])];
}

/** A queue outside the vault: a withdrawal manager that the vault's manager reports, and how to reach it. */
export async function findExitQueue(ask: Ask, vault: Address): Promise<Address[]> {
  const manager = await ask<Address>(vault, 'manager() view returns (address)');
  if (manager === undefined || lower(manager) === ZERO_ADDRESS) return [];
  const queue = await ask<Address>(manager, 'withdrawalManager() view returns (address)');
  if (queue === undefined || lower(queue) === ZERO_ADDRESS) return [];
  return [lower(manager), lower(queue)];
}

async function namedBy(deployment: DeploymentReads, ask: Ask, vault: Address, block: number) {
  const addressOf = (to: Address, name: string) =>
    ask<Address>(to, `${name}() view returns (address)`);
  const [manager, slot, ...own] = await Promise.all([
    addressOf(vault, 'manager'),
    siloOf(deployment, vault, block),
    ...GETTERS.map((name) => addressOf(vault, name)),
  ]);
  const managed =
    manager === undefined
      ? []
      : await Promise.all(MANAGER_GETTERS.map((name) => addressOf(manager, name)));
  return [...own, ...managed, slot].flatMap((one) =>
    one === undefined || lower(one) === ZERO_ADDRESS ? [] : [lower(one)],
  );
}

async function siloOf(
  deployment: DeploymentReads,
  vault: Address,
  block: number,
): Promise<Address | undefined> {
  try {
    return addressIn(await deployment.storageAt(vault, SILO_SLOT, block));
  } catch (error) {
    // An RPC endpoint that returns no storage: missing accounts show up in the sums.
    if (error instanceof RpcRefused) return undefined;
    throw error;
  }
}
