import type { AlertRuleConfig, Config, FamilyConfig } from '../../config/config.ts';
import { type AlertRule, isPerChain } from '../../domain/alerts/rule.ts';
import type { Decimal } from '../../domain/amount.ts';
import { chainSlug } from '../../domain/risk/aliases.ts';
import { poolId } from '../../domain/risk/nodeId.ts';
import type { Registered } from '../register.ts';

/** A family with the alerts of the configuration that are about it. */
export interface FamilyToWatch {
  readonly familyId: number;
  readonly family: FamilyConfig;
  readonly rules: readonly AlertRuleConfig[];
  /** Chain of alerts that are about the entire family: its first settlement chain that is read, or else its first chain. */
  readonly chainId: number;
  /** Its node in the risk graph. */
  readonly nodeId: string;
}

/** Families with alerts, of all chains that are read. */
export function familiesToWatch(
  config: Pick<Config, 'alerts' | 'chains'>,
  allRegistered: readonly Registered[],
): FamilyToWatch[] {
  const rules = config.alerts?.rules ?? [];
  const watched = new Map<number, FamilyToWatch>();
  for (const { source, familyId } of allRegistered) {
    if (source.kind !== 'family' || watched.has(familyId!)) continue;
    const { family } = source;
    const own = rules.filter(({ families }) => families.includes(family.slug));
    if (own.length === 0) continue;
    const read = family.chains.filter(({ chainId }) =>
      allRegistered.some((one) => one.familyId === familyId && one.source.chainId === chainId),
    );
    const { chainId, address } = read.find(({ role }) => role === 'settlement') ?? read[0]!;
    const { name } = config.chains.find((chain) => chain.chainId === chainId)!;
    const nodeId = poolId(chainSlug(name), address);
    watched.set(familyId!, { familyId: familyId!, family, rules: own, chainId, nodeId });
  }
  return [...watched.values()];
}

/** The chains that an alert of a family is evaluated for on its own. */
export function chainsOf(rule: AlertRuleConfig, { family, chainId }: FamilyToWatch): number[] {
  return isPerChain(rule.kind) ? family.chains.map((chain) => chain.chainId) : [chainId];
}

/** The rule in base units. */
export function ruleFor(rule: AlertRuleConfig, assetDecimals: number): AlertRule {
  const decimals = rule.kind.match(/^large-|^queue-/) ? assetDecimals : 0;
  const { name, kind, within, silence, band } = rule;
  return {
    ...{ name, kind, within, silence },
    ...(band !== undefined && { band }),
    fire: scaled(rule.fire, decimals),
    clear: scaled(rule.clear, decimals),
  };
}

/** Rounds down, so that what clears stays below what fires. */
function scaled({ value, decimals }: Decimal, to: number): bigint {
  return (value * 10n ** BigInt(to)) / 10n ** BigInt(decimals);
}
