import type { FamilyFlows, Vault } from '@assay/client';
import { useMemo } from 'preact/hooks';
import { Plot } from '../chart/chart.tsx';
import { inSpan, type Line, spanName } from '../chart/line.ts';
import { useRange } from '../chart/rangeState.ts';
import type { ShownRange } from '../chart/shownRange.ts';
import { useZoom } from '../chart/zoomState.ts';
import { Card } from '../components/card.tsx';
import { ViewActions } from '../components/download.tsx';
import { Await, Empty } from '../components/states.tsx';
import { Amount, Figure } from '../components/values.tsx';
import { decimalText, exactAmount, shortNumber, toNumber } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';
import { useLive } from '../state/live.ts';
import { readOwnFile } from '../state/ownFile.ts';
import { ofFamily } from '../state/topics.ts';
import { barTimes, type FlowDay, flowDays, isCut } from './flows.ts';

/** Charts deposits and payouts of a family by day, over the range of the chart above. */
export function Flows({ vault }: { readonly vault: Vault<bigint> }) {
  const { slug } = vault;
  const [range] = useRange();
  const live = useLive<FamilyFlows>(
    `flows ${slug}`,
    (signal) => readOwnFile(`/dashboard/flows/${encodeURIComponent(slug)}`, signal),
    60_000,
    ofFamily(slug),
  );
  return (
    <Card id="flows" title={`Flows in and out, ${range.name}`} at={live.data?.at} chartHeight={200}>
      <Await live={live} lines={5}>
        {(flows) => <FlowsPlot {...{ flows, range, vault }} />}
      </Await>
    </Card>
  );
}

function FlowsPlot({
  flows,
  range,
  vault: { slug, name, assets },
}: {
  readonly flows: FamilyFlows;
  readonly range: ShownRange;
  readonly vault: Vault<bigint>;
}) {
  const { decimals, symbol } = assets.base;
  const unit = cleanText(symbol, 12);
  const [zoom, setZoom] = useZoom();
  const { days, from } = useMemo(() => {
    const { from, to = flows.at } = range.query('day', Date.parse(flows.at));
    return { days: flowDays(flows, { from, to: to < flows.at ? to : flows.at }), from };
  }, [flows, range.key]);
  const { times, lines } = useMemo(() => drawn(days, decimals, unit), [days]);
  const [paidIn, paidOut] = [sumOf(days, 'deposited'), sumOf(days, 'withdrawn')];
  if (paidIn === 0n && paidOut === 0n) return <Empty>No deposits or payouts in this range.</Empty>;
  const amount = (units: bigint) => <Amount {...{ units, decimals, symbol }} />;
  return (
    <>
      <dl class="figures small">
        <Figure label="Paid in">{amount(paidIn)}</Figure>
        <Figure label="Paid out">{amount(paidOut)}</Figure>
        <Figure label="Net">{amount(paidIn - paidOut)}</Figure>
      </dl>
      {isCut(flows, from) && (
        <p class="soft small">Flows before {dayText(flows.cutAt!)} are not included.</p>
      )}
      <Plot
        label={`Flows in and out of ${cleanText(name)}, ${range.name}`}
        kind="bars"
        link="family"
        height={200}
        {...{ times, lines, zoom }}
        onZoom={setZoom}
        timeText={(seconds) => dayText(new Date(seconds * 1000).toISOString())}
        foot={
          <ViewActions
            shown={{
              name: `${slug}-flows-${range.key}${spanName(zoom)}`,
              head: ['day', 'paid in', 'paid out', 'unit'],
              rows: () =>
                inSpan(days, zoom).map(({ at, deposited, withdrawn }) => [
                  dayText(at),
                  decimalText(deposited, decimals),
                  decimalText(withdrawn, decimals),
                  unit,
                ]),
              json: () =>
                flows.days.filter(({ at }) => inSpan(days, zoom).some((d) => d.at === at)),
            }}
          />
        }
      />
    </>
  );
}

function dayText(at: string): string {
  return at.slice(0, 10);
}

/** Payouts are drawn below zero. */
function drawn(days: readonly FlowDay[], decimals: number, unit: string) {
  const line = (label: string, amounts: readonly bigint[], sign: 1 | -1): Line => ({
    label,
    values: [null, ...amounts.map((units) => sign * toNumber(units, decimals)), null],
    format: (value) => `${shortNumber(Math.abs(value))} ${unit}`,
    axis: { unit },
    exact: (index) => {
      const units = amounts[index - 1];
      return units === undefined ? null : `${exactAmount(units, decimals)} ${unit}`;
    },
  });
  return {
    times: barTimes(days),
    lines: [
      line(
        'In',
        days.map(({ deposited }) => deposited),
        1,
      ),
      line(
        'Out',
        days.map(({ withdrawn }) => withdrawn),
        -1,
      ),
    ],
  };
}

function sumOf(days: readonly FlowDay[], key: 'deposited' | 'withdrawn'): bigint {
  return days.reduce((sum, day) => sum + day[key], 0n);
}
