import type { Vault } from '@assay/client';
import { useEffect } from 'preact/hooks';
import { loadPlot, Plot } from '../chart/chart.tsx';
import { inSpan, spanName } from '../chart/line.ts';
import { INTERVALS, type Interval, RANGES, type Range } from '../chart/ranges.ts';
import { useZoom } from '../chart/zoomState.ts';
import { cleanText } from '../format/text.ts';
import { Card } from '../parts/card.tsx';
import { Choice } from '../parts/choice.tsx';
import { ViewActions } from '../parts/download.tsx';
import { Await, Empty } from '../parts/states.tsx';
import { useLive } from '../state/live.ts';
import { ofFamily } from '../state/topics.ts';
import { useChoice } from '../state/url.ts';
import { MEASURES, type Measure, readSeries, seriesTitle, type Unit } from './series.ts';

/** Charts one metric in the selected unit and range. */
export function FamilyChart({ vault }: { readonly vault: Vault<bigint> }) {
  const { slug, assets } = vault;
  const [measure, setMeasure] = useChoice<Measure>('chart', ['tvl', 'apy', 'price']);
  const [unit, setUnit] = useChoice<Unit>('unit', ['base', 'usd']);
  const [range, setRange] = useChoice<Range>('range', ['30d', '7d', '90d', 'all']);
  const [interval, setInterval] = useChoice<Interval>('interval', ['auto', 'raw', 'hour', 'day']);
  const [zoom, setZoom] = useZoom();
  const { symbol, decimals } = assets.base;
  const base = cleanText(symbol, 12);
  const asked = {
    slug,
    measure,
    unit: measure === 'apy' ? 'base' : unit,
    range,
    interval,
  } as const;
  const live = useLive(
    `series ${Object.values(asked).join(' ')}`,
    (signal) => readSeries({ ...asked, decimals, symbol: base, now: Date.now(), signal }),
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
            disabled={measure === 'apy' ? ['base', 'usd'] : []}
          />
          <Choice label="Range" choices={RANGES} value={range} onChoose={chosen(setRange)} />
          <label class="inline">
            <span class="sr">Interval</span>
            <select
              value={interval}
              onChange={(event) => setInterval(event.currentTarget.value as Interval)}
            >
              {INTERVALS.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </>
      }
    >
      <Await
        live={live}
        lines={8}
        wanted={seriesTitle({ ...asked, symbol: base })}
        nameOf={({ title }) => title}
      >
        {({ title, name, measure, times, line, ticks, json, unknown }) =>
          times.length === 0 ? (
            <Empty>
              {unknown > 0 ? 'No USD price in this range.' : 'No data in this range yet.'}
            </Empty>
          ) : (
            <Plot
              label={`${title} of ${cleanText(vault.name)}`}
              times={times}
              lines={[line]}
              zoom={zoom}
              onZoom={setZoom}
              foot={
                <ViewActions
                  shown={{
                    name: name + spanName(zoom),
                    head: ['time', measure, 'unit'],
                    rows: () => inSpan(ticks, zoom).map(({ at, cell, unit }) => [at, cell, unit]),
                    json: () => inSpan(json, zoom),
                  }}
                />
              }
            />
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
