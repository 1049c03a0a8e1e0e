import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { momentText } from '../format/time.ts';
import { useStore } from '../state/store.ts';
import { colorScheme } from '../state/theme.ts';
import { type Line, type Span, stack } from './line.ts';
import { MarkList } from './markList.tsx';
import { type Mark, marksIn } from './marks.ts';
import { listenForMoves, moveTo, onKey, showAll, spanOf } from './moves.ts';
import { type PlotKind, plotOptions, SERIES_COLORS } from './options.ts';
import { PlotActions, useFullHeight } from './plotActions.tsx';
import { lastIndex, writeReadout } from './readout.ts';
import { SeriesTable } from './seriesTable.tsx';
import { summaryOf, valueText } from './spoken.ts';

export interface PlotProps {
  readonly label: string;
  /** Unix seconds, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly kind?: PlotKind;
  readonly height?: number;
  /** The zoomed range; undefined: all data. */
  readonly zoom?: Span | undefined;
  /** Content next to the table button. */
  readonly foot?: ComponentChildren;
  readonly onZoom?: (span: Span | undefined) => void;
  /** Plots with the same name share their crosshair. */
  readonly link?: string;
  readonly marks?: readonly Mark[];
  /** How times are shown. Default: with the time of day. */
  readonly timeText?: (seconds: number) => string;
}

const NO_MARKS: readonly Mark[] = [];
/** A mark is described while the crosshair is this close to it, in pixels. */
const NEAR = 6;

/** A chart over time. Drag to zoom, shift-drag to pan, double-click to show all; keys do the same. */
export function Plot(props: PlotProps) {
  const { label, times, lines, kind = 'lines', zoom, onZoom, link, marks = NO_MARKS } = props;
  const outer = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLOutputElement>(null);
  const spoken = useRef<HTMLParagraphElement>(null);
  const summaryId = useId();
  const plot = useRef<uPlot | undefined>(undefined);
  const later = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  /** What the plot shows because the page asked for it: not a choice to report. */
  const followed = useRef<Span | undefined>(undefined);
  /** A choice that the page does not have yet: new data must not undo it. */
  const chosen = useRef<{ readonly span: Span | undefined } | undefined>(undefined);
  const newest = useRef(props);
  newest.current = props;
  const height = useFullHeight(outer, props.height ?? 300);
  const scheme = useStore(colorScheme);
  const shape = `${kind} ${lines.map((line) => `${line.label} ${line.axis?.unit}`).join(' ')} ${scheme}`;

  // New data for the same lines is set below, without creating the chart again.
  useEffect(() => {
    const element = box.current!;
    const width = element.clientWidth;
    const options = plotOptions(
      {
        ...{ lines, kind, width, height, element, link },
        marks: () => newest.current.marks ?? NO_MARKS,
      },
      uPlot.paths.bars,
    );
    const hooks = { ...options.hooks, setCursor: [showValues], setScale: [reportZoom] };
    const made = new uPlot({ ...options, hooks }, dataOf(newest.current), element);
    plot.current = made;
    listenForMoves(made);
    made.over.addEventListener('dblclick', () => showAll(made));
    if (newest.current.zoom) followed.current = moveTo(made, newest.current.zoom);
    showValues(made);
    const watch = new ResizeObserver(() => {
      made.setSize({ width: element.clientWidth, height });
    });
    watch.observe(element);
    return () => {
      watch.disconnect();
      clearTimeout(later.current);
      chosen.current = undefined;
      made.destroy();
      plot.current = undefined;
    };
  }, [shape, height]);

  useEffect(() => {
    const made = plot.current;
    if (made === undefined) return;
    const { span } = chosen.current ?? { span: newest.current.zoom };
    made.setData(dataOf({ times, lines, kind }), span === undefined);
    const shown = span && moveTo(made, span);
    if (chosen.current === undefined && shown) followed.current = shown;
    showValues(made);
  }, [times, lines, kind, marks]);

  // The zoom of the page, which another chart or the back button changed.
  useEffect(() => {
    const made = plot.current;
    if (made === undefined) return;
    const { min, max } = spanOf(made);
    if (zoom === undefined) followed.current = showAll(made);
    else if (!isClose({ min, max }, zoom)) followed.current = moveTo(made, zoom);
  }, [zoom?.min, zoom?.max]);

  const isZoomed = zoom !== undefined;
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
        {isZoomed && (
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

  function reportZoom(made: uPlot, scale: string): void {
    if (scale !== 'x') return;
    const { min, max } = spanOf(made);
    const times = made.data[0];
    const isAll = min <= times[0]! && max >= times[times.length - 1]!;
    if (times.length > 1) reportLater(isAll ? undefined : { min, max });
  }

  function reportLater(span: Span | undefined): void {
    const report = newest.current.onZoom ?? onZoom;
    if (report === undefined) return;
    clearTimeout(later.current);
    chosen.current = undefined;
    const isNews = () => {
      const known = newest.current.zoom;
      const isKnown = [known, followed.current].some((one) => span && one && isClose(span, one));
      return span !== known && !isKnown;
    };
    if (isNews()) chosen.current = { span };
    later.current = setTimeout(() => {
      chosen.current = undefined;
      if (isNews()) report(span);
    }, 200);
  }
}

/** The URL has integer seconds. */
function isClose(a: Span, b: Span): boolean {
  return Math.abs(a.min - b.min) <= 1 && Math.abs(a.max - b.max) <= 1;
}

function wholeOf(times: readonly number[]): Span {
  return { min: times[0] ?? 0, max: times.at(-1) ?? 0 };
}

/** The width of a bar follows from its neighbors, of which only undefined ones do not count. */
function dataOf({ times, lines, kind }: Pick<PlotProps, 'times' | 'lines' | 'kind'>) {
  const values =
    kind === 'stacked'
      ? stack(lines)
      : kind === 'bars'
        ? lines.map((line) => line.values.map((value) => value ?? undefined))
        : lines.map((line) => line.values);
  return [times, ...values] as unknown as uPlot.AlignedData;
}
