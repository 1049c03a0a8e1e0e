import type { FamilyChainConfig, FamilyConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import type { Ask } from './ask.ts';
import type { ChainEvent } from './events.ts';

/** A family on one chain, as the configuration names it and the chain shows it. */
export interface FamilyOnChain {
  readonly family: FamilyConfig;
  readonly chain: FamilyChainConfig;
  /** The family that a feeder routes deposits into; its price entry serves both. */
  readonly master: FamilyConfig | null;
  readonly share: Address;
  readonly shareDecimals: number;
  /** Of its contracts, from its first block on, in order. */
  readonly events: readonly ChainEvent[];
  askAt(block: number): Ask;
}

export function masterOf(
  families: readonly FamilyConfig[],
  { feederOf }: FamilyConfig,
): FamilyConfig | null {
  return families.find(({ slug }) => slug === feederOf) ?? null;
}

/** The first settlement chain, whose share price is the family's. */
export function priceChainOf({ chains }: FamilyConfig): FamilyChainConfig {
  return chains.find(({ role }) => role === 'settlement')!;
}

/** The contracts whose events tell of a family; the share token may stand apart from the vault. */
export function contractsOf(
  { address }: FamilyConfig,
  { oracle, registry }: FamilyChainConfig,
  share: Address,
): Address[] {
  const all = [address, share, oracle, registry].filter((one) => one !== undefined);
  return [...new Set(all.map((one) => one.toLowerCase() as Address))];
}
