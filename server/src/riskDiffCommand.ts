import type { RiskDiffArguments } from './cli/riskArguments.ts';
import type { Command } from './commands.ts';
import { GRADES, LABELS } from './domain/risk/graph.ts';
import { toIso } from './domain/time.ts';
import { printable } from './riskCommands.ts';
import { type MethodChangeCount, riskMethodChanges } from './store/risk/methodChanges.ts';

const WIDTH = 7;

/** What another version of the method has made of the grades. */
export const riskDiffCommand: Command<Omit<RiskDiffArguments, 'command'>> = {
  name: 'risk diff',
  async run({ store }, { label, limit }, print) {
    const methods = await riskMethodChanges.findMethods(store);
    if (methods === undefined) {
      print('all grades are by the first method that this graph was graded with');
      return 0;
    }
    const counts = await riskMethodChanges.getCounts(store);
    print(`method ${methods.from} → ${methods.to}, ${toIso(methods.at)}`);
    for (const each of LABELS.filter((name) => label === null || name === label)) {
      const those = counts.filter((row) => row.label === each);
      if (those.length > 0) for (const line of matrix(each, those)) print(line);
    }
    for (const change of await riskMethodChanges.getLargest(store, label, limit)) {
      print(printable(`${change.id}  ${change.name}  ${change.from} → ${change.to}`));
      print(printable(`  ${change.why}`));
    }
    return 0;
  },
};

/** From which grade, one line each, to which, one column each. */
function matrix(label: string, counts: readonly MethodChangeCount[]): string[] {
  const sum = (those: readonly MethodChangeCount[]) =>
    those.reduce((total, { count }) => total + count, 0);
  const moved = (is: (from: number, to: number) => boolean) =>
    sum(counts.filter(({ from, to }) => is(GRADES.indexOf(from), GRADES.indexOf(to))));
  const rows = GRADES.filter((grade) => counts.some(({ from }) => from === grade));
  const cells = (from: string) =>
    GRADES.map((to) => sum(counts.filter((row) => row.from === from && row.to === to)));
  return [
    `${label}: ${sum(counts)}, better ${moved((from, to) => to < from)}, worse ${moved((from, to) => to > from)}, the same ${moved((from, to) => to === from)}`,
    `  from${GRADES.map((to) => `to ${to}`.padStart(WIDTH)).join('')}`,
    ...rows.map(
      (from) =>
        `     ${from}${cells(from)
          .map((count) => `${count}`.padStart(WIDTH))
          .join('')}`,
    ),
  ];
}
