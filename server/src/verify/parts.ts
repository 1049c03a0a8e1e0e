import { RpcError } from '../chain/rpcError.ts';
import type { Config, FamilyConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import { need, Unanswered } from './ask.ts';
import { contractsOf, type FamilyOnChain, masterOf } from './familyOnChain.ts';
import { createNode, type Node } from './node.ts';

/** Families on chains, read once in a run and again only when more of the chain is needed. */
export interface Parts {
  /** With every event up to a block, and up to an instant; throws NotReadable. */
  load(family: FamilyConfig, chainId: number, needed: Needed): Promise<FamilyOnChain>;
  /** What is read from now on is read anew. */
  forget(): void;
  close(): void;
}

export interface Needed {
  readonly block?: number;
  /** Unix seconds; the head must be past it. */
  readonly past?: number;
}

/** A chain cannot be checked; the message is safe to show. */
export class NotReadable extends Error {
  override readonly name = 'NotReadable';
  /** Whether it will fail whatever is asked of that chain. */
  readonly lasting: boolean;

  constructor(message: string, lasting = false) {
    super(message);
    this.lasting = lasting;
  }
}

interface Loaded {
  readonly part: FamilyOnChain;
  readonly head: { readonly number: number; readonly time: number };
}

export function createParts(config: Pick<Config, 'chains' | 'families'>): Parts {
  const nodes = new Map<number, Node>();
  const known = new Map<string, Loaded>();
  // A node that did not answer after several tries is not waited for again by every family.
  const dead = new Map<number, NotReadable>();
  return {
    async load(family, chainId, needed) {
      const key = `${family.slug} ${chainId}`;
      let loaded = known.get(key);
      if (loaded === undefined || !reaches(loaded, needed)) {
        const failed = dead.get(chainId);
        if (failed !== undefined) throw failed;
        loaded = await readable(() => read(family, chainId)).catch((error: unknown) => {
          if (error instanceof NotReadable && error.lasting) dead.set(chainId, error);
          throw error;
        });
        known.set(key, loaded);
      }
      if (reaches(loaded, needed)) return loaded.part;
      throw new NotReadable('its node has not come as far as the store; wait for it');
    },
    forget: () => known.clear(),
    close() {
      for (const node of nodes.values()) node.close();
    },
  };

  async function read(family: FamilyConfig, chainId: number): Promise<Loaded> {
    const chain = family.chains.find((one) => one.chainId === chainId);
    if (chain === undefined) throw new NotReadable('the family is no longer configured on it');
    const node = nodeOf(chainId);
    const head = await node.head();
    const ask = node.askAt(head.number);
    const own = await ask<Address>(family.address, 'share() view returns (address)');
    const share = own ?? family.address;
    const shareDecimals = await need<number>(ask, share, 'decimals() view returns (uint8)');
    const contracts = contractsOf(family, chain, share);
    const events = await node.events(contracts, chain.startBlock, head.number);
    const master = masterOf(config.families, family);
    const part = { family, chain, master, share, shareDecimals, events, askAt: node.askAt };
    return { part, head };
  }

  function nodeOf(chainId: number): Node {
    let node = nodes.get(chainId);
    if (node === undefined) {
      const chain = config.chains.find((one) => one.chainId === chainId);
      if (!chain?.rpcUrls.length) throw new NotReadable('it has no RPC URL');
      node = createNode(chain);
      nodes.set(chainId, node);
    }
    return node;
  }
}

/** What a chain answers; whatever keeps it from answering as NotReadable. */
export async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RpcError) throw new NotReadable(error.safeText, error.retry);
    if (error instanceof Unanswered) throw new NotReadable(error.message);
    throw error;
  }
}

function reaches({ head }: Loaded, { block = 0, past = 0 }: Needed): boolean {
  return head.number >= block && head.time > past;
}
