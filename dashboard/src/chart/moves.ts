import type uPlot from 'uplot';
import type { Span } from './line.ts';

/** Minimum range of a zoom, in seconds. */
const MIN_SPAN = 600;

/** Shows a range, limited to the data, and returns the visible one. */
export function moveTo(plot: uPlot, span: Span): Span {
  const times = plot.data[0];
  const [first, last] = [times[0], times[times.length - 1]];
  if (first === undefined || last === undefined || last <= first) return spanOf(plot);
  const wide = Math.min(Math.max(span.max - span.min, MIN_SPAN), last - first);
  const min = Math.min(Math.max(span.min, first), last - wide);
  const shown = { min, max: min + wide };
  plot.setScale('x', shown);
  return shown;
}

export function spanOf({ scales }: uPlot): Span {
  return { min: scales.x?.min ?? 0, max: scales.x?.max ?? 0 };
}

/** Pans by a fraction of the visible range: 0.1 is a tenth to the right. */
export function pan(plot: uPlot, part: number): void {
  const { min, max } = spanOf(plot);
  const by = (max - min) * part;
  moveTo(plot, { min: min + by, max: max + by });
}

/** Zooms around a position from 0 (left) to 1 (right). */
export function zoom(plot: uPlot, factor: number, around = 0.5): void {
  const { min, max } = spanOf(plot);
  const at = min + (max - min) * around;
  moveTo(plot, { min: at - (at - min) * factor, max: at + (max - at) * factor });
}

export function showAll(plot: uPlot): Span {
  return moveTo(plot, { min: -Infinity, max: Infinity });
}

/** Ctrl and wheel, or a pinch, zooms; horizontal scrolling pans. Vertical scrolling still scrolls the page. */
export function listenForMoves(plot: uPlot): void {
  const { over } = plot;
  over.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        zoom(plot, event.deltaY > 0 ? 1.15 : 1 / 1.15, event.offsetX / over.clientWidth);
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        pan(plot, (event.deltaX || event.deltaY) / over.clientWidth);
      }
    },
    { passive: false },
  );
  // Runs before uPlot's listener, which would start a selection.
  over.parentElement!.addEventListener(
    'mousedown',
    (event) => {
      if (!event.shiftKey && event.button !== 1) return;
      event.preventDefault();
      event.stopPropagation();
      let from = event.clientX;
      const onMove = (moved: MouseEvent) => {
        pan(plot, (from - moved.clientX) / over.clientWidth);
        from = moved.clientX;
      };
      const onUp = () => {
        removeEventListener('mousemove', onMove);
        removeEventListener('mouseup', onUp);
      };
      addEventListener('mousemove', onMove);
      addEventListener('mouseup', onUp);
    },
    { capture: true },
  );
  listenForTouch(plot);
}

/** One finger reads values; two fingers zoom and pan. */
function listenForTouch(plot: uPlot): void {
  const { over } = plot;
  let last: { readonly middle: number; readonly apart: number } | undefined;
  over.addEventListener('touchstart', begin, { passive: true });
  over.addEventListener('touchend', begin, { passive: true });
  over.addEventListener('touchmove', move, { passive: false });

  function begin({ touches }: TouchEvent): void {
    last = touches.length === 2 ? pinchOf(touches) : undefined;
  }

  function move(event: TouchEvent): void {
    const [touch] = event.touches;
    const box = over.getBoundingClientRect();
    if (event.touches.length !== 2) {
      last = undefined;
      plot.setCursor({ left: touch!.clientX - box.left, top: touch!.clientY - box.top });
      return;
    }
    event.preventDefault();
    const now = pinchOf(event.touches);
    // Touches that start or end outside the chart raise no event here.
    last ??= now;
    pan(plot, (last.middle - now.middle) / over.clientWidth);
    zoom(plot, last.apart / now.apart, (now.middle - box.left) / over.clientWidth);
    last = now;
  }
}

function pinchOf(touches: TouchList) {
  const [a, b] = [touches[0]!.clientX, touches[1]!.clientX];
  // Fingers one above the other would zoom without limit.
  return { middle: (a + b) / 2, apart: Math.max(Math.abs(a - b), 24) };
}

/** Handles a key. Returns whether it had a meaning. */
export function onKey(plot: uPlot, { key, shiftKey }: KeyboardEvent): boolean {
  if (key === '+' || key === '=') zoom(plot, 0.7);
  else if (key === '-') zoom(plot, 1 / 0.7);
  else if (key === '0' || key === 'Escape') showAll(plot);
  else if (key === 'ArrowLeft') step(plot, -1, shiftKey);
  else if (key === 'ArrowRight') step(plot, 1, shiftKey);
  else return false;
  return true;
}

function step(plot: uPlot, by: number, isPan: boolean): void {
  if (isPan) {
    pan(plot, by * 0.1);
    return;
  }
  const times = plot.data[0];
  const { min, max } = spanOf(plot);
  const last = times.length - 1;
  const at = plot.cursor.idx ?? (by > 0 ? -1 : last + 1);
  const index = Math.min(Math.max(at + by, 0), last);
  const time = times[index]!;
  if (time < min || time > max) pan(plot, by * 0.5);
  plot.setCursor({ left: plot.valToPos(time, 'x'), top: 10 });
}
