import { checkChains } from '../check/check.ts';
import { ALONE, defineCommand } from './command.ts';
import { configOf } from './configOf.ts';
import { printLines } from './printLines.ts';

export const command = defineCommand({
  ...ALONE,
  usage: 'assay check [--config FILE]',
  details: [
    'Each address has a contract of the kind that the file says; oracle, registry, feeds, routers and custody answer',
    'as they should; decimals and share tokens agree. One line each: what fails names its key and the fix.',
  ].join('\n'),
  async run(_args, terminal) {
    const report = await checkChains(configOf(terminal));
    printLines(report.lines, terminal.print);
    return report.ok ? 0 : 1;
  },
});
