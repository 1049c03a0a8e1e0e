import type { LotOrder } from './costMethod.ts';
import type { DatedMove, Lot } from './lot.ts';

/** Lots, with the one that leaves first at hand; each step takes the logarithm of their number. */
export interface LotHeap<M extends DatedMove> {
  readonly all: readonly Lot<M>[];
  first(): Lot<M> | undefined;
  push(lot: Lot<M>): void;
  /** Puts what is left of the first lot in its place: it must still be first. */
  replaceFirst(lot: Lot<M>): void;
  removeFirst(): void;
  clear(): void;
}

export function createLotHeap<M extends DatedMove>(isBefore: LotOrder): LotHeap<M> {
  const heap: Lot<M>[] = [];

  return {
    all: heap,
    first: () => heap[0],
    push(lot) {
      heap.push(lot);
      rise(heap.length - 1);
    },
    replaceFirst(lot) {
      heap[0] = lot;
    },
    removeFirst() {
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return;
      heap[0] = last;
      sink(0);
    },
    clear() {
      heap.length = 0;
    },
  };

  function rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap[at]!, heap[parent]!)) return;
      swap(at, parent);
      at = parent;
    }
  }

  function sink(from: number): void {
    let at = from;
    for (;;) {
      let next = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && isBefore(heap[child]!, heap[next]!)) next = child;
      }
      if (next === at) return;
      swap(at, next);
      at = next;
    }
  }

  function swap(a: number, b: number): void {
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  }
}
