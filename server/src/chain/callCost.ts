import type { ChainConfig } from '../config/config.ts';

/**
 * Returns what a method takes of a URL's rate, in calls. Where a plan is billed in compute units, one call is an
 * `eth_call`, so that learned rates mean the same with and without units.
 */
export type CallCost = (method: string) => number;

export function createCallCost({ computeUnits }: Pick<ChainConfig, 'computeUnits'>): CallCost {
  if (computeUnits === undefined) return () => 1;
  const { eth_call: reference, ...others } = computeUnits.methods;
  const units = new Map<string, number>(Object.entries(others));
  return (method) => (units.get(method) ?? reference) / reference;
}

/** Returns the configured rate of each URL, in calls per second; undefined where the rate is learned. */
export function configuredRate(
  chain: Pick<ChainConfig, 'callsPerSecond' | 'computeUnits'>,
): number | undefined {
  const { callsPerSecond, computeUnits } = chain;
  if (computeUnits === undefined) return callsPerSecond;
  return computeUnits.perSecond / computeUnits.methods.eth_call;
}
