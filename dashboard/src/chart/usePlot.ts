import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useStore } from '../state/store.ts';
import { colorScheme } from '../state/theme.ts';
import { type Line, type Span, stack } from './line.ts';
import type { Mark } from './marks.ts';
import { listenForMoves, moveTo, showAll, spanOf } from './moves.ts';
import { type PlotKind, plotOptions } from './options.ts';
import { createZoomChoice, isClose, type ZoomChoice } from './zoomChoice.ts';

/** What a plot draws, and which part of it. */
export interface PlotContent {
  /** Unix seconds, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly kind?: PlotKind;
  /** The zoomed range; undefined: all data. */
  readonly zoom?: Span | undefined;
  readonly onZoom?: (span: Span | undefined) => void;
  /** Plots with the same name share their crosshair. */
  readonly link?: string;
  readonly marks?: readonly Mark[];
}

interface PlotPlace {
  readonly box: { readonly current: HTMLElement | null };
  readonly height: number;
  /** Called when the crosshair or the data changed. */
  readonly onValues: (plot: uPlot) => void;
}

export const NO_MARKS: readonly Mark[] = [];

/** Keeps a plot in an element, with the newest data and zoom of the page. */
export function usePlot(content: PlotContent, { box, height, onValues }: PlotPlace) {
  const { times, lines, kind = 'lines', zoom, link, marks = NO_MARKS } = content;
  const plot = useRef<uPlot | undefined>(undefined);
  const newest = useRef(content);
  newest.current = content;
  const choosing = useRef<ZoomChoice | undefined>(undefined);
  choosing.current ??= createZoomChoice(() => newest.current);
  const choice = choosing.current;
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
    const hooks = { ...options.hooks, setCursor: [onValues], setScale: [showZoom] };
    const made = new uPlot({ ...options, hooks }, dataOf(newest.current), element);
    plot.current = made;
    listenForMoves(made);
    made.over.addEventListener('dblclick', () => showAll(made));
    if (newest.current.zoom) choice.follow(moveTo(made, newest.current.zoom));
    onValues(made);
    const watch = new ResizeObserver(() => {
      made.setSize({ width: element.clientWidth, height });
    });
    watch.observe(element);
    return () => {
      watch.disconnect();
      choice.forget();
      made.destroy();
      plot.current = undefined;
    };
  }, [shape, height]);

  useEffect(() => {
    const made = plot.current;
    if (made === undefined) return;
    const { span } = choice.pending ?? { span: newest.current.zoom };
    made.setData(dataOf({ times, lines, kind }), span === undefined);
    const shown = span && moveTo(made, span);
    if (choice.pending === undefined && shown) choice.follow(shown);
    onValues(made);
  }, [times, lines, kind, marks]);

  // The zoom of the page, which another chart or the back button changed.
  useEffect(() => {
    const made = plot.current;
    if (made === undefined) return;
    if (zoom === undefined) choice.follow(showAll(made));
    else if (!isClose(spanOf(made), zoom)) choice.follow(moveTo(made, zoom));
  }, [zoom?.min, zoom?.max]);

  return plot;

  function showZoom(made: uPlot, scale: string): void {
    if (scale !== 'x') return;
    const { min, max } = spanOf(made);
    const times = made.data[0];
    const isAll = min <= times[0]! && max >= times[times.length - 1]!;
    if (times.length > 1) choice.show(isAll ? undefined : { min, max });
  }
}

/** The width of a bar follows from its neighbors, of which only undefined ones do not count. */
function dataOf({ times, lines, kind }: Pick<PlotContent, 'times' | 'lines' | 'kind'>) {
  const values =
    kind === 'stacked'
      ? stack(lines)
      : kind === 'bars'
        ? lines.map((line) => line.values.map((value) => value ?? undefined))
        : lines.map((line) => line.values);
  return [times, ...values] as unknown as uPlot.AlignedData;
}
