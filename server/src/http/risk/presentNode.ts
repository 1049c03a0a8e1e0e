import type { Address } from '../../domain/hex.ts';
import type { GradedNode } from '../../store/risk/read.ts';
import { checksummed } from '../checksum.ts';
import { NotFound, noSuch } from '../problem.ts';

export function presentNode({ node }: GradedNode) {
  const { facts } = node;
  const properties =
    'address' in facts && facts.address !== undefined
      ? { ...facts, address: presentAddress(facts.address) }
      : facts;
  return { id: node.id, labels: [node.label], properties };
}

export function presentGraded(node: GradedNode) {
  const { grade, breakdown } = node.graded;
  // The store does not keep the order of members.
  const riskBreakdown = breakdown.map(({ question, answer }) => ({ question, answer }));
  return { ...presentNode(node), _riskTier: grade, riskBreakdown };
}

/** Addresses of non-EVM chains are shown unchanged. */
export function presentAddress(address: string): string {
  return isEvmAddress(address) ? checksummed(address) : address;
}

function isEvmAddress(text: string): text is Address {
  return /^0x[0-9a-f]{40}$/.test(text);
}

export function existing<T>(node: T | undefined, name?: string): T {
  if (node === undefined) throw new NotFound(noSuch('node', name === undefined ? [] : [name]));
  return node;
}
