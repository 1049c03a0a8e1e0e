import type { HistoryItem, ListedVault } from '@assay/client';
import { FamilyLink } from '../components/familyLink.tsx';
import { type Column, chainColumns } from '../components/table.tsx';
import { Amount, Unknown } from '../components/values.tsx';
import { decimalText } from '../format/amount.ts';
import { cleanText, shortAddress } from '../format/text.ts';
import { momentText } from '../format/time.ts';

type Row = HistoryItem<bigint>;

const NO_FAMILY = 'this vault is not configured on this server';

export function historyColumns(
  vaults: readonly ListedVault<bigint>[],
  chainName: (chainId: number) => string,
  /** What the list does not have in common, and therefore shows of each row. */
  by: 'family' | 'wallet',
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
    ...(by === 'wallet' ? [walletColumn(chainName)] : [familyColumn()]),
    ...chainColumns<Row>(({ chainId }) => chainId, chainName),
    {
      key: 'assets',
      label: 'Assets',
      numeric: true,
      value: (row) => exact(row.assets, familyOf(row)?.assets?.base.decimals),
      unit: (row) => symbolOf(familyOf(row)?.assets?.base),
      render: (row) => {
        const asset = familyOf(row)?.assets?.base;
        if (asset === undefined) return <Unknown why={NO_FAMILY} />;
        return (
          <Amount
            units={row.assets}
            decimals={asset.decimals}
            symbol={asset.symbol}
            why="the request specifies shares only, and there was no share price yet"
          />
        );
      },
    },
    {
      key: 'shares',
      label: 'Shares',
      drop: 3,
      numeric: true,
      value: (row) => exact(row.shares, familyOf(row)?.assets?.share.decimals),
      unit: (row) => symbolOf(familyOf(row)?.assets?.share),
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

  function familyColumn(): Column<Row> {
    return {
      key: 'family',
      label: 'Family',
      value: (row) => familyOf(row)?.slug ?? null,
      render: (row) => {
        const family = familyOf(row);
        if (family === undefined) return <Unknown why={NO_FAMILY} />;
        return (
          <span class="who">
            <FamilyLink slug={family.slug} />
            <small>{chainName(row.chainId)}</small>
          </span>
        );
      },
    };
  }
}

function walletColumn(chainName: (chainId: number) => string): Column<Row> {
  return {
    key: 'wallet',
    label: 'Wallet',
    value: ({ user }) => user,
    render: ({ user, chainId }) => (
      <span class="who">
        <a data-own href={`/wallet/${user}`} title={user}>
          <code>{shortAddress(user)}</code>
        </a>
        <small>{chainName(chainId)}</small>
      </span>
    ),
  };
}

function symbolOf(asset: { readonly symbol: string } | undefined): string | null {
  return asset === undefined ? null : cleanText(asset.symbol, 24);
}

function exact(units: bigint | null, decimals: number | undefined): string | null {
  return units === null || decimals === undefined ? null : decimalText(units, decimals);
}
