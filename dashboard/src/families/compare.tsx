import { getSharePriceSeries } from '@assay/client';
import { useMemo } from 'preact/hooks';
import { Plot } from '../chart/chart.tsx';
import { align, inSpan, type Line, rebase, spanName } from '../chart/line.ts';
import { RangeChoice } from '../chart/rangeChoice.tsx';
import { useRange } from '../chart/rangeState.ts';
import { useZoom } from '../chart/zoomState.ts';
import { Card } from '../components/card.tsx';
import { ViewActions } from '../components/download.tsx';
import { Await, Empty } from '../components/states.tsx';
import { plainNumber } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';
import { client } from '../state/api.ts';
import { useLive } from '../state/live.ts';
import { anyFamily } from '../state/topics.ts';
import type { Family } from './listedFamily.ts';

/** As many as can be distinguished in a chart. */
export const MAX_COMPARED = 5;

/** Charts the share prices of several families, rebased to 100 at the start. */
export function Compare({ families }: { readonly families: readonly Family[] }) {
  const [range] = useRange();
  const [zoom, setZoom] = useZoom();
  const slugs = families.map(({ slug }) => slug);
  const asked = {
    title: `${slugs.join(', ')}, ${range.name}`,
    name: `compare-${slugs.join('-')}-${range.key}`,
  };
  const live = useLive(
    `compare ${range.key} ${slugs.join()}`,
    async (signal): Promise<Compared> => {
      const query = { ...range.query('auto', Date.now()), signal };
      const series = slugs.map(async (slug) => {
        const ticks = await getSharePriceSeries(client, { slug, ...query });
        return { slug, ticks: ticks.map(({ at, value }) => ({ at, value: Number(value) })) };
      });
      return { ...asked, series: await Promise.all(series) };
    },
    60_000,
    anyFamily,
  );
  return (
    <Card id="compare" title="Share price (start = 100)" chartHeight={280} aside={<RangeChoice />}>
      <Await live={live} lines={6} wanted={asked.title} nameOf={({ title }) => title}>
        {(compared) => <CompareChart families={families} {...{ compared, zoom, setZoom }} />}
      </Await>
    </Card>
  );
}

interface Compared {
  /** Title of the data shown, which can belong to an earlier selection. */
  readonly title: string;
  /** File name. */
  readonly name: string;
  readonly series: readonly {
    readonly slug: string;
    readonly ticks: readonly { readonly at: string; readonly value: number }[];
  }[];
}

interface CompareChartProps {
  readonly families: readonly Family[];
  readonly compared: Compared;
  readonly zoom: ReturnType<typeof useZoom>[0];
  readonly setZoom: ReturnType<typeof useZoom>[1];
}

function CompareChart({ families, compared, zoom, setZoom }: CompareChartProps) {
  const { title, name, series } = compared;
  const { times, lines } = useMemo(() => {
    const { times, values } = align(series.map(({ ticks }) => ticks));
    const lines = series.map(({ slug }, index): Line => {
      const family = families.find((one) => one.slug === slug);
      return {
        label: cleanText(family?.name ?? slug, 24),
        values: rebase(values[index]!),
        format: (value) => plainNumber(value, 3),
        axis: { unit: 'start = 100' },
      };
    });
    return { times, lines };
  }, [series, families]);
  if (times.length === 0) return <Empty>No share prices in this range.</Empty>;
  return (
    <Plot
      label={`Share prices, rebased to 100: ${title}`}
      height={280}
      {...{ times, lines, zoom }}
      onZoom={setZoom}
      foot={
        <ViewActions
          shown={{
            name: name + spanName(zoom),
            head: ['time', ...series.map(({ slug }) => slug), 'unit'],
            rows: () => {
              const rows = times.map((time, index) => ({
                at: new Date(time * 1000).toISOString(),
                cells: lines.map(({ values }) => values[index] ?? null),
              }));
              return inSpan(rows, zoom).map(({ at, cells }) => [
                at,
                ...cells,
                'index, 100 at start',
              ]);
            },
            json: () => series.map(({ slug, ticks }) => ({ slug, ticks: inSpan(ticks, zoom) })),
          }}
        />
      }
    />
  );
}
