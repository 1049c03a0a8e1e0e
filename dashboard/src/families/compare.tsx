import { getSharePriceSeries } from '@assay/client';
import { useMemo } from 'preact/hooks';
import { Plot } from '../chart/chart.tsx';
import { align, type Line, rebase } from '../chart/line.ts';
import { RANGES, type Range, seriesQuery } from '../chart/ranges.ts';
import { useZoom } from '../chart/zoomState.ts';
import { plainNumber } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';
import { Card } from '../parts/card.tsx';
import { Choice } from '../parts/choice.tsx';
import { TakeAway } from '../parts/download.tsx';
import { Await, Empty } from '../parts/states.tsx';
import { client } from '../state/api.ts';
import { useLive } from '../state/live.ts';
import { useChoice } from '../state/url.ts';
import type { Family } from './columns.tsx';

/** As many as can be told apart. */
export const MOST_COMPARED = 5;

/** Share prices of some families in one chart, each 100 at its start. */
export function Compare({ families }: { readonly families: readonly Family[] }) {
  const [range, setRange] = useChoice<Range>('range', ['30d', '7d', '90d', 'all']);
  const [zoom, setZoom] = useZoom();
  const slugs = families.map(({ slug }) => slug);
  const live = useLive(
    `compare ${range} ${slugs.join()}`,
    (signal) => {
      const query = { ...seriesQuery(range, 'auto', Date.now()), signal };
      return Promise.all(
        slugs.map(async (slug) => {
          const ticks = await getSharePriceSeries(client, { slug, ...query });
          return { slug, ticks: ticks.map(({ at, value }) => ({ at, value: Number(value) })) };
        }),
      );
    },
    60_000,
  );
  return (
    <Card
      id="compare"
      title="Share price, 100 at the start"
      aside={<Choice label="Range" choices={RANGES} value={range} onChoose={setRange} />}
    >
      <Await live={live} lines={6}>
        {(series) => <CompareChart families={families} {...{ series, zoom, setZoom }} />}
      </Await>
    </Card>
  );
}

interface CompareChartProps {
  readonly families: readonly Family[];
  readonly series: readonly {
    readonly slug: string;
    readonly ticks: readonly { readonly at: string; readonly value: number }[];
  }[];
  readonly zoom: ReturnType<typeof useZoom>[0];
  readonly setZoom: ReturnType<typeof useZoom>[1];
}

function CompareChart({ families, series, zoom, setZoom }: CompareChartProps) {
  const { times, lines } = useMemo(() => {
    const { times, values } = align(series.map(({ ticks }) => ticks));
    const lines = series.map(({ slug }, index): Line => {
      const family = families.find((one) => one.slug === slug);
      return {
        label: cleanText(family?.name ?? slug, 24),
        values: rebase(values[index]!),
        format: (value) => plainNumber(value, 3),
      };
    });
    return { times, lines };
  }, [series, families]);
  if (times.length === 0) return <Empty>None of them has a share price in this range.</Empty>;
  return (
    <Plot
      label="Share prices, rebased to 100"
      height={280}
      {...{ times, lines, zoom }}
      onZoom={setZoom}
      foot={
        <TakeAway
          shown={{
            name: `compare-${series.map(({ slug }) => slug).join('-')}`,
            head: ['time', ...series.map(({ slug }) => slug)],
            rows: () =>
              times.map((time, index) => [
                new Date(time * 1000).toISOString(),
                ...lines.map(({ values }) => values[index] ?? null),
              ]),
            json: () => series,
          }}
        />
      }
    />
  );
}
