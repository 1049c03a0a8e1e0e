import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  CLIENT_MAY_IMPORT,
  DASHBOARD_MAY_IMPORT,
  MAY_IMPORT,
  PAYMENTS_MAY_IMPORT,
  RISK_MAY_IMPORT,
} from './imports.mjs';
import { MAX_MINUTES } from './test/extents.mjs';

const text = read('CONTRIBUTING.md');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

function read(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
}

/** The rows of the table whose heading starts with these words, without heading and rule. */
function rowsOf(heading: string): string[][] {
  const table = text.slice(text.indexOf(`| ${heading}`)).split('\n\n')[0]!;
  return table
    .trim()
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1));
}

describe('CONTRIBUTING.md', () => {
  test.each<[string, Record<string, readonly string[]>]>([
    ['server/src', MAY_IMPORT],
    ['server/src/payments', PAYMENTS_MAY_IMPORT],
    ['server/src/risk', RISK_MAY_IMPORT],
    ['client/src', CLIENT_MAY_IMPORT],
    ['dashboard/src', DASHBOARD_MAY_IMPORT],
  ])('default: the import table of %s is the one that is enforced', (folder, table) => {
    const written = rowsOf(`folder of ${folder} |`).map(([name, , allowed]) => {
      return [name!, allowed === 'nothing' ? [] : allowed!.split(', ').sort()];
    });
    const enforced = Object.entries(table).map(([name, allowed]) => [name, [...allowed].sort()]);
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(enforced));
  });

  test('default: lists every command that a contributor needs, and no other', () => {
    const written = rowsOf('command |').map(
      ([command]) => /`npm (?:run )?([\w:]+)/.exec(command!)![1]!,
    );
    const unlisted = ['start', 'devnet', 'build'];
    expect(new Set(written)).toEqual(
      new Set(Object.keys(scripts).filter((name) => !unlisted.includes(name))),
    );
  });

  test.each(Object.entries(MAX_MINUTES))('behavior: %s is under %d minutes', (name, minutes) => {
    const command = name === 'test' ? '`npm test`' : `\`npm run ${name}\``;
    const row = rowsOf('command |').find(([cell]) => cell === command);
    expect(row?.[1]).toMatch(new RegExp(`under ${minutes} minutes`));
  });
});
