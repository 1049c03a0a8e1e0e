import type { FamilyConfig } from '../config/config.ts';
import type { Deployment } from './deployment.ts';
import type { Deployments } from './deployments.ts';
import { readable } from './notReadable.ts';
import type { StoredPositions } from './rows.ts';

/** A chain of a family, and the block up to which its positions are folded. */
export interface StoredDeployment {
  readonly deployment: Deployment;
  readonly block: number;
  /** How far the chain was read: a response may be newer than the folded positions. */
  readonly indexedBlock: number;
}

/** Throws NotReadable if one of the chains cannot be read, because positions cover all of them. */
export function loadStoredDeployments(
  deployments: Deployments,
  family: FamilyConfig,
  { sources, until }: Pick<StoredPositions, 'sources' | 'until'>,
): Promise<StoredDeployment[]> {
  return Promise.all(
    sources.map(async ({ chainId, indexedBlock }) => {
      const deployment = await deployments.load(family, chainId, { block: indexedBlock });
      const before = Math.max(0, deployment.chain.startBlock - 1);
      const reached = await readable(() => deployment.reader.blockAt(until, before));
      // An unreachable chain was read only up to here.
      return { deployment, indexedBlock, block: Math.min(indexedBlock, reached ?? before) };
    }),
  );
}
