import type { ExposureEntry, Vault } from '@assay/client';
import { cleanText } from '../format/text.ts';
import { BarCell } from '../parts/barCell.tsx';
import { Card } from '../parts/card.tsx';
import { TakeAway } from '../parts/download.tsx';
import { Empty } from '../parts/states.tsx';
import { type Column, fileOf, Table } from '../parts/table.tsx';
import { Name, Usd } from '../parts/values.tsx';
import { useChainName } from '../state/chains.ts';

interface Row {
  readonly key: string;
  readonly symbol: string;
  readonly where: string;
  readonly usd: number | null;
  readonly pct: number;
}

/** What the invested value consists of, the part that nobody can classify among it. */
export function Exposures({ vault }: { readonly vault: Vault<bigint> }) {
  const { exposure, slug } = vault;
  const chainName = useChainName();
  const rest: Row[] =
    exposure.unclassifiedPct > 0
      ? [
          {
            key: 'unclassified',
            symbol: 'Unclassified',
            where: 'nobody says what it is in',
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
            where: 'lent or held without any',
            usd: exposure.uncollateralizedUsd,
            pct: exposure.uncollateralizedPct,
          },
        ]
      : [];
  const underlying = [...exposure.underlying.map(rowOf), ...rest];
  const collateral = [...exposure.collateral.map(rowOf), ...bare, ...rest];
  return (
    <div class="columns">
      <ExposureCard id="underlying" title="Exposure: underlying" slug={slug} rows={underlying} />
      <ExposureCard id="collateral" title="Exposure: collateral" slug={slug} rows={collateral} />
    </div>
  );

  function rowOf({ chainId, address, symbol, exposureUsd, exposurePct }: ExposureEntry): Row {
    return {
      key: `${chainId} ${address}`,
      symbol,
      where: chainName(chainId),
      usd: exposureUsd,
      pct: exposurePct,
    };
  }
}

interface ExposureCardProps {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
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
    label: 'Part',
    numeric: true,
    value: ({ pct }) => pct,
    render: ({ pct }) => <BarCell part={pct / 100} />,
  },
  {
    key: 'usd',
    label: 'USD',
    numeric: true,
    value: ({ usd }) => usd,
    render: ({ usd }) => <Usd value={usd} />,
  },
];

function ExposureCard({ id, title, slug, rows }: ExposureCardProps) {
  return (
    <Card
      id={id}
      title={title}
      aside={
        rows.length > 0 && (
          <TakeAway shown={{ name: `${slug}-${id}`, ...fileOf(COLUMNS, rows), json: () => rows }} />
        )
      }
    >
      {rows.length === 0 ? (
        <Empty>Nothing is invested.</Empty>
      ) : (
        <Table caption={title} columns={COLUMNS} rows={rows} rowKey={({ key }) => key} />
      )}
    </Card>
  );
}
