import { riskGrades } from '../store/risk/grades.ts';
import { riskNodes } from '../store/risk/nodes.ts';
import type { Store } from '../store/store.ts';

/** Counts the nodes of each label and grade. */
export async function printTotals(store: Store, print: (line: string) => void): Promise<void> {
  const counts = await riskNodes.getCounts(store);
  const grades = await riskGrades.getCounts(store);
  const list = (all: ReadonlyMap<string, number>) =>
    [...all].map(([name, count]) => `${name} ${count}`).join(', ');
  print(
    `in the graph: ${list(counts) || 'nothing'}${grades.size > 0 ? `; grades: ${list(grades)}` : ''}`,
  );
}

/** Names come from third-party lists: a terminal must not interpret them. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, '�');
}
