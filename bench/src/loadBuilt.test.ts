import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const BENCH = fileURLToPath(new URL('.', import.meta.url));
const SERVER = fileURLToPath(new URL('../../server/src/', import.meta.url));

// A benchmark rarely runs, and the type check does not notice a moved file.
test('default: every server module that a benchmark loads exists', () => {
  const files = readdirSync(BENCH, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(BENCH, file), 'utf8'));
  const named = texts.flatMap((text) => [...text.matchAll(/loadBuilt\(\s*'([^']+)'/g)]);
  const paths = named.map(([, path]) => path!);
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(join(SERVER, path.replace(/\.js$/, '.ts'))))).toEqual(
    [],
  );
});
