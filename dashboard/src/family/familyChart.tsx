import type { Vault } from '@assay/client';
import { useEffect } from 'preact/hooks';
import { loadPlot, Plot } from '../chart/chart.tsx';
import { inSpan, spanName } from '../chart/line.ts';
import { gapsOf, type Mark } from '../chart/marks.ts';
import { RangeChoice } from '../chart/rangeChoice.tsx';
import { useRange } from '../chart/rangeState.ts';
import { INTERVALS, type Interval } from '../chart/ranges.ts';
import { useZoom } from '../chart/zoomState.ts';
import { Card } from '../components/card.tsx';
import { Choice } from '../components/choice.tsx';
import { ViewActions } from '../components/download.tsx';
import { Select } from '../components/select.tsx';
import { Await, Empty } from '../components/states.tsx';
import { cleanText } from '../format/text.ts';
import { useLive } from '../state/live.ts';
import { ofFamily } from '../state/topics.ts';
import { useChoice } from '../state/url.ts';
import { benchmarkText } from './benchmark.ts';
import { BenchmarkChoice, useBenchmark } from './benchmarkChoice.tsx';
import { useMarks } from './familyMarks.ts';
import {
  MEASURES,
  type Measure,
  readSeries,
  type ShownSeries,
  seriesTitle,
  type Unit,
} from './series.ts';

/** Charts one metric in the selected unit and range. */
export function FamilyChart({ vault }: { readonly vault: Vault<bigint> }) {
  const { slug, assets } = vault;
  const [measure, setMeasure] = useChoice<Measure>('chart', ['tvl', 'apy', 'price']);
  const [unit, setUnit] = useChoice<Unit>('unit', ['base', 'usd']);
  const [range] = useRange();
  const [interval, setInterval] = useChoice<Interval>('interval', ['auto', 'raw', 'hour', 'day']);
  const [, setZoom] = useZoom();
  const chosenBenchmark = useBenchmark(slug);
  const benchmark = measure === 'tvl' ? undefined : chosenBenchmark;
  const { symbol, decimals } = assets.base;
  const base = cleanText(symbol, 12);
  const hasUnit = measure === 'tvl' || (measure === 'price' && benchmark === undefined);
  const asked = { slug, measure, unit: hasUnit ? unit : 'base', range, interval } as const;
  const key = [
    slug,
    measure,
    asked.unit,
    range.key,
    interval,
    benchmark && benchmarkText(benchmark),
  ];
  const live = useLive(
    `series ${key.join(' ')}`,
    (signal) =>
      readSeries({ ...asked, benchmark, decimals, symbol: base, now: Date.now(), signal }),
    60_000,
    ofFamily(slug),
  );
  useEffect(() => void loadPlot(), []);
  return (
    <Card
      id="chart"
      title="Over time"
      chartHeight={300}
      aside={
        <>
          <Choice label="Metric" choices={MEASURES} value={measure} onChoose={chosen(setMeasure)} />
          <Choice
            label="Unit"
            choices={[
              ['base', base],
              ['usd', 'USD'],
            ]}
            value={unit}
            onChoose={chosen(setUnit)}
            disabled={hasUnit ? [] : ['base', 'usd']}
          />
          <RangeChoice />
          {measure !== 'tvl' && <BenchmarkChoice slug={slug} />}
          <Select
            class="inline"
            label="Interval"
            options={INTERVALS}
            value={interval}
            onChoose={setInterval}
          />
        </>
      }
    >
      <Await
        live={live}
        lines={8}
        wanted={seriesTitle({ ...asked, benchmark, symbol: base })}
        nameOf={({ title }) => title}
      >
        {(series) =>
          series.times.length === 0 ? (
            <Empty>
              {series.unknown > 0 ? 'No USD price in this range.' : 'No data in this range yet.'}
            </Empty>
          ) : (
            <SeriesPlot series={series} vault={vault} />
          )
        }
      </Await>
    </Card>
  );

  /** Clears the zoom, because another series can have other times. */
  function chosen<T>(set: (value: T) => void): (value: T) => void {
    return (value) => {
      setZoom(undefined);
      set(value);
    };
  }
}

function SeriesPlot({
  series: { title, name, measure, times, lines, ticks, json },
  vault: { slug, name: family },
}: {
  readonly series: ShownSeries;
  readonly vault: Vault<bigint>;
}) {
  const [zoom, setZoom] = useZoom();
  const marks: readonly Mark[] = [...gapsOf(times), ...useMarks(slug)];
  const heads = lines.length === 1 ? [measure] : lines.map(({ label }) => label);
  return (
    <Plot
      label={`${title} of ${cleanText(family)}`}
      link="family"
      {...{ times, lines, marks, zoom }}
      onZoom={setZoom}
      foot={
        <ViewActions
          shown={{
            name: name + spanName(zoom),
            head: ['time', ...heads, 'unit'],
            rows: () => inSpan(ticks, zoom).map(({ at, cells, unit }) => [at, ...cells, unit]),
            json: () => inSpan(json, zoom),
          }}
        />
      }
    />
  );
}
