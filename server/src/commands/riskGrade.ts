import { regradeAll } from '../risk/import/regrade.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { ALONE } from './command.ts';
import { printTotals } from './riskTotals.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

export const riskGrade: StoreCommand<object> = {
  name: 'risk grade',
  async runOn({ store, signal }, _args, print) {
    const { regraded, changed } = await regradeAll(store, {
      now: unixTime(),
      ...(signal && { signal }),
    });
    print(`graded ${regraded} nodes; ${changed} grades, scores, or reasons changed`);
    await printTotals(store, print);
    return 0;
  },
};

export const command = onStore(riskGrade, {
  ...ALONE,
  usage: 'assay risk grade [--config FILE]',
  details: 'Grades change as facts age; a running server does this once a day.',
});
