import { encodeAbiParameters, parseAbiParameters, slice } from 'viem';
import { type Address, type Hex, lower } from '../../src/domain/hex.ts';
import { UNLIMITED } from './cast.ts';
import type { Contract, LocalChain } from './chain.ts';
import { behind, compiled } from './contracts.ts';

/** A Lagoon v0.5.1 vault over a token with 6 decimals, and who runs it. */
export interface Lagoon {
  readonly asset: Contract;
  readonly vault: Contract;
  /** Named by no getter. */
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
const ZERO = '0x0000000000000000000000000000000000000000';
const INIT = parseAbiParameters(
  '(address underlying, string name, string symbol, address safe, address whitelistManager, address valuationManager, address admin, address feeReceiver, uint16 managementRate, uint16 performanceRate, bool enableWhitelist, uint256 rateUpdateCooldown)',
);

/** With 2 % for management, 20 % of profits, and a tenth of both for the protocol. */
export async function deployLagoon(chain: LocalChain, roles: LagoonRoles): Promise<Lagoon> {
  const { admin, safe, valuer, feeReceiver, protocolFeeReceiver } = roles;
  const deploy = (name: string, args: readonly unknown[]) =>
    chain.deploy(admin, compiled(name), args);
  const proxied = async (name: string, initialize: readonly unknown[]) =>
    behind(chain, admin, compiled('ERC1967Proxy'), await deploy(name, [true]), { initialize });
  const asset = await deploy('MockERC20', ['USD Coin', 'USDC', 6]);
  const registry = await proxied('FeeRegistry', [admin, protocolFeeReceiver]);
  await chain.send(admin, registry, 'updateDefaultRate', [1000]);
  const data = encodeAbiParameters(INIT, [
    {
      underlying: asset.address,
      name: 'Lagoon USD',
      symbol: 'lgUSD',
      safe,
      whitelistManager: admin,
      valuationManager: valuer,
      admin,
      feeReceiver,
      managementRate: 200,
      performanceRate: 2000,
      enableWhitelist: false,
      rateUpdateCooldown: 0n,
    },
  ]);
  const vault = await proxied('Vault', [data, registry.address, ZERO]);
  await chain.send(safe, asset, 'approve', [vault.address, UNLIMITED]);
  const slot = await chain.rpc<Hex>('eth_getStorageAt', [vault.address, SILO_SLOT, 'latest']);
  return { ...roles, asset, vault, silo: lower(slice(slot, 12)) };
}
