import { bashCompletions } from '../cli/completions/bash.ts';
import type { Completed } from '../cli/completions/completed.ts';
import { fishCompletions } from '../cli/completions/fish.ts';
import { zshCompletions } from '../cli/completions/zsh.ts';
import { UsageError } from '../cli/usageError.ts';
import { defineCommand } from './command.ts';
import { COMMANDS } from './index.ts';

const SHELLS = {
  bash: bashCompletions,
  zsh: zshCompletions,
  fish: fishCompletions,
} as const;
const NAMES = Object.keys(SHELLS) as readonly (keyof typeof SHELLS)[];

export const command = defineCommand<{ readonly shell: keyof typeof SHELLS }>({
  usage: 'assay completions bash|zsh|fish',
  details: [
    'Prints a script that completes commands, flags, and their values. Save it where',
    'your shell loads completions, and save it again after an upgrade.',
  ].join('\n'),
  examples: [
    'assay completions bash > ~/.local/share/bash-completion/completions/assay',
    'assay completions zsh > ~/.zfunc/_assay   # with fpath+=~/.zfunc in ~/.zshrc',
    'assay completions fish > ~/.config/fish/completions/assay.fish',
  ],
  flags: {},
  argument: 'SHELL',
  choices: NAMES,
  read(_flags, given) {
    const shell = NAMES.find((name) => name === given);
    if (shell !== undefined) return { shell };
    throw new UsageError(`specify a shell: ${NAMES.join(', ')}`);
  },
  async run({ shell }, { print }) {
    print(SHELLS[shell](await listCompleted()));
    return 0;
  },
});

async function listCompleted(): Promise<Completed[]> {
  return Promise.all(
    COMMANDS.map(async ({ name, summary, load }) => {
      const { flags, choices = [] } = (await load()).command;
      return { name, summary, flags, choices };
    }),
  );
}
