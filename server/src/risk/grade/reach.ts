import type { IndexedGraph } from './indexedGraph.ts';

/** Paths with a smaller weight are cut off, because they cannot change a grade. */
const MIN_WEIGHT = 1e-6;

export interface Reached {
  /** Numbers of all reached nodes, including the first, ascending. */
  readonly nodes: Uint32Array;
  /** Largest product of weights over the paths to each node. */
  readonly weights: Float64Array;
}

/**
 * Walks the edges from a node, heaviest path first. A node is final when it is taken, so cycles end, and a node on many
 * paths counts once. The arrays are reused between walks, so a walk only costs the nodes that it reaches.
 */
export function createReach(graph: IndexedGraph): (from: number) => Reached {
  const best = new Float64Array(graph.nodes.length);
  const done = new Uint8Array(graph.nodes.length);
  return function reach(from) {
    const heap = createHeap(best);
    const taken: number[] = [];
    const seen: number[] = [from];
    best[from] = 1;
    heap.push(from);
    for (let number = heap.pop(); number !== undefined; number = heap.pop()) {
      if (done[number]) continue;
      done[number] = 1;
      taken.push(number);
      const weight = best[number]!;
      for (let edge = graph.offsets[number]!; edge < graph.offsets[number + 1]!; edge += 1) {
        const target = graph.targets[edge]!;
        const passed = weight * graph.weights[edge]!;
        if (done[target] || passed < MIN_WEIGHT || passed <= best[target]!) continue;
        if (best[target] === 0) seen.push(target);
        best[target] = passed;
        heap.push(target);
      }
    }
    const nodes = Uint32Array.from(taken).sort();
    const weights = Float64Array.from(nodes, (number) => best[number]!);
    for (const number of seen) {
      best[number] = 0;
      done[number] = 0;
    }
    return { nodes, weights };
  };
}

interface Heap {
  push(number: number): void;
  pop(): number | undefined;
}

/**
 * Largest first. A node whose weight grew is pushed again; the place of its first entry is then too low, which only
 * makes that entry come late, when the node is already done.
 */
function createHeap(best: Float64Array): Heap {
  const entries: { readonly number: number; readonly weight: number }[] = [];
  return {
    push(number) {
      const entry = { number, weight: best[number]! };
      let place = entries.length;
      entries.push(entry);
      while (place > 0) {
        const parent = (place - 1) >> 1;
        if (entries[parent]!.weight >= entry.weight) break;
        entries[place] = entries[parent]!;
        place = parent;
      }
      entries[place] = entry;
    },
    pop() {
      const top = entries[0];
      const last = entries.pop();
      if (top === undefined || last === undefined) return undefined;
      if (entries.length > 0) sink(entries, last);
      return top.number;
    },
  };
}

function sink<E extends { readonly weight: number }>(entries: E[], entry: E): void {
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= entries.length) break;
    if (child + 1 < entries.length && entries[child + 1]!.weight > entries[child]!.weight)
      child += 1;
    if (entries[child]!.weight <= entry.weight) break;
    entries[place] = entries[child]!;
    place = child;
  }
  entries[place] = entry;
}
