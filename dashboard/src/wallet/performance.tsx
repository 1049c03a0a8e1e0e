import { getPerformance, type Performance, type PerformanceFamily } from '@assay/client';
import { decimalText } from '../format/amount.ts';
import { Card } from '../parts/card.tsx';
import { Choice } from '../parts/choice.tsx';
import { TakeAway } from '../parts/download.tsx';
import { Await, Empty, Notice } from '../parts/states.tsx';
import { type Column, fileOf, Table } from '../parts/table.tsx';
import { Age, Amount, Figure, Name, Unknown, Usd } from '../parts/values.tsx';
import { client } from '../state/api.ts';
import { useLive } from '../state/live.ts';
import { useChoice } from '../state/url.ts';
import { LedgerButton } from './ledgerButton.tsx';

type Row = PerformanceFamily<bigint>;
type Unit = 'base' | 'usd';

export function PerformanceCard({ wallet }: { readonly wallet: string }) {
  const live = useLive(
    `performance ${wallet}`,
    (signal) => getPerformance(client, { walletAddress: wallet, signal, amounts: 'bigint' }),
    15_000,
  );
  return (
    <Await live={live} lines={5}>
      {(performance) => <Shown performance={performance} />}
    </Await>
  );
}

function Shown({ performance }: { readonly performance: Performance<bigint> }) {
  const { wallet, families, totals } = performance;
  const [unit, setUnit] = useChoice<Unit>('unit', ['base', 'usd']);
  if (families.length === 0) {
    return <Empty>This wallet never held shares of a family that is served here.</Empty>;
  }
  const columns = performanceColumns(unit);
  return (
    <>
      <dl class="figures">
        <Figure label="Value">
          <Usd value={totals.currentValueUsd} />
        </Figure>
        <Figure label="Unrealised">
          <Usd value={totals.unrealizedUsd} />
        </Figure>
        <Figure label="Realised">
          <Usd value={totals.realizedUsd} />
        </Figure>
      </dl>
      {totals.unpricedFamilies.length > 0 && (
        <Notice>
          <p>
            Not in these sums, because no price in USD is held: {totals.unpricedFamilies.join(', ')}
            .
          </p>
        </Notice>
      )}
      <Card
        id="performance"
        title="Performance"
        aside={
          <>
            <Choice
              label="Unit"
              choices={[
                ['base', 'Base asset'],
                ['usd', 'USD'],
              ]}
              value={unit}
              onChoose={setUnit}
            />
            <LedgerButton wallet={wallet} />
            <TakeAway
              shown={{
                name: `performance-${wallet}`,
                ...fileOf(columns, families),
                json: () => performance,
              }}
            />
          </>
        }
      >
        <div class="cards">
          <Table
            caption="Performance by family"
            columns={columns}
            rows={families}
            rowKey={({ family }) => family}
          />
        </div>
      </Card>
    </>
  );
}

const UNPRICED = 'no price in USD is held';

function performanceColumns(unit: Unit): readonly Column<Row>[] {
  return [
    {
      key: 'family',
      label: 'Family',
      value: ({ family }) => family,
      render: ({ family, baseAssetSymbol }) => (
        <span class="who">
          <a data-own href={`/family/${encodeURIComponent(family)}`}>
            {family}
          </a>
          <small>
            <Name text={baseAssetSymbol} most={12} />
          </small>
        </span>
      ),
    },
    {
      key: 'shares',
      label: 'Shares',
      numeric: true,
      value: ({ sharesBalance, shareDecimals }) => decimalText(sharesBalance, shareDecimals),
      render: ({ sharesBalance, shareDecimals }) => (
        <Amount units={sharesBalance} decimals={shareDecimals} />
      ),
    },
    figure('currentValue', 'Value', (usd) => usd.currentValueUsd),
    // All figures of an entry are at one price, so this is the cost at it.
    figure('costBasis', 'Cost', (usd) => usd.currentValueUsd - usd.unrealizedUsd),
    figure('unrealized', 'Unrealised', (usd) => usd.unrealizedUsd),
    figure('realized', 'Realised', (usd) => usd.realizedUsd),
    {
      key: 'priced',
      label: 'Priced',
      numeric: true,
      value: ({ pricedAt }) => pricedAt,
      render: ({ pricedAt }) =>
        pricedAt === null ? <Unknown why={UNPRICED} /> : <Age at={pricedAt} />,
    },
  ];

  function figure(
    key: 'currentValue' | 'costBasis' | 'unrealized' | 'realized',
    label: string,
    inUsd: (usd: NonNullable<Row['usd']>) => number,
  ): Column<Row> {
    const units = (row: Row) => row[key];
    const dollars = ({ usd }: Row) => (usd === null ? null : inUsd(usd));
    if (unit === 'usd') {
      return {
        key,
        label: `${label} USD`,
        numeric: true,
        value: dollars,
        render: (row) => <Usd value={dollars(row)} why={UNPRICED} />,
      };
    }
    return {
      key,
      label,
      numeric: true,
      value: (row) => {
        const found = units(row);
        return found === null ? null : decimalText(found, row.baseAssetDecimals);
      },
      render: (row) => <Base row={row} units={units(row)} />,
    };
  }
}

function Base({ row, units }: { readonly row: Row; readonly units: bigint | null }) {
  return (
    <Amount
      units={units}
      decimals={row.baseAssetDecimals}
      symbol={row.baseAssetSymbol}
      why="the family has no share price yet"
    />
  );
}
