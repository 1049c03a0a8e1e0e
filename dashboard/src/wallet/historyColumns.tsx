import type { HistoryItem, ListedVault } from '@assay/client';
import { decimalText } from '../format/amount.ts';
import { shortAddress } from '../format/text.ts';
import { momentText } from '../format/time.ts';
import type { Column } from '../parts/table.tsx';
import { Amount, Unknown } from '../parts/values.tsx';

type Row = HistoryItem<bigint>;

const NO_FAMILY = 'no family of this server has that vault now';

export function historyColumns(
  vaults: readonly ListedVault<bigint>[],
  chainName: (chainId: number) => string,
): readonly Column<Row>[] {
  const familyOf = ({ chainId, vaultAddress }: Row) =>
    vaults.find(({ chains }) =>
      chains.some((chain) => chain.chainId === chainId && chain.vault === vaultAddress),
    );
  return [
    {
      key: 'date',
      label: 'Time',
      value: ({ blockTimestamp }) => new Date(blockTimestamp * 1000).toISOString(),
      render: ({ blockTimestamp }) => (
        <time dateTime={new Date(blockTimestamp * 1000).toISOString()}>
          {momentText(blockTimestamp * 1000)}
        </time>
      ),
    },
    {
      key: 'type',
      label: 'Type',
      value: ({ type }) => type,
      render: ({ type }) => <span class={`kind ${type}`}>{type}</span>,
    },
    {
      key: 'family',
      label: 'Family',
      value: (row) => familyOf(row)?.slug ?? null,
      render: (row) => {
        const family = familyOf(row);
        if (family === undefined) return <Unknown why={NO_FAMILY} />;
        return (
          <span class="who">
            <a data-own href={`/family/${encodeURIComponent(family.slug)}`}>
              {family.slug}
            </a>
            <small>{chainName(row.chainId)}</small>
          </span>
        );
      },
    },
    {
      key: 'assets',
      label: 'Assets',
      numeric: true,
      value: (row) => exact(row.assets, familyOf(row)?.assets?.base.decimals),
      render: (row) => {
        const asset = familyOf(row)?.assets?.base;
        if (asset === undefined) return <Unknown why={NO_FAMILY} />;
        return (
          <Amount
            units={row.assets}
            decimals={asset.decimals}
            symbol={asset.symbol}
            why="the request names shares only, and there was no share price yet"
          />
        );
      },
    },
    {
      key: 'shares',
      label: 'Shares',
      numeric: true,
      value: (row) => exact(row.shares, familyOf(row)?.assets?.share.decimals),
      render: (row) => {
        const share = familyOf(row)?.assets?.share;
        if (share === undefined) return <Unknown why={NO_FAMILY} />;
        return <Amount units={row.shares} decimals={share.decimals} />;
      },
    },
    {
      key: 'transaction',
      label: 'Transaction',
      value: ({ transactionHash }) => transactionHash,
      render: ({ transactionHash }) => (
        <code title={transactionHash}>{shortAddress(transactionHash)}</code>
      ),
    },
  ];
}

function exact(units: bigint | null, decimals: number | undefined): string | null {
  return units === null || decimals === undefined ? null : decimalText(units, decimals);
}
