import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { momentText } from '../format/time.ts';
import type { Span } from './line.ts';
import { MarkList } from './markList.tsx';
import { marksIn } from './marks.ts';
import { onKey, showAll, spanOf } from './moves.ts';
import { SERIES_COLORS } from './options.ts';
import { PlotActions, useFullHeight } from './plotActions.tsx';
import { lastIndex, writeReadout } from './readout.ts';
import { SeriesTable } from './seriesTable.tsx';
import { summaryOf, valueText } from './spoken.ts';
import { NO_MARKS, type PlotContent, usePlot } from './usePlot.ts';

export interface PlotProps extends PlotContent {
  readonly label: string;
  readonly height?: number;
  /** Content next to the table button. */
  readonly foot?: ComponentChildren;
  /** How times are shown. Default: with the time of day. */
  readonly timeText?: (seconds: number) => string;
}

/** A mark is described while the crosshair is this close to it, in pixels. */
const NEAR = 6;

/** A chart over time. Drag to zoom, shift-drag to pan, double-click to show all; keys do the same. */
export function Plot(props: PlotProps) {
  const { label, times, lines, kind = 'lines', zoom, marks = NO_MARKS } = props;
  const outer = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLOutputElement>(null);
  const spoken = useRef<HTMLParagraphElement>(null);
  const summaryId = useId();
  const newest = useRef(props);
  newest.current = props;
  const height = useFullHeight(outer, props.height ?? 300);
  const plot = usePlot(props, { box, height, onValues: showValues });

  return (
    <div ref={outer} class="plot">
      {/* Follows the pointer. Values selected with keys are announced separately. */}
      <output ref={readout} class="readout" aria-live="off" />
      <p ref={spoken} class="sr" role="status" />
      <p id={summaryId} class="sr">
        {summaryOf(props)}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is something else. */}
      <div
        ref={box}
        class="canvas"
        style={{ minBlockSize: `${height}px` }}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the crosshair.
        tabIndex={0}
        aria-label={`${label}: chart. Use the arrow keys to read values, plus and minus to zoom, and zero to show all. The table below has the same data.`}
        aria-describedby={summaryId}
        onKeyDown={(event) => {
          if (!plot.current || !onKey(plot.current, event)) return;
          event.preventDefault();
          announce(plot.current, event.key);
        }}
      />
      <div class="plotfoot">
        {props.foot}
        <PlotActions
          plot={() => outer.current!}
          drawing={() => ({
            ...{ title: label, times, lines, kind, marks },
            span: plot.current ? spanOf(plot.current) : wholeOf(times),
          })}
        />
        <SeriesTable label={label} times={times} lines={lines} timeText={props.timeText} />
        <MarkList marks={marksIn(marks, zoom ?? wholeOf(times))} />
        {zoom !== undefined && (
          <button type="button" class="quiet" onClick={() => plot.current && showAll(plot.current)}>
            Show all
          </button>
        )}
      </div>
    </div>
  );

  function showValues(made: uPlot): void {
    if (readout.current === null) return;
    const { times, lines, marks = NO_MARKS, timeText } = newest.current;
    const { min, max } = spanOf(made);
    writeReadout(
      readout.current,
      { times, lines, marks, timeText },
      {
        index: made.cursor.idx ?? lastIndex({ times, lines }),
        near: made.cursor.idx == null ? 0 : ((max - min) / made.over.clientWidth) * NEAR,
        colors: SERIES_COLORS,
      },
    );
  }

  /** Announces the value after an arrow key, and the visible range after any other key. */
  function announce(made: uPlot, key: string): void {
    const { min, max } = spanOf(made);
    spoken.current!.textContent = key.startsWith('Arrow')
      ? valueText(newest.current, made.cursor.idx ?? times.length - 1)
      : `Showing ${momentText(min * 1000)} to ${momentText(max * 1000)}.`;
  }
}

function wholeOf(times: readonly number[]): Span {
  return { min: times[0] ?? 0, max: times.at(-1) ?? 0 };
}
