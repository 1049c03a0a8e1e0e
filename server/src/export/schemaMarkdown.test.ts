import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { schemaMarkdown } from './schemaMarkdown.ts';
import { EXPORT_TABLES } from './tables.ts';

test('behavior: docs/export.md has the schema', () => {
  const page = readFileSync(new URL('../../../docs/export.md', import.meta.url), 'utf8');
  expect(page).toContain(schemaMarkdown(EXPORT_TABLES));
});

test('behavior: no two columns of a table have the same name, and keys are not null', () => {
  for (const { name, columns, keyLength } of EXPORT_TABLES) {
    expect(new Set(columns.map((column) => column.name)).size, name).toBe(columns.length);
    expect(columns.slice(0, keyLength).filter(({ nullable }) => nullable)).toEqual([]);
  }
});
