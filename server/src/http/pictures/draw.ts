import { setImmediate } from 'node:timers/promises';
import type { Pixels } from './png.ts';
import type { Point, Shape } from './shape.ts';

/** Lines per pixel at which an outline is sampled; along a line, coverage is exact. */
const SAMPLES = 8;

/** Rows after which other work gets its turn: a large picture takes a server tenths of a second. */
const ROWS = 16;

export async function draw(
  width: number,
  height: number,
  shapes: readonly Shape[],
): Promise<Pixels> {
  const bytes = new Uint8Array(width * height * 4);
  const pixels = new DataView(bytes.buffer);
  const covered = new Float64Array(width);
  for (const { outlines, color } of shapes) {
    const opaque = Number.parseInt(`${color.slice(1)}ff`, 16);
    for (const [y, edges] of edgesByRow(outlines, height)) {
      if (y % ROWS === 0) await setImmediate();
      const [left, right] = span(edges, width);
      covered.fill(0, left, right);
      for (let sample = 0; sample < SAMPLES; sample++) {
        cover(covered, crossings(edges, y + (sample + 0.5) / SAMPLES));
      }
      for (let x = left; x < right; x++) {
        const at = (y * width + x) * 4;
        if (covered[x]! >= SAMPLES) pixels.setUint32(at, opaque);
        else if (covered[x]! > 0) blend(pixels, at, opaque, covered[x]! / SAMPLES);
      }
    }
  }
  return { width, height, bytes };
}

interface Edge {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** A picture has thousands of edges, and a row of pixels meets few of them. */
function edgesByRow(
  outlines: readonly (readonly Point[])[],
  height: number,
): ReadonlyMap<number, readonly Edge[]> {
  const rows = new Map<number, Edge[]>();
  for (const outline of outlines) {
    for (let i = 0; i < outline.length; i++) {
      const [x1, y1] = outline[i]!;
      const [x2, y2] = outline[(i + 1) % outline.length]!;
      const last = Math.min(height - 1, Math.floor(Math.max(y1, y2)));
      for (let y = Math.max(0, Math.floor(Math.min(y1, y2))); y <= last; y++) {
        const row = rows.get(y);
        if (row === undefined) rows.set(y, [{ x1, y1, x2, y2 }]);
        else row.push({ x1, y1, x2, y2 });
      }
    }
  }
  return rows;
}

interface Crossing {
  readonly x: number;
  readonly turn: 1 | -1;
}

/** Where edges cross a horizontal line, from left to right. */
function crossings(edges: readonly Edge[], y: number): Crossing[] {
  const found: Crossing[] = [];
  for (const { x1, y1, x2, y2 } of edges) {
    if (y1 <= y === y2 <= y) continue;
    found.push({ x: x1 + ((y - y1) / (y2 - y1)) * (x2 - x1), turn: y1 < y2 ? 1 : -1 });
  }
  return found.sort((a, b) => a.x - b.x);
}

function span(edges: readonly Edge[], width: number): readonly [left: number, right: number] {
  let [left, right] = [width, 0];
  for (const { x1, x2 } of edges) {
    left = Math.min(left, x1, x2);
    right = Math.max(right, x1, x2);
  }
  return [Math.max(0, Math.floor(left)), Math.min(width, Math.ceil(right))];
}

/** Adds the covered part of each pixel. */
function cover(covered: Float64Array, found: readonly Crossing[]): void {
  let winding = 0;
  for (let i = 0; i + 1 < found.length; i++) {
    winding += found[i]!.turn;
    if (winding === 0) continue;
    const [from, to] = [Math.max(0, found[i]!.x), Math.min(covered.length, found[i + 1]!.x)];
    for (let x = Math.floor(from); x < to; x++) {
      covered[x]! += Math.min(to, x + 1) - Math.max(from, x);
    }
  }
}

function blend(pixels: DataView, at: number, color: number, opacity: number): void {
  const below = (pixels.getUint8(at + 3) / 255) * (1 - opacity);
  for (let i = 0; i < 3; i++) {
    const part = (color >>> (24 - 8 * i)) & 255;
    const mixed = part * opacity + pixels.getUint8(at + i) * below;
    pixels.setUint8(at + i, Math.round(mixed / (opacity + below)));
  }
  pixels.setUint8(at + 3, Math.round((opacity + below) * 255));
}
