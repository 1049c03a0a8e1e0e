import { checkChains } from '../check/check.ts';
import { ALONE, defineCommand } from './command.ts';
import { configOf } from './configOf.ts';
import { printLines } from './printLines.ts';

export const command = defineCommand({
  ...ALONE,
  usage: 'assay check [--config FILE]',
  details: [
    'Validates the configuration against the contracts: vault kinds, oracles, registries, feeds, routers, custody accounts, decimals, and share tokens.',
    'Prints one line per check. A failed check names its key and the fix.',
  ].join(' '),
  async run(_args, terminal) {
    const report = await checkChains(configOf(terminal));
    printLines(report.lines, terminal.print);
    return report.ok ? 0 : 1;
  },
});
