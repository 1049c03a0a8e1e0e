import { useEffect, useRef } from 'preact/hooks';
import { Card } from '../parts/card.tsx';
import { TakeAway } from '../parts/download.tsx';
import { Empty, Notice, Skeleton, Trouble } from '../parts/states.tsx';
import { fileOf, Table } from '../parts/table.tsx';
import { useVaults } from '../state/api.ts';
import { useChainName } from '../state/chains.ts';
import { historyColumns } from './historyColumns.tsx';
import { HistoryFilters, useHistoryFilter } from './historyFilters.tsx';
import { keyOf } from './historyPages.ts';
import { useHistory } from './useHistory.ts';

/** What the wallet did, newest first; more comes as it is scrolled to. */
export function History({ wallet }: { readonly wallet: string }) {
  const filter = useHistoryFilter();
  const vaults = useVaults().data ?? [];
  const chainName = useChainName();
  const { items, incomplete, error, isLast, isLoading, more, retry } = useHistory(wallet, filter);
  const end = useRef<HTMLDivElement>(null);
  const columns = historyColumns(vaults, chainName);

  useEffect(() => {
    const watch = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) more();
    });
    watch.observe(end.current!);
    return () => watch.disconnect();
  }, [more]);

  return (
    <Card
      id="history"
      title="History"
      aside={
        <>
          <HistoryFilters filter={filter} vaults={vaults} />
          <TakeAway
            shown={{ name: `history-${wallet}`, ...fileOf(columns, items), json: () => items }}
          />
        </>
      }
    >
      {incomplete.length > 0 && (
        <Notice>
          <p>
            May be incomplete:{' '}
            {incomplete
              .map(
                ({ family, chainId, reason }) => `${family} on ${chainName(chainId)} (${reason})`,
              )
              .join(', ')}
            .
          </p>
        </Notice>
      )}
      {items.length > 0 && (
        <div class="cards">
          <Table caption="History" columns={columns} rows={items} rowKey={keyOf} />
        </div>
      )}
      {error !== undefined && <Trouble error={error} onRetry={retry} />}
      {isLoading && <Skeleton lines={3} />}
      {isLast && items.length === 0 && (
        <Empty>
          {Object.values(filter).some((one) => one !== '')
            ? 'Nothing matches these filters.'
            : 'This wallet did nothing in the families that are served here.'}
        </Empty>
      )}
      <div ref={end} class="end">
        {!isLast && !isLoading && error === undefined && (
          <button type="button" onClick={more}>
            Show more
          </button>
        )}
        {isLast && items.length > 0 && <small>That is all.</small>}
      </div>
    </Card>
  );
}
