import { getPendingRedeems, type ListedVault, type PendingRedeem } from '@assay/client';
import { decimalText } from '../format/amount.ts';
import { Card } from '../parts/card.tsx';
import { TakeAway } from '../parts/download.tsx';
import { Await, Empty, Notice } from '../parts/states.tsx';
import { type Column, fileOf, Table } from '../parts/table.tsx';
import { Amount } from '../parts/values.tsx';
import { client, useVaults } from '../state/api.ts';
import { useChainName } from '../state/chains.ts';
import { useLive } from '../state/live.ts';

type Row = PendingRedeem<bigint>;

/** What the wallet waits for, read from the chains just now. */
export function Pending({ wallet }: { readonly wallet: string }) {
  const live = useLive(
    `pending ${wallet}`,
    (signal) => getPendingRedeems(client, { walletAddress: wallet, signal, amounts: 'bigint' }),
    15_000,
  );
  const nameOf = useChainName();
  const columns = pendingColumns(nameOf, useVaults().data ?? []);
  return (
    <Card
      id="pending"
      title="Pending redemptions"
      aside={
        live.data && live.data.redeems.length > 0 ? (
          <TakeAway
            shown={{
              name: `pending-${wallet}`,
              ...fileOf(columns, live.data.redeems),
              json: () => live.data,
            }}
          />
        ) : undefined
      }
    >
      <Await live={live} lines={2}>
        {({ redeems, incompleteChains }) => (
          <>
            {incompleteChains.length > 0 && (
              <Notice>
                <p>
                  {incompleteChains.map(nameOf).join(', ')} could not be read just now: redemptions
                  there may be missing.
                </p>
              </Notice>
            )}
            {redeems.length === 0 ? (
              <Empty>Nothing of this wallet waits in a queue.</Empty>
            ) : (
              <div class="cards">
                <Table
                  caption="Pending redemptions"
                  columns={columns}
                  rows={redeems}
                  rowKey={({ chainId, vault }) => `${chainId} ${vault}`}
                />
              </div>
            )}
          </>
        )}
      </Await>
    </Card>
  );
}

function pendingColumns(
  chainName: (chainId: number) => string,
  vaults: readonly ListedVault<bigint>[],
): readonly Column<Row>[] {
  const queueOf = ({ family }: Row) =>
    vaults.find(({ slug }) => slug === family)?.stats?.pendingRedemptionAssets ?? null;
  const amount = (key: 'requestedAssets' | 'currentAssets', label: string): Column<Row> => ({
    key,
    label,
    numeric: true,
    value: (row) => decimalText(row[key], row.baseAssetDecimals),
    render: (row) => (
      <Amount units={row[key]} decimals={row.baseAssetDecimals} symbol={row.baseAssetSymbol} />
    ),
  });
  return [
    {
      key: 'family',
      label: 'Family',
      value: ({ family }) => family,
      render: ({ family, chainId }) => (
        <span class="who">
          <a data-own href={`/family/${encodeURIComponent(family)}`}>
            {family}
          </a>
          <small>{chainName(chainId)}</small>
        </span>
      ),
    },
    {
      key: 'shares',
      label: 'Shares',
      numeric: true,
      value: ({ shares, shareDecimals }) => decimalText(shares, shareDecimals),
      render: ({ shares, shareDecimals }) => <Amount units={shares} decimals={shareDecimals} />,
    },
    amount('requestedAssets', 'Requested'),
    amount('currentAssets', 'Worth now'),
    {
      key: 'queue',
      label: 'Queue in all',
      title: 'Assets owed to all queued redemptions of the family',
      numeric: true,
      value: (row) => {
        const queue = queueOf(row);
        return queue === null ? null : decimalText(queue, row.baseAssetDecimals);
      },
      render: (row) => (
        <Amount
          units={queueOf(row)}
          decimals={row.baseAssetDecimals}
          symbol={row.baseAssetSymbol}
          why="the family has not been read yet"
        />
      ),
    },
  ];
}
