import type uPlot from 'uplot';
import type { Span } from './line.ts';

/** Fewest seconds that can be zoomed into. */
const LEAST = 600;

/** Zooms and pans within what there is. */
export function moveTo(plot: uPlot, span: Span): void {
  const times = plot.data[0];
  const [first, last] = [times[0], times[times.length - 1]];
  if (first === undefined || last === undefined || last <= first) return;
  const wide = Math.min(Math.max(span.max - span.min, LEAST), last - first);
  const min = Math.min(Math.max(span.min, first), last - wide);
  plot.setScale('x', { min, max: min + wide });
}

export function spanOf({ scales }: uPlot): Span {
  return { min: scales.x?.min ?? 0, max: scales.x?.max ?? 0 };
}

/** By a part of what is seen: 0.1 is a tenth to the right. */
export function pan(plot: uPlot, part: number): void {
  const { min, max } = spanOf(plot);
  const by = (max - min) * part;
  moveTo(plot, { min: min + by, max: max + by });
}

/** Around a place between 0 (left) and 1 (right). */
export function zoom(plot: uPlot, factor: number, around = 0.5): void {
  const { min, max } = spanOf(plot);
  const at = min + (max - min) * around;
  moveTo(plot, { min: at - (at - min) * factor, max: at + (max - at) * factor });
}

export function showAll(plot: uPlot): void {
  moveTo(plot, { min: -Infinity, max: Infinity });
}

/** Ctrl or a pinch zooms, sideways pans; the page itself scrolls as ever. */
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
  // Before the chart's own listener, which would begin to select.
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
  over.addEventListener(
    'touchmove',
    (event) => {
      const touch = event.touches[0]!;
      const box = over.getBoundingClientRect();
      plot.setCursor({ left: touch.clientX - box.left, top: touch.clientY - box.top });
    },
    { passive: true },
  );
}

/** Whether the key meant something. */
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
