import { type Point, roundedBox, type Shape, stroked } from './shape.ts';

/** The side of the logo's square. */
export const ICON_SIZE = 32;

/**
 * Reads the shapes of the logo: a document of squares with round corners and of paths of straight lines, filled or
 * stroked.
 */
export function iconShapes(svg: string): Shape[] {
  return [...svg.matchAll(/<(rect|path) ([^>]*)\/>/g)].map(([, kind, text]) => {
    const read = Object.fromEntries(
      [...text!.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value!]),
    );
    if (kind === 'rect') {
      const box = roundedBox([0, 0], Number(read.width), Number(read.height), Number(read.rx));
      return { outlines: [box], color: read.fill! };
    }
    const line = pathPoints(read.d!);
    if (read.stroke === undefined) return { outlines: [line], color: read.fill! };
    return { outlines: stroked(line, Number(read['stroke-width']), false), color: read.stroke };
  });
}

/** The commands M, L (also without its letter), l, h, and z. */
function pathPoints(text: string): Point[] {
  const points: Point[] = [];
  for (const [, command, values] of text.matchAll(/([MLlhz])([^A-Za-z]*)/g)) {
    const numbers = (values!.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    const [x, y] = points.at(-1) ?? [0, 0];
    if (command === 'h') points.push([x + numbers[0]!, y]);
    else if (command !== 'z') {
      for (let i = 0; i < numbers.length; i += 2) {
        const [baseX, baseY] = command === 'l' ? points.at(-1)! : [0, 0];
        points.push([baseX + numbers[i]!, baseY + numbers[i + 1]!]);
      }
    }
  }
  return points;
}
