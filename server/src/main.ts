import { readFileSync } from 'node:fs';
import { describeFailure } from './cli/failure.ts';
import { OutputLost } from './cli/outputLost.ts';
import { UsageError } from './cli/usageError.ts';
import { readCommandLine } from './commands/commandLine.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

/** Runs one command; returns the exit code. */
async function run(words: readonly string[]): Promise<number> {
  const line = await readCommandLine(words);
  if ('command' in line) {
    const { config, command, args } = line;
    const { env, stdin: input, stdout: output, stderr: errors } = process;
    return command.run(args, { config, version, env, input, output, errors, print, flush });
  }
  print(line.name === 'help' ? line.text : version);
  return 0;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

let isAwaited = false;

function flush(): Promise<void> {
  isAwaited = true;
  return new Promise((resolve, reject) => {
    process.stdout.write('', (error) => (error ? reject(new OutputLost(error)) : resolve()));
  });
}

/** Loaded late, because they import all parts of the server: a typo is reported without them. */
async function knownErrors(error: unknown) {
  if (error instanceof UsageError) return [];
  return (await import('./assembly/operatorErrors.ts')).OPERATOR_ERRORS;
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (!isAwaited) failOutput(new OutputLost(error));
});
run(process.argv.slice(2)).then(
  (code) => (code === 0 ? flush().then(() => process.exit(0), failOutput) : process.exit(code)),
  async (error: unknown) => {
    const { text, exitCode } = describeFailure(error, await knownErrors(error));
    process.stderr.write(`${text}\n`);
    process.exit(exitCode);
  },
);

/** A reader that closes the pipe, such as `head`, needs no message. */
function failOutput({ message, cause }: OutputLost): void {
  if ((cause as NodeJS.ErrnoException).code !== 'EPIPE')
    process.stderr.write(`assay: ${message}\n`);
  process.exit(1);
}
