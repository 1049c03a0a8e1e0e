import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An `@example` in the source. */
export interface Example {
  /** File and the number of the example in it. */
  readonly name: string;
  readonly code: string;
}

const SOURCE = fileURLToPath(new URL('../src', import.meta.url));

export function listExamples(): readonly Example[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(SOURCE, name));
  return files.flatMap((file) => {
    const found = readFileSync(file, 'utf8').matchAll(/@example\n((?: *\*(?!\/).*\n)+)/g);
    return [...found].map(([, lines], i) => ({
      name: `${relative(SOURCE, file)} ${i + 1}`,
      code: lines!.replaceAll(/^ *\* ?/gm, ''),
    }));
  });
}

/** Returns all examples as one program for a type check, with all exports of the package. */
export function examplesProgram(entries: Readonly<Record<string, object>>): string {
  return [
    ...Object.entries(entries).map(
      ([entry, module]) =>
        `import { ${Object.keys(module).join(', ')} } from '@assay/client${entry}';`,
    ),
    "import type { Client, Payer } from '@assay/client';",
    "import { readFile } from 'node:fs/promises';",
    "import { privateKeyToAccount } from 'viem/accounts';",
    'declare const demo: any, password: string;',
    ...listExamples().map(
      ({ code }, i) =>
        `export async function example${i}(client: Client, payer: Payer) {{\n${code}}}`,
    ),
  ].join('\n');
}
