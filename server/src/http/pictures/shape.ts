export type Point = readonly [x: number, y: number];

/** An area of one color: closed outlines, filled where any of them winds around. */
export interface Shape {
  readonly outlines: readonly (readonly Point[])[];
  /** #rrggbb. */
  readonly color: string;
}

const QUARTER = 16;

/** An arc as points; angles in turns, clockwise from the right. */
export function arc([x, y]: Point, radius: number, from: number, to: number): Point[] {
  const steps = Math.max(1, Math.ceil(Math.abs(to - from) * 4 * QUARTER));
  return Array.from({ length: steps + 1 }, (_, i): Point => {
    const angle = (from + ((to - from) * i) / steps) * 2 * Math.PI;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

export function roundedBox([x, y]: Point, width: number, height: number, radius: number): Point[] {
  return [
    ...arc([x + width - radius, y + radius], radius, -0.25, 0),
    ...arc([x + width - radius, y + height - radius], radius, 0, 0.25),
    ...arc([x + radius, y + height - radius], radius, 0.25, 0.5),
    ...arc([x + radius, y + radius], radius, 0.5, 0.75),
  ];
}

/** A line of a width, as outlines; `isRound`: with round joins and ends. */
export function stroked(line: readonly Point[], width: number, isRound = true): Point[][] {
  const bars = line.slice(1).flatMap(([x, y], i): Point[][] => {
    const [fromX, fromY] = line[i]!;
    const length = Math.hypot(x - fromX, y - fromY);
    if (length === 0) return [];
    const [dx, dy] = [((y - fromY) / length) * (width / 2), ((fromX - x) / length) * (width / 2)];
    return [
      [
        [fromX + dx, fromY + dy],
        [fromX - dx, fromY - dy],
        [x - dx, y - dy],
        [x + dx, y + dy],
      ],
    ];
  });
  const joins = isRound ? line.map((point) => arc(point, width / 2, 1, 0)) : [];
  return [...bars, ...joins];
}

export function moved(line: readonly Point[], by: Point, scale: number): Point[] {
  return line.map(([x, y]): Point => [by[0] + x * scale, by[1] + y * scale]);
}
