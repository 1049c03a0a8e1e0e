import { readFileSync } from 'node:fs';
import { describeFailure } from './cli/failure.ts';
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

run(process.argv.slice(2)).then(
  (code) => process.exit(code),
  async (error: unknown) => {
    // Only a command that fails needs them, and they bring all parts of the server along.
    const { OPERATOR_ERRORS } = await import('./operatorErrors.ts');
    const { text, exitCode } = describeFailure(error, OPERATOR_ERRORS);
    process.stderr.write(`${text}\n`);
    process.exit(exitCode);
  },
);
