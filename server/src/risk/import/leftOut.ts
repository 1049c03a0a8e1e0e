import type { MergeProblem } from '../graph/merge.ts';

/** A reason for skipping items, with its count and a few examples. */
export interface LeftOut {
  readonly kind: MergeProblem['kind'] | 'two-records' | 'edge-to-nowhere' | 'id-too-long';
  count: number;
  readonly examples: string[];
}

export interface LeftOutList {
  add(kind: LeftOut['kind'], place: string): void;
  all(): readonly LeftOut[];
}

const MAX_EXAMPLES = 10;

export function createLeftOut(): LeftOutList {
  const found = new Map<LeftOut['kind'], LeftOut>();
  return {
    add(kind, place) {
      const entry = found.get(kind) ?? { kind, count: 0, examples: [] };
      found.set(kind, entry);
      entry.count++;
      if (entry.examples.length < MAX_EXAMPLES) entry.examples.push(place);
    },
    all: () => [...found.values()],
  };
}
