import { PREVIEW } from '../docs/headTags.ts';
import { draw } from './draw.ts';
import { iconShapes } from './icon.ts';
import { toPng } from './png.ts';
import { arc, moved, type Point, roundedBox, type Shape, stroked } from './shape.ts';

const { width: WIDTH, height: HEIGHT } = PREVIEW;

/** The letters of "Assay" as lines on a height of 10, with their width. */
const LETTERS: readonly {
  readonly lines: readonly (readonly Point[])[];
  readonly width: number;
}[] = [
  {
    lines: [
      [
        [0, 10],
        [4.4, -1.6],
        [8.8, 10],
      ],
      [
        [1.75, 5.9],
        [7.05, 5.9],
      ],
    ],
    width: 8.8,
  },
  { lines: [s()], width: 4.9 },
  { lines: [s()], width: 4.9 },
  {
    lines: [
      arc([3.6, 6.4], 3.6, 0, 1),
      [
        [7.2, 2.8],
        [7.2, 10],
      ],
    ],
    width: 7.2,
  },
  {
    lines: [
      [
        [0, 2.8],
        [3.3, 10],
      ],
      [
        [6.6, 2.8],
        [2.2, 12.6],
        [0.7, 13.4],
      ],
    ],
    width: 6.6,
  },
];
const GAP = 2.7;

function s(): Point[] {
  return [...arc([2.5, 4.6], 1.8, -0.08, -0.75), ...arc([2.5, 8.2], 1.8, -0.25, 0.42)];
}

/** A share price: it rises, with steps back. */
const LINE: readonly Point[] = [
  [0, 470],
  [120, 452],
  [210, 461],
  [330, 398],
  [430, 416],
  [540, 352],
  [640, 371],
  [760, 286],
  [850, 305],
  [960, 214],
  [1050, 228],
  [1200, 132],
];

/** Draws the picture that previews of links show. */
export async function preview(svg: string): Promise<Buffer> {
  return toPng(
    await draw(WIDTH, HEIGHT, [
      { outlines: [roundedBox([0, 0], WIDTH, HEIGHT, 0)], color: '#0e1216' },
      ...[510, 400, 290, 180].map((y): Shape => {
        return { outlines: [roundedBox([0, y], WIDTH, 1, 0)], color: '#1e252d' };
      }),
      { outlines: [[...LINE, [WIDTH, HEIGHT], [0, HEIGHT]]], color: '#12202f' },
      { outlines: stroked(LINE, 6), color: '#6aa8ff' },
      ...iconShapes(svg).map(({ color, outlines }) => ({
        color,
        outlines: outlines.map((line) => moved(line, [90, 84], 5)),
      })),
      { outlines: word([300, 114], 9.2, 14), color: '#e6eaee' },
    ]),
  );
}

function word(from: Point, scale: number, thickness: number): Point[][] {
  let x = from[0];
  return LETTERS.flatMap(({ lines, width }) => {
    const outlines = lines.flatMap((line) => stroked(moved(line, [x, from[1]], scale), thickness));
    x += (width + GAP) * scale;
    return outlines;
  });
}
