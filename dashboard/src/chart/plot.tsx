import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { momentText } from '../format/time.ts';
import { useStore } from '../state/store.ts';
import { colours } from '../state/theme.ts';
import { type Line, type Span, stack } from './line.ts';
import { listenForMoves, moveTo, onKey, showAll, spanOf } from './moves.ts';
import { COLOURS, plotOptions } from './options.ts';
import { SeriesTable } from './seriesTable.tsx';

export interface PlotProps {
  readonly label: string;
  /** Unix seconds, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly stacked?: boolean;
  readonly height?: number;
  /** The part that is zoomed into; undefined: all. */
  readonly zoom?: Span | undefined;
  /** Beside the table's button. */
  readonly foot?: ComponentChildren;
  readonly onZoom?: (span: Span | undefined) => void;
}

/** A chart over time: drag zooms, shift and drag pans, a double click shows all; keys do the same. */
export function Plot(props: PlotProps) {
  const { label, times, lines, stacked = false, height = 300, zoom, onZoom } = props;
  const box = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLOutputElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const later = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const newest = useRef(props);
  newest.current = props;
  const colour = useStore(colours);
  const shape = `${stacked} ${lines.map((line) => line.label).join(' ')} ${colour}`;

  // News of the same lines change no chart: they go into it below.
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
      <output ref={readout} class="readout" aria-live="off" />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is something else. */}
      <div
        ref={box}
        class="canvas"
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the crosshair.
        tabIndex={0}
        aria-label={`${label}: chart. Arrow keys read values, plus and minus zoom, zero shows all. The same figures stand in the table below it.`}
        onKeyDown={(event) => {
          if (plot.current && onKey(plot.current, event)) event.preventDefault();
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

  /** Straight into the page: a crosshair moves sixty times a second. */
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
