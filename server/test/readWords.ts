import { UsageError } from '../src/cli/usageError.ts';
import { readCommandLine } from '../src/commands/commandLine.ts';

/** What a line on the terminal means: the command, its file of configuration and its arguments in one. */
export async function readWords(line: string): Promise<Readonly<Record<string, unknown>>> {
  const read = await readCommandLine(line.split(' ').filter((word) => word !== ''));
  if (!('command' in read)) return read;
  return { name: read.name, config: read.config, ...(read.args as object) };
}

/** The words with which a line is refused. */
export async function refusalOf(line: string): Promise<string> {
  try {
    await readWords(line);
  } catch (error) {
    if (error instanceof UsageError && error.exitCode === 2) return error.message;
    throw error;
  }
  return 'accepted';
}
