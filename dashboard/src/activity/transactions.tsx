import { Card } from '../components/card.tsx';
import { ViewActions } from '../components/download.tsx';
import { NewRows } from '../components/newRows.tsx';
import { Empty, ErrorNotice, Skeleton } from '../components/states.tsx';
import { fileOf, Table } from '../components/table.tsx';
import { useVaults } from '../state/api.ts';
import { useChainName } from '../state/chains.ts';
import { historyColumns } from './historyColumns.tsx';
import type { HistoryFilter } from './historyFilter.ts';
import { keyOf } from './historyPages.ts';
import { useHistory } from './useHistory.ts';

/** Lists the deposits and redemptions of a family, or of all, newest first. */
export function Transactions({
  family,
  period,
  pageSize,
}: {
  readonly family: string;
  readonly period: HistoryFilter['period'];
  readonly pageSize: number;
}) {
  const history = useHistory({ user: '', family, chain: '', type: '', period }, pageSize);
  const { items, error, isLast, isLoading, more, retry } = history;
  const by = family === '' ? 'family' : 'wallet';
  const columns = historyColumns(useVaults().data ?? [], useChainName(), by);
  return (
    <Card
      id="transactions"
      title={period === '1d' ? 'Transactions, 24 h' : 'Transactions'}
      aside={
        items.length > 0 && (
          <ViewActions
            shown={{
              name: [family, 'transactions'].filter(Boolean).join('-'),
              ...fileOf(columns, items),
              json: () => items,
            }}
          />
        )
      }
    >
      <NewRows count={history.news} one="transaction" onShow={history.show} />
      {items.length > 0 && (
        <div class="cards">
          <Table caption="Transactions" columns={columns} rows={items} rowKey={keyOf} />
        </div>
      )}
      {error !== undefined && <ErrorNotice error={error} onRetry={retry} />}
      {isLoading && items.length === 0 && <Skeleton lines={pageSize} />}
      {isLast && items.length === 0 && <Empty>No transactions yet.</Empty>}
      {!isLast && error === undefined && items.length > 0 && (
        <p class="end">
          <button type="button" disabled={isLoading} onClick={more}>
            Show more
          </button>
        </p>
      )}
    </Card>
  );
}
