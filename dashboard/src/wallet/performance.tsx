import { getPerformance, type Performance, type PerformanceFamily } from '@assay/client';
import { Card } from '../components/card.tsx';
import { Choice } from '../components/choice.tsx';
import { ViewActions } from '../components/download.tsx';
import { FamilyLink } from '../components/familyLink.tsx';
import { Await, Empty, Notice } from '../components/states.tsx';
import { type Column, fileOf, Table } from '../components/table.tsx';
import { Age, Amount, Figure, Name, Percent, Unknown, Usd } from '../components/values.tsx';
import { decimalText } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';
import { client } from '../state/api.ts';
import { useLive } from '../state/live.ts';
import { ofWallets } from '../state/topics.ts';
import { useChoice } from '../state/url.ts';
import { LedgerButton } from './ledgerButton.tsx';
import { StatementCard } from './statementCard.tsx';

type Row = PerformanceFamily<bigint>;
type Unit = 'base' | 'usd';

export function PerformanceCard({ wallet }: { readonly wallet: string }) {
  const live = useLive(
    `performance ${wallet}`,
    (signal) => getPerformance(client, { walletAddress: wallet, signal, amounts: 'bigint' }),
    15_000,
    ofWallets([wallet]),
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
    return <Empty>This wallet has never held shares of a vault family on this server.</Empty>;
  }
  const columns = performanceColumns(unit);
  return (
    <>
      <dl class="figures">
        <Figure label="Value">
          <Usd value={totals.currentValueUsd} />
        </Figure>
        <Figure label="Cost" note="of the shares held now, at the price of today">
          <Usd value={totals.currentValueUsd - totals.unrealizedUsd} />
        </Figure>
        <Figure label="Unrealized" note={<Gain totals={totals} />}>
          <Usd value={totals.unrealizedUsd} />
        </Figure>
        <Figure label="Realized">
          <Usd value={totals.realizedUsd} />
        </Figure>
      </dl>
      {totals.unpricedFamilies.length > 0 && (
        <Notice>
          <p>
            Not included in these totals, because there is no USD price:{' '}
            {totals.unpricedFamilies.join(', ')}.
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
            <ViewActions
              shown={{
                name: `performance-${wallet}-${unit}`,
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
      <StatementCard wallets={[wallet]} />
    </>
  );
}

/** What is unrealized as a part of its cost. */
function Gain({ totals }: { readonly totals: Performance<bigint>['totals'] }) {
  const cost = totals.currentValueUsd - totals.unrealizedUsd;
  if (!(cost > 0)) return null;
  return (
    <>
      <Percent fraction={totals.unrealizedUsd / cost} /> of the cost
    </>
  );
}

const UNPRICED = 'no USD price';
const INCOMPLETE =
  'Some of these shares have an unknown cost, which counts as 0, or were paid out without an event. The true profit differs.';

function performanceColumns(unit: Unit): readonly Column<Row>[] {
  return [
    {
      key: 'family',
      label: 'Family',
      value: ({ family }) => family,
      render: ({ family, baseAssetSymbol, costIncomplete }) => (
        <span class="who">
          <FamilyLink slug={family} />
          <small>
            <Name text={baseAssetSymbol} most={12} />
          </small>
          {costIncomplete && <small title={INCOMPLETE}>Cost incomplete</small>}
        </span>
      ),
    },
    {
      key: 'shares',
      label: 'Shares',
      drop: 3,
      numeric: true,
      value: ({ sharesBalance, shareDecimals }) => decimalText(sharesBalance, shareDecimals),
      unit: () => 'shares',
      render: ({ sharesBalance, shareDecimals }) => (
        <Amount units={sharesBalance} decimals={shareDecimals} />
      ),
    },
    figure('currentValue', 'Value', (usd) => usd.currentValueUsd),
    // All USD values of an entry use one price, so this is the cost at that price.
    figure('costBasis', 'Cost', (usd) => usd.currentValueUsd - usd.unrealizedUsd),
    figure('unrealized', 'Unrealized', (usd) => usd.unrealizedUsd),
    figure('realized', 'Realized', (usd) => usd.realizedUsd),
    {
      key: 'priced',
      label: 'Priced',
      drop: 2,
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
        fileLabel: label,
        numeric: true,
        value: dollars,
        unit: () => 'USD',
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
      unit: ({ baseAssetSymbol }) => cleanText(baseAssetSymbol, 24),
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
      why="no share price yet"
    />
  );
}
