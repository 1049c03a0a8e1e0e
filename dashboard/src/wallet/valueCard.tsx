import { useMemo } from 'preact/hooks';
import { Plot } from '../chart/chart.tsx';
import { inSpan, type Line, spanName } from '../chart/line.ts';
import { useZoom } from '../chart/zoomState.ts';
import { Card } from '../components/card.tsx';
import { ViewActions } from '../components/download.tsx';
import { Await, Empty, Notice } from '../components/states.tsx';
import { type Column, fileOf, Table } from '../components/table.tsx';
import { Figure, Percent, Usd } from '../components/values.tsx';
import { exactUsd, shortUsd } from '../format/amount.ts';
import { shortAddress } from '../format/text.ts';
import { dayText } from '../format/time.ts';
import { useVaults } from '../state/api.ts';
import { useLive } from '../state/live.ts';
import { ofUser } from '../state/topics.ts';
import { type ReadValues, readValues } from './readValues.ts';
import { returnsOf, type ValueYear, yearsOf } from './returns.ts';

/** Charts what the shares of one owner were worth, and measures the result. */
export function WalletValue({ wallets }: { readonly wallets: readonly string[] }) {
  const vaults = useVaults().data;
  const live = useLive(
    vaults && `wallet values ${wallets}`,
    (signal) => readValues(wallets, vaults!, signal),
    300_000,
    (event) => wallets.some((wallet) => ofUser(wallet)(event)),
  );
  const isEmpty = live.data?.times.length === 0 && live.data.tooLong.length === 0;
  if (isEmpty) return null;
  return (
    <Card id="value" title="Value over time" chartHeight={240}>
      <Await live={live} lines={6}>
        {(values) =>
          values.tooLong.length > 0 ? (
            <Empty>
              A wallet with more than 5,000 movements is not charted (
              {values.tooLong.map(shortAddress).join(', ')}). The statement of a year has all of
              them.
            </Empty>
          ) : (
            <Shown values={values} name={wallets.length === 1 ? wallets[0]! : 'wallets'} />
          )
        }
      </Await>
    </Card>
  );
}

function Shown({ values, name }: { readonly values: ReadValues; readonly name: string }) {
  const { times, families, days, unpriced } = values;
  const [zoom, setZoom] = useZoom();
  const returns = useMemo(() => returnsOf(days), [values]);
  const lines = useMemo(
    () =>
      families.map(
        ({ family, values }): Line => ({
          ...{ label: family, values, format: shortUsd, axis: { unit: 'USD' } },
          exact: (index) => {
            const value = values[index] ?? null;
            return value === null ? null : exactUsd(value);
          },
        }),
      ),
    [values],
  );
  const gaps = families.filter(({ values }) => values.includes(null));
  const since = dayText((times[0] ?? 0) * 1000);
  const rows = times.map((time, index) => ({
    at: new Date(time * 1000).toISOString(),
    cells: [
      days[index]!.value,
      days[index]!.flow,
      ...lines.map(({ values }) => values[index] ?? null),
    ],
  }));
  return (
    <>
      <dl class="figures small">
        <Figure label="Result" note={`since ${since}`}>
          <Usd value={returns.resultUsd} />
        </Figure>
        <Figure label="Time-weighted" note="growth of one dollar held all the time">
          <Percent fraction={returns.timeWeighted} why="the wallet never held priced shares" />
        </Figure>
        <Figure label="Money-weighted" note="per year, by size and time of each flow">
          <Percent fraction={returns.moneyWeighted} why="less than a week, or no such rate" />
        </Figure>
      </dl>
      {unpriced.length > 0 && (
        <Notice>
          <p>
            Not included, because there is no USD price now or at one of the movements:{' '}
            {unpriced.join(', ')}.
          </p>
        </Notice>
      )}
      {gaps.length > 0 && (
        <p class="soft">
          Days without a USD price are gaps: {gaps.map(({ family }) => family).join(', ')}.
        </p>
      )}
      <Plot
        label="Value of the shares in USD"
        kind="stacked"
        height={240}
        {...{ times, lines, zoom }}
        onZoom={setZoom}
        foot={
          <ViewActions
            shown={{
              name: `value-${name}${spanName(zoom)}`,
              head: ['time', 'value', 'net flow', ...families.map(({ family }) => family), 'unit'],
              rows: () => inSpan(rows, zoom).map(({ at, cells }) => [at, ...cells, 'USD']),
              json: () =>
                inSpan(rows, zoom).map(({ at, cells: [value, flow, ...parts] }) => {
                  const own = families.map(({ family }, index) => [family, parts[index]] as const);
                  return { at, value, flow, families: Object.fromEntries(own) };
                }),
            }}
          />
        }
      />
      <Years years={yearsOf(days)} name={name} />
    </>
  );
}

const COLUMNS: readonly Column<ValueYear>[] = [
  {
    key: 'year',
    label: 'Year',
    value: ({ year }) => year,
    render: ({ year }) => String(year),
  },
  figure('start', 'At the start'),
  figure('flow', 'Net flow'),
  figure('end', 'At the end'),
  figure('result', 'Result'),
];

function figure(key: 'start' | 'flow' | 'end' | 'result', label: string): Column<ValueYear> {
  return {
    key,
    label,
    numeric: true,
    value: (row) => row[key],
    unit: () => 'USD',
    render: (row) => <Usd value={row[key]} />,
  };
}

function Years({ years, name }: { readonly years: readonly ValueYear[]; readonly name: string }) {
  return (
    <>
      <h3>By year</h3>
      <div class="cards">
        <Table
          caption="Result by year"
          columns={COLUMNS}
          rows={years}
          rowKey={({ year }) => String(year)}
        />
      </div>
      <ViewActions
        shown={{ name: `years-${name}`, ...fileOf(COLUMNS, years), json: () => years }}
      />
    </>
  );
}
