import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { PREVIEW } from '../docs/headTags.ts';
import { ICON } from '../docs/look.ts';
import { draw } from './draw.ts';
import { favicon } from './favicon.ts';
import { ICON_SIZE, iconShapes } from './icon.ts';
import { toPng } from './png.ts';
import { preview } from './preview.ts';
import { roundedBox } from './shape.ts';

/** Returns the size of a PNG and a function that reads a pixel as #rrggbbaa. */
function readPng(file: Buffer) {
  expect(file.subarray(1, 4).toString('latin1')).toBe('PNG');
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const start = file.indexOf('IDAT');
  const rows = inflateSync(file.subarray(start + 4, start + 4 + file.readUInt32BE(start - 4)));
  const pixel = (x: number, y: number) => {
    const at = y * (1 + width * 4) + 1 + x * 4;
    return `#${rows.subarray(at, at + 4).toString('hex')}`;
  };
  return { width, height, pixel };
}

describe('draw', () => {
  test('default: covered pixels get the color, cut ones a part of it', async () => {
    const outlines = [roundedBox([1, 1], 1.5, 1, 0)];
    const { pixel } = readPng(await toPng(await draw(4, 3, [{ outlines, color: '#204060' }])));
    expect(pixel(1, 1)).toBe('#204060ff');
    expect(pixel(2, 1)).toBe('#20406080');
    expect(pixel(3, 1)).toBe('#00000000');
    expect(pixel(1, 2)).toBe('#00000000');
  });

  test('behavior: overlapping outlines of a shape are one area', async () => {
    const outlines = [roundedBox([0, 0], 2, 1, 0), roundedBox([1, 0], 2, 1, 0)];
    const { pixel } = readPng(await toPng(await draw(4, 1, [{ outlines, color: '#ffffff' }])));
    expect([0, 1, 2, 3].map((x) => pixel(x, 0).slice(7))).toEqual(['ff', 'ff', 'ff', '00']);
  });
});

describe('favicon', () => {
  test('default: each size shows the logo', async () => {
    const file = await favicon(ICON);
    expect([file.readUInt16LE(0), file.readUInt16LE(2), file.readUInt16LE(4)]).toEqual([0, 1, 3]);
    for (const [i, side] of [16, 32, 48].entries()) {
      const at = 6 + 16 * i;
      expect([...file.subarray(at, at + 2)]).toEqual([side, side]);
      const start = file.readUInt32LE(at + 12);
      const picture = readPng(file.subarray(start, start + file.readUInt32LE(at + 8)));
      expect([picture.width, picture.height]).toEqual([side, side]);
      // Outside the rounded corner, on the square, and on the line below the letter.
      expect(picture.pixel(0, 0).slice(7)).not.toBe('ff');
      expect(picture.pixel(side / 2, 1)).toBe('#14202bff');
      expect(picture.pixel(side / 2, Math.floor((side * 25) / ICON_SIZE))).toBe('#7db0ffff');
    }
  });

  test('behavior: every shape of the logo is drawn', () => {
    expect(iconShapes(ICON)).toHaveLength(ICON.match(/<(rect|path)/g)!.length);
    for (const { outlines } of iconShapes(ICON)) {
      expect(outlines.flat(2).every((value) => value >= 0 && value <= ICON_SIZE)).toBe(true);
    }
  });
});

test('default: the preview has the announced size, and is the same each time', async () => {
  const file = await preview(ICON);
  const { width, height, pixel } = readPng(file);
  expect({ width, height }).toMatchObject({ width: PREVIEW.width, height: PREVIEW.height });
  expect(pixel(0, 0)).toBe('#0e1216ff');
  expect(pixel(170, 209)).toBe('#7db0ffff');
  expect(file.equals(await preview(ICON))).toBe(true);
});
