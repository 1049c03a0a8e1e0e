import { UsageError } from '../src/cli/usageError.ts';
import { readCommandLine } from '../src/commands/commandLine.ts';

/** Parses a command line: command, configuration file, and arguments in one object. */
export async function readWords(line: string): Promise<Readonly<Record<string, unknown>>> {
  const read = await readCommandLine(line.split(' ').filter((word) => word !== ''));
  if (!('command' in read)) return read;
  return { name: read.name, config: read.config, ...(read.args as object) };
}

/** Returns the error message for an invalid command line. */
export async function refusalOf(line: string): Promise<string> {
  try {
    await readWords(line);
  } catch (error) {
    if (error instanceof UsageError && error.exitCode === 2) return error.message;
    throw error;
  }
  return 'accepted';
}
