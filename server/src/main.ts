import { readFileSync } from 'node:fs';
import { describeFailure } from './cli/failure.ts';
import { UsageError } from './cli/usageError.ts';
import { readCommandLine } from './commands/commandLine.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

/** Runs one command; the result is the process's exit code. */
async function run(words: readonly string[]): Promise<number> {
  const line = await readCommandLine(words);
  if ('command' in line) {
    const { config, command, args } = line;
    const { env, stdin: input, stdout: output, stderr: errors } = process;
    return command.run(args, { config, version, env, input, output, errors, print });
  }
  print(line.name === 'help' ? line.text : version);
  return 0;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** They bring all parts of the server along; a slip of the keyboard is told without them. */
async function knownErrors(error: unknown) {
  if (error instanceof UsageError) return [];
  return (await import('./operatorErrors.ts')).OPERATOR_ERRORS;
}

// Who reads no further, as `head` does, has what it wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});
run(process.argv.slice(2)).then(
  (code) => process.exit(code),
  async (error: unknown) => {
    const { text, exitCode } = describeFailure(error, await knownErrors(error));
    process.stderr.write(`${text}\n`);
    process.exit(exitCode);
  },
);
