import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COST_METHODS } from './costMethod.ts';
import type { DatedMove } from './lot.ts';
import { createLotBook } from './lotBook.ts';

const page = readFileSync(new URL('../../../../../docs/accounting.md', import.meta.url), 'utf8');

/** Returns the cells of the worked example's rows that start with one of these words. */
function rowsOf(words: readonly string[]): string[][] {
  const section = page.slice(page.indexOf('## Worked example'), page.indexOf('## Read it'));
  const rows = section.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.map((row) => row.slice(1, -1)).filter(([first]) => words.includes(first ?? ''));
}

test("docs/accounting.md: the worked example equals the methods' results", () => {
  const moves = rowsOf(['deposit', 'received', 'exit', 'sent']).map(
    ([kind, shares, assets], at): DatedMove => ({
      kind: kind as DatedMove['kind'],
      shares: BigInt(shares!),
      assets: BigInt(assets!),
      chainId: 1,
      at,
    }),
  );
  expect(moves.length).toBe(5);
  const shown = rowsOf(COST_METHODS);
  const computed = COST_METHODS.map((method) => {
    const book = createLotBook(method);
    const changes = moves.map((move) => book.add(move));
    const [exit, sent] = changes.slice(-2);
    const { shares, cost, realized } = book.position();
    const value = (shares * 5n) / 2n;
    const unrealized = value - cost;
    const gain = realized + unrealized + sent!.cost;
    return [method, -exit!.cost, realized, -sent!.cost, cost, value, unrealized, gain].map(String);
  });
  expect(shown).toEqual(computed);
});
