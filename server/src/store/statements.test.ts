import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { describeEachEngine } from '../../test/database.ts';
import { getStatements } from './store.ts';

// Statements register themselves when their module is loaded.
beforeAll(async () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const files = await readdir(folder, { recursive: true });
  for (const file of files) {
    if (file.endsWith('.ts') && !file.endsWith('.test.ts')) await import(`${folder}${file}`);
  }
});

describeEachEngine('statements', (open) => {
  test('default', async () => {
    const store = await open();
    // Other tests in this process may have declared their own.
    const statements = getStatements().filter(({ name }) => !name.startsWith('test.'));
    expect(statements.length).toBeGreaterThan(10);
    const failures: string[] = [];
    for (const [i, { name, text }] of statements.entries()) {
      const prepare = { name: `test.prepare${i}`, text: `prepare test_${i} as ${text}` };
      await store.query(prepare).catch((error: Error) => {
        failures.push(`${name}: ${error.message}`);
      });
    }
    expect(failures).toEqual([]);
  });

  test('behavior: names differ within the 63 bytes that PostgreSQL stores', () => {
    expect(getStatements().filter(({ name }) => Buffer.byteLength(name) > 63)).toEqual([]);
  });
});
