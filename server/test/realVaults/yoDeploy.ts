import { toFunctionSelector } from 'viem';
import { type Address, type Hex, lower } from '../../src/domain/hex.ts';
import type { Contract, LocalChain } from './chain.ts';
import { behind, npmCompiled } from './contracts.ts';
import { account, OWNER } from './plainScenario.ts';

/** Addresses hard-coded in the vaults. */
const ORACLE: Address = lower('0x6E879d0CcC85085A709eBf5539224f53d0D396B0');
export const YO_USD: Address = lower('0x0000000f2eB9f69274678c76222B35eEc7588a65');

export const OPERATOR = account(0x09e7n);
export const UPDATER = account(0x09dan);
export const STRATEGY = account(0x57a7n);
export const FEE_RECIPIENT = account(0xfee5n);
const PROXY_OWNER = account(0x9a09n);
const ROLE = 1;

export interface YoVault {
  readonly chain: LocalChain;
  readonly vault: Contract;
  readonly asset: Contract;
  /** The vault whose oracle entry is the price. */
  readonly priced: Address;
  readonly startBlock: number;
}

/** Contracts that all vaults of a chain share. */
export interface YoSetting {
  readonly chain: LocalChain;
  readonly oracle: Contract;
  readonly authority: Contract;
  readonly gateway: Contract;
}

/** Deploys in a fixed order, so that a vault has the same address on two chains. */
export async function deployYo(
  chain: LocalChain,
): Promise<{ setting: YoSetting; yoUsd: YoVault; yoUsdt: YoVault }> {
  const oracle = await placeOracle(chain);
  const authority = await chain.deploy(OWNER, await npmCompiled('YoAuthority'));
  const gateway = await chain.deploy(OWNER, await npmCompiled('YoGateway'));
  const setting = { chain, oracle, authority, gateway };
  await chain.send(OWNER, authority, 'setUserRole', [OPERATOR, ROLE, true]);
  const yoUsd = await openVault(setting, 'YoVault_V2', 'USDC');
  const yoUsdt = await openVault(setting, 'yoUSDT', 'USDT', YO_USD);
  return { setting, yoUsd, yoUsdt };
}

async function openVault(
  { chain, authority, gateway }: YoSetting,
  name: string,
  token: string,
  priced?: Address,
): Promise<YoVault> {
  const asset = await chain.deploy(OWNER, await npmCompiled('Token'), [token, 6]);
  const logic = await chain.deploy(OWNER, await npmCompiled(name), [asset.address]);
  const args = { proxy: [PROXY_OWNER], initialize: [OWNER, name, name] };
  const vault = await behind(chain, OWNER, await npmCompiled('YoProxy'), logic, args);
  const startBlock = chain.tip.number;
  await chain.send(OWNER, vault, 'setAuthority', [authority.address]);
  await chain.send(OWNER, gateway, 'addYoVault', [vault.address]);
  await chain.send(OWNER, vault, 'updateFeeRecipient', [FEE_RECIPIENT]);
  for (const [target, signature] of [
    [vault, 'manage(address,bytes,uint256)'],
    [vault, 'fulfillRedeem(address,uint256,uint256)'],
    [vault, 'cancelRedeem(address,uint256,uint256)'],
    [asset, 'transfer(address,uint256)'],
  ] as const) {
    const selector = toFunctionSelector(`function ${signature}`);
    await chain.send(OWNER, authority, 'setRoleCapability', [ROLE, target.address, selector, true]);
  }
  return { chain, vault, asset, priced: priced ?? vault.address, startBlock };
}

/** Copies the oracle's code, with a window of one day and a limit of 10% change, to the address that the vaults use. */
async function placeOracle(chain: LocalChain): Promise<Contract> {
  const made = await chain.deploy(OWNER, await npmCompiled('YoOracle'), [
    ...[UPDATER, 86_400, 100_000_000],
  ]);
  const code = await chain.rpc<Hex>('eth_getCode', [made.address, 'latest']);
  await chain.rpc('hardhat_setCode', [ORACLE, code]);
  return { address: ORACLE, abi: made.abi };
}
