import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { momentText } from '../format/time.ts';
import { useStore } from '../state/store.ts';
import { colours } from '../state/theme.ts';
import { type Line, type Span, stack } from './line.ts';
import { listenForMoves, moveTo, onKey, showAll, spanOf } from './moves.ts';
import { COLOURS, plotOptions } from './options.ts';
import { SeriesTable } from './seriesTable.tsx';
import { summaryOf, valueText } from './spoken.ts';

export interface PlotProps {
  readonly label: string;
  /** Unix seconds, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly stacked?: boolean;
  readonly height?: number;
  /** The zoomed range; undefined: all data. */
  readonly zoom?: Span | undefined;
  /** Content next to the table button. */
  readonly foot?: ComponentChildren;
  readonly onZoom?: (span: Span | undefined) => void;
}

/** A chart over time. Drag to zoom, shift-drag to pan, double-click to show all; keys do the same. */
export function Plot(props: PlotProps) {
  const { label, times, lines, stacked = false, height = 300, zoom, onZoom } = props;
  const box = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLOutputElement>(null);
  const spoken = useRef<HTMLParagraphElement>(null);
  const summaryId = useId();
  const plot = useRef<uPlot | undefined>(undefined);
  const later = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const newest = useRef(props);
  newest.current = props;
  const colour = useStore(colours);
  const shape = `${stacked} ${lines.map((line) => line.label).join(' ')} ${colour}`;

  // New data for the same lines is set below, without creating the chart again.
  useEffect(() => {
    const element = box.current!;
    const width = element.clientWidth;
    const options = plotOptions({ lines, stacked, width, height, element });
    const made = new uPlot(
      { ...options, hooks: { setCursor: [tell], setScale: [tellZoom] } },
      dataOf(newest.current),
      element,
    );
    plot.current = made;
    listenForMoves(made);
    made.over.addEventListener('dblclick', () => showAll(made));
    if (zoom) moveTo(made, zoom);
    tell(made);
    const watch = new ResizeObserver(() => {
      made.setSize({ width: element.clientWidth, height });
    });
    watch.observe(element);
    return () => {
      watch.disconnect();
      clearTimeout(later.current);
      made.destroy();
      plot.current = undefined;
    };
  }, [shape, height]);

  useEffect(() => {
    const made = plot.current;
    if (made === undefined) return;
    const span = newest.current.zoom;
    made.setData(dataOf({ times, lines, stacked }), span === undefined);
    if (span) moveTo(made, span);
    tell(made);
  }, [times, lines, stacked]);

  const isZoomed = zoom !== undefined;
  return (
    <div class="plot">
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
        <SeriesTable label={label} times={times} lines={lines} />
        {isZoomed && (
          <button type="button" class="quiet" onClick={() => plot.current && showAll(plot.current)}>
            Show all
          </button>
        )}
      </div>
    </div>
  );

  /** Writes to the DOM directly, because the crosshair moves 60 times per second. */
  function tell(made: uPlot): void {
    const { times, lines } = newest.current;
    const index = made.cursor.idx ?? times.length - 1;
    const time = times[index];
    const output = readout.current;
    if (output === null) return;
    if (time === undefined) {
      output.replaceChildren();
      return;
    }
    const parts = lines.map((line, place) => {
      const value = line.values[index] ?? null;
      const words = document.createElement('span');
      words.className = `key series-${(place % COLOURS) + 1}`;
      const name = lines.length > 1 ? `${line.label} ` : '';
      words.append(name, strong(value === null ? '–' : line.format(value)));
      return words;
    });
    const when = document.createElement('span');
    when.className = 'when';
    when.textContent = momentText(time * 1000);
    output.replaceChildren(...parts, when);
  }

  /** Announces the value after an arrow key, and the visible range after any other key. */
  function announce(made: uPlot, key: string): void {
    const { min, max } = spanOf(made);
    spoken.current!.textContent = key.startsWith('Arrow')
      ? valueText(newest.current, made.cursor.idx ?? times.length - 1)
      : `Showing ${momentText(min * 1000)} to ${momentText(max * 1000)}.`;
  }

  function tellZoom(made: uPlot, scale: string): void {
    if (scale !== 'x') return;
    const { min, max } = spanOf(made);
    const times = made.data[0];
    const whole = min <= times[0]! && max >= times[times.length - 1]!;
    if (times.length > 1) onZoomLater(whole ? undefined : { min, max });
  }

  function onZoomLater(span: Span | undefined): void {
    const tell = newest.current.onZoom ?? onZoom;
    if (tell === undefined) return;
    clearTimeout(later.current);
    later.current = setTimeout(() => {
      const known = newest.current.zoom;
      const same =
        span === known || (span && known && span.min === known.min && span.max === known.max);
      if (!same) tell(span);
    }, 200);
  }
}

function strong(text: string): HTMLElement {
  const element = document.createElement('b');
  element.textContent = text;
  return element;
}

function dataOf({ times, lines, stacked }: Pick<PlotProps, 'times' | 'lines' | 'stacked'>) {
  const values = stacked ? stack(lines) : lines.map((line) => line.values);
  return [times, ...values] as unknown as uPlot.AlignedData;
}
