import type { Address } from '../../domain/hex.ts';
import type { GradedNode } from '../../store/risk/read.ts';
import { checksummed } from '../checksum.ts';
import { NotFound } from '../problem.ts';

export function presentNode({ node }: GradedNode) {
  const { facts } = node;
  const properties =
    'address' in facts && facts.address !== undefined
      ? { ...facts, address: presentAddress(facts.address) }
      : facts;
  return { id: node.id, labels: [node.label], properties };
}

/** Other chains' addresses are shown as they are. */
export function presentAddress(address: string): string {
  return isEvmAddress(address) ? checksummed(address) : address;
}

function isEvmAddress(text: string): text is Address {
  return /^0x[0-9a-f]{40}$/.test(text);
}

export function existing(node: GradedNode | undefined): GradedNode {
  if (node === undefined) throw new NotFound('there is no such node; search finds ids');
  return node;
}
