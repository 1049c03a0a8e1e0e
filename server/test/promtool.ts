import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { unpackPackages } from './debianPackages.ts';

/** Runs promtool of the Debian package `prometheus`. */
export async function runPromtool(
  args: readonly string[],
  input = '',
): Promise<{ readonly code: number | null; readonly output: string }> {
  const root = await unpackPackages(['prometheus']);
  const child = spawn(join(root, 'usr/bin/promtool'), args);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      output += part;
    });
  }
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, output };
}
