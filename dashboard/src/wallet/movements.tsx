import type { StatementEntry, StatementFamily, WalletStatement } from '@assay/client';
import { Card } from '../components/card.tsx';
import { ViewActions } from '../components/download.tsx';
import { Empty } from '../components/states.tsx';
import { type Column, chainColumns, fileOf, Table } from '../components/table.tsx';
import { Address, Amount } from '../components/values.tsx';
import { decimalText } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';
import { momentText } from '../format/time.ts';
import { useChainName } from '../state/chains.ts';

interface Row {
  readonly family: StatementFamily<bigint>;
  readonly entry: StatementEntry<bigint>;
  readonly key: string;
}

const SHOWN = 20;

/** Lists the movements of all wallets in a statement's year, newest first. The file has all of them. */
export function Movements({ statement }: { readonly statement: WalletStatement<bigint> }) {
  const columns = movementColumns(useChainName());
  const rows = statement.families
    .flatMap((family) =>
      family.entries.map((entry, index) => ({ family, entry, key: `${family.family} ${index}` })),
    )
    .sort((a, b) => (a.entry.at < b.entry.at ? 1 : a.entry.at > b.entry.at ? -1 : 0));
  return (
    <Card
      id="movements"
      title={`Movements in ${statement.year}`}
      aside={
        <ViewActions
          shown={{
            name: `movements-${statement.year}`,
            ...fileOf(columns, rows),
            json: () => rows.map(({ family, entry }) => ({ family: family.family, ...entry })),
          }}
        />
      }
    >
      {rows.length === 0 ? (
        <Empty>None.</Empty>
      ) : (
        <div class="cards">
          <Table
            caption={`Movements in ${statement.year}`}
            columns={columns}
            rows={rows.slice(0, SHOWN)}
            rowKey={({ key }) => key}
          />
        </div>
      )}
      {rows.length > SHOWN && (
        <p class="soft">
          The newest {SHOWN} of {rows.length.toLocaleString('en-US')}. The files have all of them.
        </p>
      )}
    </Card>
  );
}

function movementColumns(chainName: (chainId: number) => string): readonly Column<Row>[] {
  return [
    {
      key: 'date',
      label: 'Time',
      value: ({ entry }) => entry.at,
      render: ({ entry }) => <time dateTime={entry.at}>{momentText(Date.parse(entry.at))}</time>,
    },
    {
      key: 'type',
      label: 'Type',
      value: ({ entry }) => entry.type,
      render: ({ entry }) => <span class="kind">{entry.type}</span>,
    },
    {
      key: 'wallet',
      label: 'Wallet',
      value: ({ entry }) => entry.wallet,
      render: ({ entry }) => <Address value={entry.wallet} />,
    },
    {
      key: 'family',
      label: 'Family',
      value: ({ family }) => family.family,
      render: ({ family, entry }) => (
        <span class="who">
          <span>{family.family}</span>
          <small>{chainName(entry.chainId)}</small>
        </span>
      ),
    },
    ...chainColumns<Row>(({ entry }) => entry.chainId, chainName),
    {
      key: 'shares',
      label: 'Shares',
      drop: 2,
      numeric: true,
      value: ({ entry, family }) => decimalText(entry.shares, family.shareDecimals),
      unit: ({ family }) => cleanText(family.shareSymbol, 24),
      render: ({ entry, family }) => (
        <Amount units={entry.shares} decimals={family.shareDecimals} />
      ),
    },
    assets('assets', 'Assets', assetsOf, 'no assets were paid'),
    assets(
      'realized',
      'Realized',
      ({ entry }) => entry.realized,
      'only exits and fees have a result',
    ),
    {
      key: 'transaction',
      label: 'Transaction',
      value: ({ entry }) => entry.transactionHash,
    },
  ];
}

/** The statement has zero where nothing was paid. */
function assetsOf({ entry }: Row): bigint | null {
  const isPaid = entry.type === 'deposit' || entry.type === 'exit' || entry.type === 'received';
  return isPaid ? entry.assets : null;
}

function assets(
  key: string,
  label: string,
  units: (row: Row) => bigint | null,
  why: string,
): Column<Row> {
  return {
    ...{ key, label, numeric: true },
    value: (row) => {
      const found = units(row);
      return found === null ? null : decimalText(found, row.family.baseAssetDecimals);
    },
    unit: ({ family }) => cleanText(family.baseAssetSymbol, 24),
    render: (row) => (
      <Amount
        units={units(row)}
        decimals={row.family.baseAssetDecimals}
        symbol={row.family.baseAssetSymbol}
        why={why}
      />
    ),
  };
}
