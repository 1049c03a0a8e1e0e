import type { ViewData } from './viewWork.ts';

/** Raise it when blocks are added or change their meaning. */
export const VIEW_FORMAT = '1';

const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Float64Array };
type Numbers = InstanceType<(typeof ARRAYS)[keyof typeof ARRAYS]>;

/** One block of numbers in a view: its path of members, its type, and its length. */
interface Block {
  readonly path: readonly string[];
  readonly array: keyof typeof ARRAYS;
  readonly length: number;
}

/** A view as bytes for another process: descriptions of its blocks, then the blocks in parts. */
export interface PackedView {
  readonly layout: string;
  parts(): Iterable<Uint8Array>;
}

const PART_BYTES = 1024 * 1024;

export function packView({ search, adjacency }: ViewData): PackedView {
  // Both share one table of ids.
  const { ids: _, ...edges } = adjacency;
  const found = [...blocksIn({ search, adjacency: edges }, [])];
  const layout = found.map(({ path, numbers }) => ({
    path,
    array: numbers.constructor.name,
    length: numbers.length,
  }));
  return {
    layout: JSON.stringify(layout),
    *parts() {
      for (const { numbers } of found) yield* partsOf(numbers);
    },
  };
}

/** Assembles a view from its parts, in order. */
export interface ViewReader {
  readonly parts: number;
  add(part: Uint8Array): void;
  finish(): ViewData;
}

export function createViewReader(layout: string): ViewReader {
  const blocks = (JSON.parse(layout) as Block[]).map(({ path, array, length }) => ({
    path,
    numbers: new ARRAYS[array](length),
  }));
  const places = blocks.flatMap(({ numbers }) => [...partsOf(numbers)]);
  let next = 0;
  return {
    parts: places.length,
    add(part) {
      places[next++]!.set(part);
    },
    finish() {
      const root: Record<string, unknown> = {};
      for (const { path, numbers } of blocks) place(root, path, numbers);
      const { search, adjacency } = root as unknown as ViewData;
      return { search, adjacency: { ...adjacency, ids: search.ids } };
    },
  };
}

function* blocksIn(
  value: object,
  path: readonly string[],
): Generator<{ path: readonly string[]; numbers: Numbers }> {
  for (const [name, part] of Object.entries(value)) {
    const own = [...path, name];
    if (ArrayBuffer.isView(part)) yield { path: own, numbers: part as Numbers };
    else yield* blocksIn(part, own);
  }
}

/** Returns the bytes without copying. */
function* partsOf({ buffer, byteOffset, byteLength }: Numbers): Generator<Uint8Array> {
  for (let at = 0; at < byteLength; at += PART_BYTES)
    yield new Uint8Array(buffer, byteOffset + at, Math.min(PART_BYTES, byteLength - at));
}

function place(root: Record<string, unknown>, path: readonly string[], numbers: Numbers): void {
  let at = root;
  for (const name of path.slice(0, -1)) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  at[path.at(-1)!] = numbers;
}
