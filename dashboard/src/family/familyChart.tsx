import type { Vault } from '@assay/client';
import { useEffect } from 'preact/hooks';
import { loadPlot, Plot } from '../chart/chart.tsx';
import { INTERVALS, type Interval, RANGES, type Range } from '../chart/ranges.ts';
import { useZoom } from '../chart/zoomState.ts';
import { cleanText } from '../format/text.ts';
import { Card } from '../parts/card.tsx';
import { Choice } from '../parts/choice.tsx';
import { TakeAway } from '../parts/download.tsx';
import { Await, Empty } from '../parts/states.tsx';
import { useLive } from '../state/live.ts';
import { useChoice } from '../state/url.ts';
import { MEASURES, type Measure, readSeries, type Unit } from './series.ts';

/** One chart: what is measured, in what, over which time. */
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
  );
  useEffect(() => void loadPlot(), []);
  const measureName = MEASURES.find(([key]) => key === measure)![1];
  return (
    <Card
      id="chart"
      title="Over time"
      aside={
        <>
          <Choice
            label="Measure"
            choices={MEASURES}
            value={measure}
            onChoose={chosen(setMeasure)}
          />
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
      <Await live={live} lines={8}>
        {({ times, line, rows, head, json, unknown }) =>
          times.length === 0 ? (
            <Empty>
              {unknown > 0
                ? 'No price in USD was held in this range.'
                : 'Nothing was measured in this range yet.'}
            </Empty>
          ) : (
            <Plot
              label={`${measureName} of ${cleanText(vault.name)}`}
              times={times}
              lines={[line]}
              zoom={zoom}
              onZoom={setZoom}
              foot={
                <TakeAway
                  shown={{
                    name: `${slug}-${measure}-${range}`,
                    head,
                    rows: () => rows,
                    json: () => json,
                  }}
                />
              }
            />
          )
        }
      </Await>
    </Card>
  );

  /** Another series has other times: what was zoomed into stays only where it is there too. */
  function chosen<T>(set: (value: T) => void): (value: T) => void {
    return (value) => {
      setZoom(undefined);
      set(value);
    };
  }
}
