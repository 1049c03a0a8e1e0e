import { createItemScanner } from './jsonScan.ts';

/** One entry of a list document: its value, or the reason why it is unreadable. */
export type JsonItem =
  | { readonly kind: 'item'; readonly place: Place; readonly value: unknown }
  | { readonly kind: 'fault'; readonly place: Place; readonly what: string };

export interface Place {
  /** Counted from 0, including broken entries. */
  readonly index: number;
  /** Its key, if the list is an object. */
  readonly key?: string;
  /** Byte offset of its start. */
  readonly at: number;
  /** Byte offset of the error. */
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
 * Reads the entries of a JSON list one at a time: an array, an object by key, or an array in an envelope such as
 * `{"data": […]}`. A stream parser stops at the first error. This one reports a broken entry and finds the next; a
 * truncated document yields everything before the cut. Memory is bounded by one entry.
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
