import { readFileSync } from 'node:fs';
import { Check } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { editorSchema } from './editorSchema.ts';

const docs = new URL('../../../docs/', import.meta.url);

const WIDTH = 100;

/** Formats like the project's formatter: lists of single values on one line if they fit. */
function formatted(schema: unknown): string {
  const value = '(?:"(?:[^"\\\\]|\\\\.)*"|[\\w.-]+)';
  const list = new RegExp(`\\[\\n\\s+(${value}(?:,\\n\\s+${value})*)\\n\\s+\\]`, 'g');
  const text = JSON.stringify(schema, null, 2);
  const joined = text.replace(list, (whole, items: string, at: number) => {
    const line = `${text.slice(text.lastIndexOf('\n', at) + 1, at)}[${items.replace(/\n\s+/g, ' ')}]`;
    return line.length > WIDTH ? whole : line.slice(line.indexOf('['));
  });
  return `${joined}\n`;
}

describe('editorSchema', () => {
  test('default: the committed file is up to date (vitest -u writes it)', async () => {
    const file = new URL('assay.schema.json', docs).pathname;
    await expect(formatted(editorSchema())).toMatchFileSnapshot(file);
  });

  test('behavior: accepts the unchanged example, including references', () => {
    const example: unknown = parse(readFileSync(new URL('assay.example.yaml', docs), 'utf8'));
    expect(Check(editorSchema(), example)).toBe(true);
  });

  test('error: marks an unknown key and a wrong value', () => {
    expect(Check(editorSchema(), { chains: [{ id: 1, name: 'a' }], families: [] })).toBe(true);
    expect(Check(editorSchema(), { chains: [{ id: 1, nam: 'a' }], families: [] })).toBe(false);
    expect(Check(editorSchema(), { chains: [{ id: 'x', name: 'a' }], families: [] })).toBe(false);
  });
});
