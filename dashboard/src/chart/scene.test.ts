import { describe, expect, test } from 'vitest';
import type { Line } from './line.ts';
import { type Drawing, type Shape, sceneOf } from './scene.ts';
import { svgText } from './svg.ts';

const DAY = 86_400;
const line = (label: string, values: (number | null)[]): Line => ({
  label,
  values,
  format: String,
  axis: { unit: 'USDC' },
});
const drawing = (fields: Partial<Drawing>): Drawing => ({
  ...{ title: 'TVL', times: [0, DAY, 2 * DAY], lines: [line('TVL', [100, 110, 120])] },
  ...{ kind: 'lines', marks: [], span: { min: 0, max: 2 * DAY } },
  color: (name) => `#${name}`,
  timeText: (seconds) => `day ${seconds / DAY}`,
  ...fields,
});
const of = <T extends Shape['type']>(type: T, shapes: readonly Shape[]) =>
  shapes.filter((shape): shape is Extract<Shape, { type: T }> => shape.type === type);
const textsOf = (shapes: readonly Shape[]) => of('text', shapes).map(({ text }) => text);

describe('sceneOf', () => {
  test('default: the title, the unit once, times, and one line', () => {
    const shapes = sceneOf(drawing({}));
    const texts = textsOf(shapes);
    expect(texts[0]).toBe('TVL');
    expect(texts.filter((text) => text.includes('USDC'))).toEqual(['USDC']);
    expect(texts).toContain('day 1');
    const [path] = of('path', shapes).filter(({ stroke }) => stroke === '#series-1');
    expect(path!.lines[0]).toHaveLength(3);
  });

  test('behavior: a line is filled only down to zero', () => {
    const filled = (values: number[]) =>
      of('path', sceneOf(drawing({ lines: [line('TVL', values)] }))).filter(
        ({ fill }) => fill !== undefined,
      ).length;
    expect(filled([100, 110, 120])).toBe(0);
    expect(filled([0, 60, 120])).toBe(1);
  });

  test('behavior: missing values split a line, and times outside of the range are left out', () => {
    const lines = [line('TVL', [100, null, 120, 500])];
    const times = [0, DAY, 2 * DAY, 9 * DAY];
    const [path] = of('path', sceneOf(drawing({ times, lines }))).filter(
      ({ stroke }) => stroke === '#series-1',
    );
    expect(path!.lines.map((run) => run.length)).toEqual([1, 1]);
  });

  test('default: bars reach from zero in both directions', () => {
    const shapes = sceneOf(drawing({ kind: 'bars', lines: [line('In', [10, -5, null])] }));
    const [above, below, ...others] = of('rect', shapes).filter(({ fill }) => fill === '#series-1');
    expect(others).toEqual([]);
    expect(above!.y + above!.height).toBeCloseTo(below!.y);
    expect(above!.height / below!.height).toBeCloseTo(2);
  });

  test('default: marks in the range, a period as an area', () => {
    const shapes = sceneOf(
      drawing({
        marks: [
          { kind: 'reorg', at: DAY, text: 'Reorg' },
          { kind: 'governance', at: 5 * DAY, text: 'outside' },
          { kind: 'gap', at: DAY, to: 1.5 * DAY, text: 'Gap' },
        ],
      }),
    );
    expect(textsOf(shapes).filter((text) => /^[RG]$/.test(text))).toEqual(['R']);
    expect(of('rect', shapes).filter(({ fill }) => fill === '#raised')).toHaveLength(1);
  });
});

describe('svgText', () => {
  test('behavior: names from a chain cannot add elements', () => {
    const title = '</title><script>alert("x")</script>';
    const text = svgText(title, sceneOf(drawing({ title })));
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;script&gt;alert(&quot;x&quot;)');
    expect(text.match(/<svg /g)).toHaveLength(1);
  });
});
