import { draw } from './draw.ts';
import { ICON_SIZE, iconShapes } from './icon.ts';
import { toPng } from './png.ts';
import { moved } from './shape.ts';

/** Pixels of the sides that browsers and bookmarks use. */
const SIDES = [16, 32, 48];
const ENTRY = 16;

/** Draws the logo as an ICO file: a directory, then one PNG per size. */
export async function favicon(svg: string): Promise<Buffer> {
  const pictures = await Promise.all(
    SIDES.map(async (side) => {
      const shapes = iconShapes(svg).map(({ color, outlines }) => ({
        color,
        outlines: outlines.map((line) => moved(line, [0, 0], side / ICON_SIZE)),
      }));
      return toPng(await draw(side, side, shapes));
    }),
  );
  const directory = Buffer.alloc(6 + ENTRY * SIDES.length);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(SIDES.length, 4);
  let offset = directory.length;
  for (const [i, { length }] of pictures.entries()) {
    const at = 6 + ENTRY * i;
    directory.set([SIDES[i]!, SIDES[i]!, 0, 0, 1, 0, 32, 0], at);
    directory.writeUInt32LE(length, at + 8);
    directory.writeUInt32LE(offset, at + 12);
    offset += length;
  }
  return Buffer.concat([directory, ...pictures]);
}
