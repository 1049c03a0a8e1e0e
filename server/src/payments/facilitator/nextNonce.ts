import type { Address } from '../../domain/hex.ts';
import type { Nodes } from '../chain/nodes.ts';
import { readCount } from './nonceCount.ts';
import type { Slots } from './slots.ts';

/** The next nonce of a key that no slot has. */
export interface NextNonce {
  /** Reads it from the chain if it is unknown. Throws NodesUnavailable. */
  find(): Promise<number>;
  /** Records that the nonces before this one have slots. */
  set(nonce: number): void;
  /** It is unknown from now on: assigned nonces were not used after all, or another sender used them. */
  lose(): void;
  /** How often it became unknown. */
  losses(): number;
}

export function createNextNonce(deps: {
  readonly nodes: Nodes;
  readonly address: Address;
  readonly slots: Pick<Slots, 'end'>;
}): NextNonce {
  const { nodes, address, slots } = deps;
  let next: number | undefined;
  let losses = 0;
  return {
    find: async () => next ?? (await readFree()),
    set: (nonce) => {
      next = nonce;
    },
    lose: () => {
      next = undefined;
      losses += 1;
    },
    losses: () => losses,
  };

  /** After the pool's count and after the nonces in use: an RPC endpoint may have dropped transactions. */
  async function readFree(): Promise<number> {
    const pending = await readCount(nodes, address, 'pending');
    return Math.max(pending, slots.end());
  }
}
