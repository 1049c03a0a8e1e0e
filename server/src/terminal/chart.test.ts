import { describe, expect, test } from 'vitest';
import { type Point, renderChart } from './chart.ts';
import { createScale, digitsOf } from './scale.ts';
import { type Screen, screenOf } from './screen.ts';
import { widthOf } from './text.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 7, 18);
const label = (value: number, step: number) => value.toFixed(digitsOf(step));

function screen(columns: number, rows = 24): Screen {
  return screenOf({ isTTY: true, columns, rows }, { NO_COLOR: '1' });
}

function rising(count: number): Point[] {
  return Array.from({ length: count }, (_, i) => ({ at: START + i * DAY, value: 1 + i / count }));
}

describe('renderChart', () => {
  test('default', () => {
    const lines = renderChart(rising(30), { label, screen: screen(40) });
    expect(lines).toMatchInlineSnapshot(`
      [
        "2.0 ┤                                  ⢀",
        "    │                               ⡠⠤⠒⠁",
        "1.8 ┤                           ⢀⠤⠒⠉",
        "    │                        ⡠⠔⠊⠁",
        "1.6 ┤                    ⣀⠤⠒⠉",
        "    │                ⢀⡠⠔⠊",
        "1.4 ┤             ⣀⠤⠒⠁",
        "    │         ⢀⠤⠔⠊",
        "1.2 ┤      ⡠⠤⠒⠁",
        "    │  ⢀⠤⠔⠊",
        "1.0 ┤⠔⠊⠁",
        "    └┴─────────────────────────────────┴",
        "     2026-08-18               2026-09-16",
      ]
    `);
  });

  test.each([20, 80, 200])('behavior: as wide as %d columns', (columns) => {
    const lines = renderChart(rising(500), { label, screen: screen(columns) });
    const widest = Math.max(...lines.map(widthOf));
    expect(widest).toBe(columns);
  });

  test('behavior: the line goes through every column, and from the lowest row to the highest', () => {
    const lines = renderChart(rising(2), { label, screen: screen(60) });
    const plot = lines.slice(0, -2).map((line) => line.slice(5));
    const dotted = new Set(
      plot.flatMap((row) => [...row].flatMap((char, i) => (char === ' ' ? [] : [i]))),
    );
    expect(dotted.size).toBe(55);
    expect(plot.at(-1)![0]).not.toBe(' ');
    expect(plot[0]!.at(-1)).not.toBe(' ');
  });

  test('behavior: one point, and a constant line', () => {
    const one = renderChart([{ at: START, value: 0 }], { label, screen: screen(40) });
    expect(one.join('')).toMatch(/[\u2801-\u28ff]/);
    const level = renderChart(
      rising(9).map(({ at }) => ({ at, value: 7 })),
      { label, screen: screen(40) },
    );
    expect(level.filter((line) => /[\u2801-\u28ff]/.test(line))).toHaveLength(1);
  });

  test('behavior: hours for a short period, more rows on a tall screen', () => {
    const hours = rising(9).map(({ value }, i) => ({ at: START + i * 3_600_000, value }));
    expect(renderChart(hours, { label, screen: screen(80) }).at(-1)).toContain('2026-08-18 08:00');
    const [low, tall] = [24, 50].map((rows) =>
      renderChart(hours, { label, screen: screen(80, rows) }),
    );
    expect(tall!.length).toBeGreaterThan(low!.length);
    expect(low!.length).toBeLessThan(20);
  });
});

describe('createScale', () => {
  test.each([
    [0.0345, 0.057, 6],
    [14_973_120, 14_981_006, 6],
    [-3, 11, 6],
    [0, 1e-9, 6],
  ])('default: round steps from %d to %d', (low, high, most) => {
    const { base, step, steps } = createScale(low, high, most);
    expect(base).toBeLessThanOrEqual(low);
    expect(base + steps * step).toBeGreaterThanOrEqual(high * (1 - 1e-12));
    expect(steps).toBeLessThanOrEqual(most);
    expect(String(step / 10 ** Math.floor(Math.log10(step) + 1e-9))).toMatch(
      /^(1|2|2\.5|5)(\.0*1?)?$/,
    );
  });
});
