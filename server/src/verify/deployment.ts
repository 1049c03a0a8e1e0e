import type { FamilyChainConfig, FamilyConfig } from '../config/config.ts';
import { type Address, lower } from '../domain/hex.ts';
import type { Ask } from './ask.ts';
import type { ChainReader } from './chainReader.ts';
import type { Declaration } from './pools.ts';
import type { VaultLogs } from './vaultLogs.ts';

/** A family on one chain, from the configuration and the chain. */
export interface Deployment extends DeploymentReads {
  readonly reader: Pick<ChainReader, 'codeAt' | 'blockAt' | 'logs'>;
}

/** The data required to read its state at a block. */
export interface DeploymentReads {
  readonly family: FamilyConfig;
  readonly chain: FamilyChainConfig;
  /** The family that a feeder routes deposits into. */
  readonly master: FamilyConfig | null;
  readonly share: Address;
  readonly shareDecimals: number;
  readonly logs: VaultLogs;
  /** All pools that the registry ever declared, in order. */
  readonly declarations: readonly Declaration[];
  askAt(block: number): Ask;
  storageAt: ChainReader['storageAt'];
}

export function masterOf(
  families: readonly FamilyConfig[],
  { feederOf }: FamilyConfig,
): FamilyConfig | null {
  return families.find(({ slug }) => slug === feederOf) ?? null;
}

/** All vaults over the family's share token there, the one that sets its price first. */
export function vaultsOf({ address, vaults }: FamilyChainConfig): Address[] {
  return [...new Set([address, ...vaults].map(lower))];
}

/** A family's vault on a chain. */
export function vaultOn({ address, chains }: FamilyConfig, chainId: number): Address {
  return lower(chains.find((one) => one.chainId === chainId)?.address ?? address);
}

export function sameAddress(a: string, b: string | undefined): boolean {
  return a.toLowerCase() === b?.toLowerCase();
}
