import { type FlagValues, readWholeNumber } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { GRADES, LABELS, type Label } from '../domain/risk/graph.ts';
import { toIso } from '../domain/time.ts';
import { type MethodChangeCount, riskMethodChanges } from '../store/risk/methodChanges.ts';
import { CONFIG } from './command.ts';
import { printable } from './riskTotals.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

interface DiffArguments {
  /** Null: every label. */
  readonly label: Label | null;
  /** Number of nodes to list. */
  readonly limit: number;
}

const DEFAULT_LIMIT = 20;
const MAX_LISTED = 100_000;
const WIDTH = 7;

/** Compares the grades of two versions of the method. */
export const riskDiff: StoreCommand<DiffArguments> = {
  name: 'risk diff',
  async runOn({ store }, { label, limit }, print) {
    const methods = await riskMethodChanges.findMethods(store);
    if (methods === undefined) {
      print('all grades are from the first method that this graph was graded with');
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

export const command = onStore(riskDiff, {
  usage: 'assay risk diff [--label LABEL] [--limit N] [--config FILE]',
  details: [
    'Compares the grades before and directly after the last change of the method, so',
    'that later changes of facts do not affect the result. Prints how many nodes moved from which grade to which,',
    'then the largest nodes with another grade and the reason for their current grade.',
  ].join(' '),
  flags: {
    config: CONFIG,
    label: { value: 'LABEL', text: 'Only Pool, Asset, Protocol, or Chain' },
    limit: { value: 'N', text: 'Number of nodes to list (default 20)' },
  },
  read(flags: FlagValues): DiffArguments {
    const given = flags.get('label');
    const label = LABELS.find((each) => each.toLowerCase() === given?.toLowerCase());
    if (given !== undefined && label === undefined) {
      throw new UsageError(`--label must be one of ${LABELS.join(', ')}`);
    }
    const limit = readWholeNumber(flags, 'limit', { from: 0, to: MAX_LISTED }) ?? DEFAULT_LIMIT;
    return { label: label ?? null, limit };
  },
});

/** One row per old grade, one column per new grade. */
function matrix(label: string, counts: readonly MethodChangeCount[]): string[] {
  const sum = (those: readonly MethodChangeCount[]) =>
    those.reduce((total, { count }) => total + count, 0);
  const moved = (is: (from: number, to: number) => boolean) =>
    sum(counts.filter(({ from, to }) => is(GRADES.indexOf(from), GRADES.indexOf(to))));
  const rows = GRADES.filter((grade) => counts.some(({ from }) => from === grade));
  const cells = (from: string) =>
    GRADES.map((to) => sum(counts.filter((row) => row.from === from && row.to === to)));
  return [
    `${label}: ${sum(counts)}, better ${moved((from, to) => to < from)}, worse ${moved((from, to) => to > from)}, unchanged ${moved((from, to) => to === from)}`,
    `  from${GRADES.map((to) => `to ${to}`.padStart(WIDTH)).join('')}`,
    ...rows.map(
      (from) =>
        `     ${from}${cells(from)
          .map((count) => `${count}`.padStart(WIDTH))
          .join('')}`,
    ),
  ];
}
