import { type FlagValues, readWholeNumber } from '../../cli/flags.ts';

export const NODE_FLAGS = {
  chain: { value: 'ID', text: 'Chain id, if the address is used on several chains' },
} as const;

/** The node to buy: id, address, or unique key, and an optional chain. */
export interface NodeName {
  readonly nodeId: string;
  readonly chainId?: number;
}

export function readNode(flags: FlagValues, nodeId: string): NodeName {
  const chainId = readWholeNumber(flags, 'chain', { from: 1, to: Number.MAX_SAFE_INTEGER });
  return { nodeId, ...(chainId !== undefined && { chainId }) };
}

/** Converts it to the client's parameters. */
export function parametersOf({ nodeId, chainId }: NodeName): NodeName {
  return { nodeId, ...(chainId !== undefined && { chainId }) };
}
