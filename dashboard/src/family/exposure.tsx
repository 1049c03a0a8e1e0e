import type { ExposureEntry, Vault } from '@assay/client';
import { BarCell } from '../components/barCell.tsx';
import { Card } from '../components/card.tsx';
import { ViewActions } from '../components/download.tsx';
import { Empty } from '../components/states.tsx';
import { type Column, chainColumns, fileOf, Table } from '../components/table.tsx';
import { Name, Usd } from '../components/values.tsx';
import { cleanText } from '../format/text.ts';
import { useChainName } from '../state/chains.ts';

interface Row {
  readonly key: string;
  readonly symbol: string;
  readonly where: string;
  /** Null: not on one chain. */
  readonly chainId: number | null;
  readonly usd: number | null;
  readonly pct: number;
}

/** Shows the assets that the invested value depends on, including the unclassified part. */
export function Exposures({ vault }: { readonly vault: Vault<bigint> }) {
  const { exposure, slug } = vault;
  const chainName = useChainName();
  const rest: Row[] =
    exposure.unclassifiedPct > 0
      ? [
          {
            key: 'unclassified',
            symbol: 'Unclassified',
            where: 'composition unknown',
            chainId: null,
            usd: exposure.unclassifiedUsd,
            pct: exposure.unclassifiedPct,
          },
        ]
      : [];
  const bare: Row[] =
    exposure.uncollateralizedPct > 0
      ? [
          {
            key: 'bare',
            symbol: 'No collateral',
            where: 'lent or held unsecured',
            chainId: null,
            usd: exposure.uncollateralizedUsd,
            pct: exposure.uncollateralizedPct,
          },
        ]
      : [];
  const underlying = [...exposure.underlying.map(rowOf), ...rest];
  const shared = { slug, at: exposure.at };
  const collateral = [...exposure.collateral.map(rowOf), ...bare, ...rest];
  return (
    <div class="columns">
      <ExposureCard {...shared} id="underlying" title="Exposure: underlying" rows={underlying} />
      <ExposureCard {...shared} id="collateral" title="Exposure: collateral" rows={collateral} />
    </div>
  );

  function rowOf({ chainId, address, symbol, exposureUsd, exposurePct }: ExposureEntry): Row {
    return {
      key: `${chainId} ${address}`,
      symbol,
      where: chainName(chainId),
      chainId,
      usd: exposureUsd,
      pct: exposurePct,
    };
  }
}

interface ExposureCardProps {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly at: string;
  readonly rows: readonly Row[];
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'asset',
    label: 'Asset',
    value: ({ symbol }) => cleanText(symbol, 100),
    render: ({ symbol, where }) => (
      <span class="who">
        <Name text={symbol} most={24} />
        <small>{where}</small>
      </span>
    ),
  },
  {
    key: 'part',
    label: 'Allocation',
    numeric: true,
    value: ({ pct }) => pct,
    unit: () => 'percent of invested',
    render: ({ pct }) => <BarCell part={pct / 100} />,
  },
  {
    key: 'usd',
    label: 'USD',
    numeric: true,
    value: ({ usd }) => usd,
    unit: () => 'USD',
    render: ({ usd }) => <Usd value={usd} />,
  },
];

function ExposureCard({ id, title, slug, at, rows }: ExposureCardProps) {
  const columns = [...COLUMNS, ...chainColumns<Row>(({ chainId }) => chainId, useChainName())];
  return (
    <Card
      id={id}
      title={title}
      at={at}
      aside={
        rows.length > 0 && (
          <ViewActions
            shown={{ name: `${slug}-${id}`, ...fileOf(columns, rows), json: () => rows }}
          />
        )
      }
    >
      {rows.length === 0 ? (
        <Empty>No invested assets.</Empty>
      ) : (
        <Table caption={title} columns={COLUMNS} rows={rows} rowKey={({ key }) => key} />
      )}
    </Card>
  );
}
