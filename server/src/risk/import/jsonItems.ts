import { createItemScanner } from './jsonScan.ts';

/** One entry of a list document: its value, or why it could not be read. */
export type JsonItem =
  | { readonly kind: 'item'; readonly place: Place; readonly value: unknown }
  | { readonly kind: 'fault'; readonly place: Place; readonly what: string };

export interface Place {
  /** Counted from 0, faults included. */
  readonly index: number;
  /** Its name, in an object by name. */
  readonly key?: string;
  /** Byte where it starts. */
  readonly at: number;
  /** Byte where it goes wrong. */
  readonly faultAt?: number;
}

export interface JsonLimits {
  readonly maxItemBytes: number;
  readonly maxDocumentBytes: number;
  readonly maxDepth: number;
}

export const JSON_LIMITS: JsonLimits = {
  maxItemBytes: 4 * 1024 * 1024,
  maxDocumentBytes: 1024 * 1024 * 1024,
  maxDepth: 64,
};

/** Maximum fields before the list of an envelope. An object with more is not an envelope. */
const MAX_BESIDE = 32;

/**
 * The entries of a JSON list one by one: an array, an object by name, or an array in an envelope such as
 * `{"data": […]}`. A stream parser gives up at the first fault; here a broken entry is reported and the next one
 * found, and a document that breaks off gives all that came before. Memory is bounded by one entry.
 */
export async function* readJsonItems(
  bytes: AsyncIterable<Uint8Array>,
  limits: Partial<JsonLimits> = {},
): AsyncGenerator<JsonItem> {
  const { maxDocumentBytes, ...itemLimits } = { ...JSON_LIMITS, ...limits };
  const scanner = createItemScanner(itemLimits);
  const beside: JsonItem[] = [];
  let read = 0;

  function* settle(items: readonly JsonItem[]): Generator<JsonItem> {
    for (const item of items) {
      if (isPlainField(item) && beside.length < MAX_BESIDE) beside.push(item);
      else yield item;
    }
  }

  for await (const chunk of bytes) {
    read += chunk.length;
    const over = read - maxDocumentBytes;
    yield* settle(scanner.push(over > 0 ? chunk.subarray(0, chunk.length - over) : chunk));
    if (over <= 0) continue;
    yield* settle(scanner.stop(`the document is over ${maxDocumentBytes} bytes; the rest is left`));
    break;
  }
  yield* settle(scanner.end());
  if (!scanner.isEnvelope()) yield* beside;
}

function isPlainField(item: JsonItem): boolean {
  if (item.kind !== 'item' || item.place.key === undefined) return false;
  return typeof item.value !== 'object' || item.value === null;
}
