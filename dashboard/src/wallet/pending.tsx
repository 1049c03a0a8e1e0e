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
  const hasClaims = live.data?.redeems.some((one) => one.claimableShares !== undefined) ?? false;
  const columns = pendingColumns(nameOf, useVaults().data ?? [], hasClaims);
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

const UNKNOWN_BEFORE: Readonly<Record<NonNullable<Row['assetsBeforeReason']>, string>> = {
  claimable: 'nothing of it waits any more: it can be claimed',
  'not-indexed': 'the requests that were read are not yet those that the vault tells of',
  'several-vaults': 'several vaults share this queue, and their requests cannot be told apart',
  unpriced: 'no share price is known yet',
};

function pendingColumns(
  chainName: (chainId: number) => string,
  vaults: readonly ListedVault<bigint>[],
  hasClaims: boolean,
): readonly Column<Row>[] {
  const queueOf = ({ family }: Row) =>
    vaults.find(({ slug }) => slug === family)?.stats?.pendingRedemptionAssets ?? null;
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
    assets('requestedAssets', 'Requested', (row) => row.requestedAssets),
    assets('currentAssets', 'Worth now', (row) => row.currentAssets),
    ...(hasClaims
      ? [
          assets('claimable', 'Claimable', (row) => row.claimableAssets ?? null, {
            why: () => 'the vault does not say what a claim pays',
          }),
        ]
      : []),
    assets('before', 'Queued before', (row) => row.assetsBefore, {
      title: 'What others asked for before and still wait for, first in, first out',
      why: ({ assetsBeforeReason: reason }) =>
        reason === null ? 'the server does not say' : UNKNOWN_BEFORE[reason],
    }),
    assets('queue', 'Queue in all', queueOf, {
      title: 'Assets owed to all queued redemptions of the family, on all chains',
      why: () => 'the family has not been read yet',
    }),
  ];
}

function assets(
  key: string,
  label: string,
  units: (row: Row) => bigint | null,
  { title, why }: { readonly title?: string; readonly why?: (row: Row) => string } = {},
): Column<Row> {
  return {
    key,
    label,
    numeric: true,
    ...(title !== undefined && { title }),
    value: (row) => {
      const found = units(row);
      return found === null ? null : decimalText(found, row.baseAssetDecimals);
    },
    render: (row) => (
      <Amount
        units={units(row)}
        decimals={row.baseAssetDecimals}
        symbol={row.baseAssetSymbol}
        {...(why && { why: why(row) })}
      />
    ),
  };
}
