import { existsSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { confirm } from './cli/confirm.ts';
import type { InitArguments } from './cli/initArguments.ts';
import { draftConfig } from './init/init.ts';
import { InitRefused } from './init/initRefused.ts';

const SCHEMA = fileURLToPath(new URL('../../docs/assay.schema.json', import.meta.url));

/** `assay init`: finds out, says what it found, and writes the file. */
export async function runInit(
  line: InitArguments & { readonly config: string },
  io: {
    readonly print: (text: string) => void;
    readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
    readonly output: NodeJS.WritableStream;
  },
): Promise<number> {
  const { config: file } = line;
  const exists = existsSync(file);
  if (exists && !line.yes) {
    if (!io.input.isTTY) {
      throw new InitRefused(
        `${file} exists already; name another with --config, or overwrite it with --yes`,
      );
    }
    const question = `${file} exists already. Overwrite it?`;
    if (!(await confirm(question, io))) throw new InitRefused(`${file} was left as it is`);
  }
  const schema = relative(dirname(resolve(file)), SCHEMA)
    .split(sep)
    .join('/');
  const { text, lines } = await draftConfig(line, { file, schema });
  for (const { mark, text: words } of lines) io.print(`${mark.padEnd(7)} ${words}`);
  try {
    // A file that came while the chains were read was not asked about.
    writeFileSync(file, text, { flag: exists ? 'w' : 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InitRefused(`${file} cannot be written (${code}); name another with --config`);
  }
  io.print(`wrote ${file}; next: assay check --config ${file}`);
  return 0;
}
