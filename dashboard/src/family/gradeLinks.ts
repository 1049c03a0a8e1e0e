import type { FamilyNodes, Pool } from '@assay/client';
import { useLive } from '../state/live.ts';
import { readOwnFile } from '../state/ownFile.ts';
import { priceText, useSettings } from '../state/settings.ts';

/** Where the grades of a family and its pools are sold. */
export interface GradeLinks {
  /** Such as $0.05; null if nothing is sold. */
  readonly price: string | null;
  readonly vault: string | undefined;
  of(pool: Pick<Pool, 'chainId' | 'offchainId'>): string | undefined;
}

export function useGradeLinks(slug: string): GradeLinks {
  const payments = useSettings().data?.payments;
  const { data } = useLive<FamilyNodes>(
    `nodes ${slug}`,
    (signal) => readOwnFile(`/dashboard/nodes/${encodeURIComponent(slug)}`, signal),
    3_600_000,
  );
  return {
    price: payments ? priceText(BigInt(payments.prices.node)) : null,
    vault: data && hrefOf(data.vault),
    of(pool) {
      const found = data?.pools.find(
        ({ chainId, offchainId }) => chainId === pool.chainId && offchainId === pool.offchainId,
      );
      return found && hrefOf(found.nodeId);
    },
  };
}

function hrefOf(nodeId: string): string {
  return `/risk/${encodeURIComponent(nodeId)}`;
}
