import { slice } from 'viem';
import { type Address, type Hex, lower } from '../../src/domain/hex.ts';
import { UNLIMITED } from './cast.ts';
import type { Contract, LocalChain } from './chain.ts';
import { behind, npmCompiled } from './contracts.ts';

/** A Lagoon v0.5.1 vault over a token with 6 decimals, and the accounts that run it. */
export interface Lagoon {
  readonly asset: Contract;
  readonly vault: Contract;
  /** No getter returns it. */
  readonly silo: Address;
  readonly safe: Address;
  readonly admin: Address;
  readonly valuer: Address;
  readonly feeReceiver: Address;
  readonly protocolFeeReceiver: Address;
}

export type LagoonRoles = Pick<
  Lagoon,
  'safe' | 'admin' | 'valuer' | 'feeReceiver' | 'protocolFeeReceiver'
>;

const SILO_SLOT = '0x5c74d456014b1c0eb4368d944667a568313858a3029a650ff0cb7b56f8b57a08';

/** Deploys the vault with a 2% management fee and a 20% performance fee; the protocol takes a tenth of both. */
export async function deployLagoon(chain: LocalChain, roles: LagoonRoles): Promise<Lagoon> {
  const { admin, safe, valuer, feeReceiver, protocolFeeReceiver } = roles;
  const asset = await chain.deploy(admin, await npmCompiled('Token'), ['USDC', 6]);
  const logic = await chain.deploy(admin, await npmCompiled('LagoonVault'), [asset.address]);
  const setup = {
    name: 'Lagoon USD',
    symbol: 'lgUSD',
    safe,
    valuationManager: valuer,
    admin,
    feeReceiver,
    protocolFeeReceiver,
    managementRate: 200,
    performanceRate: 2000,
    protocolRate: 1000,
  };
  const proxy = await npmCompiled('LagoonProxy');
  const vault = await behind(chain, admin, proxy, logic, { initialize: [setup] });
  await chain.send(safe, asset, 'approve', [vault.address, UNLIMITED]);
  const slot = await chain.rpc<Hex>('eth_getStorageAt', [vault.address, SILO_SLOT, 'latest']);
  return { ...roles, asset, vault, silo: lower(slice(slot, 12)) };
}
