import type { FamilyMarks, GovernancePageItem } from '@assay/client';
import { useGovernance } from '../activity/governance.tsx';
import { eventText } from '../activity/governanceText.ts';
import type { Mark } from '../chart/marks.ts';
import { plural } from '../format/text.ts';
import { useChainName } from '../state/chains.ts';
import { useLive } from '../state/live.ts';
import { readOwnFile } from '../state/ownFile.ts';
import { ofFamily } from '../state/topics.ts';

/** Returns what explains the charts of a family: reorgs, ranges that were not read, and governance changes. */
export function useMarks(slug: string): readonly Mark[] {
  const chainName = useChainName();
  const own = useLive<FamilyMarks>(
    `marks ${slug}`,
    (signal) => readOwnFile(`/dashboard/marks/${encodeURIComponent(slug)}`, signal),
    60_000,
    ofFamily(slug),
  ).data;
  const changes = useGovernance(slug).data;
  const { reorgs = [], gaps = [] } = own ?? {};
  return marksOf({ reorgs, gaps, items: changes?.items ?? [] }, chainName);
}

export function marksOf(
  { reorgs, gaps, items }: FamilyMarks & { readonly items: readonly GovernancePageItem[] },
  chainName: (chainId: number) => string,
): Mark[] {
  const seconds = (at: string) => Math.floor(Date.parse(at) / 1000);
  const marks: Mark[] = [
    ...reorgs.map(({ at, chainId, blockNumber, rows }): Mark => {
      const text = `Blocks of ${chainName(chainId)} from ${blockNumber} on were replaced: ${plural(rows, 'item')} removed and read again`;
      return { kind: 'reorg', at: seconds(at), text };
    }),
    ...gaps.map(({ from, to, chainId, fromBlock, toBlock }): Mark => {
      const text = `Blocks ${fromBlock} to ${toBlock} of ${chainName(chainId)} could not be read`;
      return { kind: 'gap', at: seconds(from), to: seconds(to), text };
    }),
    ...items.map(({ event, chainId, blockTimestamp, transactionHash }): Mark => {
      const text = `${eventText(event)} on ${chainName(chainId)}`;
      return { kind: 'governance', at: blockTimestamp, text, transactionHash };
    }),
  ];
  return marks.sort((a, b) => a.at - b.at);
}
