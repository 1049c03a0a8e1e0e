import type { RiskNode } from '@assay/client';

/** One question or fact with what each node has; null if it does not have it. */
export interface ComparedRow {
  readonly name: string;
  readonly values: readonly (string | null)[];
}

/** Puts the reasons of grades side by side, in the order of the first one. */
export function comparedReasons(nodes: readonly RiskNode[]): ComparedRow[] {
  return compared(
    nodes.map(({ riskBreakdown }) =>
      riskBreakdown.map(({ question, answer }) => [question, answer] as const),
    ),
  );
}

export function comparedFacts(nodes: readonly RiskNode[]): ComparedRow[] {
  return compared(
    nodes.map(({ properties }) =>
      Object.entries(properties).map(
        ([name, value]) =>
          [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
      ),
    ),
  );
}

/** A question with several answers has all of them. */
function compared(lists: readonly (readonly (readonly [string, string])[])[]): ComparedRow[] {
  const names = new Set(lists.flatMap((list) => list.map(([name]) => name)));
  return [...names].map((name) => ({
    name,
    values: lists.map((list) => {
      const own = list.filter(([one]) => one === name).map(([, value]) => value);
      return own.length === 0 ? null : own.join(' ');
    }),
  }));
}
