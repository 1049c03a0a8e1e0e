import { useEffect, useRef } from 'preact/hooks';
import { historyColumns } from '../activity/historyColumns.tsx';
import { keyOf } from '../activity/historyPages.ts';
import { useHistory } from '../activity/useHistory.ts';
import { Card } from '../components/card.tsx';
import { chainStateText } from '../components/chainStates.ts';
import { ViewActions } from '../components/download.tsx';
import { NewRows } from '../components/newRows.tsx';
import { Empty, ErrorNotice, Notice, Skeleton } from '../components/states.tsx';
import { fileOf, Table } from '../components/table.tsx';
import { useVaults } from '../state/api.ts';
import { useChainName } from '../state/chains.ts';
import { HistoryFilters, useHistoryFilter } from './historyFilters.tsx';

const PAGE = 50;

/** Lists the wallet's activity, newest first. Scrolling loads more. */
export function History({ wallet }: { readonly wallet: string }) {
  const filter = useHistoryFilter(wallet);
  const vaults = useVaults().data ?? [];
  const chainName = useChainName();
  const history = useHistory(filter, PAGE);
  const { items, incomplete, error, isLast, isLoading, more, retry } = history;
  const end = useRef<HTMLDivElement>(null);
  const columns = historyColumns(vaults, chainName, 'family');

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
          <ViewActions
            shown={{
              name: ['history', ...Object.values(filter).filter(Boolean)].join('-'),
              ...fileOf(columns, items),
              json: () => items,
            }}
          />
        </>
      }
    >
      <NewRows count={history.news} one="transaction" onShow={history.show} />
      {incomplete.length > 0 && (
        <Notice>
          <p>
            Items may be missing:{' '}
            {incomplete
              .map(({ family, chainId, reason }) =>
                chainStateText(`${family} on ${chainName(chainId)}`, reason),
              )
              .join('; ')}
            .
          </p>
        </Notice>
      )}
      {items.length > 0 && (
        <div class="cards">
          <Table caption="History" columns={columns} rows={items} rowKey={keyOf} />
        </div>
      )}
      {error !== undefined && <ErrorNotice error={error} onRetry={retry} />}
      {isLoading && <Skeleton lines={3} />}
      {isLast && items.length === 0 && (
        <Empty>
          {Object.entries(filter).some(([name, one]) => name !== 'user' && one !== '')
            ? 'No activity matches these filters.'
            : 'No activity in the vault families on this server.'}
        </Empty>
      )}
      <div ref={end} class="end">
        {!isLast && !isLoading && error === undefined && (
          <button type="button" onClick={more}>
            Show more
          </button>
        )}
        {isLast && items.length > 0 && <small>End of history.</small>}
      </div>
    </Card>
  );
}
