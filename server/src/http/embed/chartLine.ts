import { ratio } from '../../domain/amount.ts';
import { type Html, html } from '../docs/html.ts';

/** One data point; values are in any unit, the same for all. */
export interface ChartPoint {
  /** ISO 8601. */
  readonly at: string;
  readonly value: bigint;
}

const WIDTH = 600;
const HEIGHT = 140;
/** Keeps the line's full thickness at the edges. */
const MARGIN = 4;

/** Draws the points as an SVG line, or undefined if they are too few for one. */
export function chartLine(points: readonly ChartPoint[], label: string): Html | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first.at === last.at) return undefined;
  const values = points.map(({ value }) => value);
  const lowest = values.reduce((a, b) => (b < a ? b : a));
  const range = values.reduce((a, b) => (b > a ? b : a)) - lowest;
  const start = Date.parse(first.at);
  const span = Date.parse(last.at) - start;
  const path = points.map(({ at, value }, i) => {
    const x = MARGIN + ((Date.parse(at) - start) / span) * (WIDTH - 2 * MARGIN);
    // A constant value is a line in the middle.
    const part = range === 0n ? 0.5 : ratio(value - lowest, range);
    const y = HEIGHT - MARGIN - part * (HEIGHT - 2 * MARGIN);
    return `${i === 0 ? 'M' : 'L'}${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}"><path d="${path.join('')}"/></svg>`;
}
