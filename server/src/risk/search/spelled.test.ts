import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FULL, LONG } from '../../../../scripts/test/extents.mjs';
import { GRADES, LABELS } from '../../domain/risk/graph.ts';
import type { SearchDoc } from '../../domain/risk/searchDoc.ts';
import { type Comparison, OPERATORS } from './comparison.ts';
import { foldWords } from './fold.ts';
import { buildSearchIndex } from './searchIndex.ts';
import type { SearchQuery } from './searchQuery.ts';

describe('spelled queries', () => {
  test('the order equals that of a naive search, also with filters', () => {
    fc.assert(
      fc.property(anyDocs(), anyQuery(), (docs, query) => {
        const ids = buildSearchIndex(docs)
          .search(query)
          .map(({ id }) => id);
        const allowed = docs.filter((doc) => isAllowed(doc, query));
        const spelled = searchNaively(allowed, query.q).slice(0, query.limit);
        expect(ids.slice(0, spelled.length)).toEqual(spelled);
        // Results with typing mistakes can follow, and the filters apply to them too.
        const rest = ids.slice(spelled.length);
        expect(rest.every((id) => allowed.some((doc) => doc.id === id))).toBe(true);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.length).toBeLessThanOrEqual(query.limit);
      }),
      { numRuns: LONG ? 20_000 : FULL ? 1000 : 200 },
    );
  });

  test('the order of the nodes does not change the hits', () => {
    fc.assert(
      fc.property(anyDocs(), anyQuery(), (docs, query) => {
        expect(buildSearchIndex(docs.toReversed()).search(query)).toEqual(
          buildSearchIndex(docs).search(query),
        );
      }),
      { numRuns: FULL ? 200 : 50 },
    );
  });
});

/** Compares every name with the query as text, one kind of match after the other. */
function searchNaively(docs: readonly SearchDoc[], q: string): string[] {
  const words = foldWords(q);
  const query = words.join(' ');
  const likenesses: ((doc: SearchDoc) => boolean)[] = [
    (doc) => namesOf(doc).some((name) => name === query),
    (doc) => namesOf(doc).some((name) => name.startsWith(query)),
    (doc) => words.every((word) => wordsOf(doc).includes(word)),
    (doc) => words.every((word) => wordsOf(doc).some((other) => other.startsWith(word))),
  ];
  const ranked = docs.toSorted(
    (a, b) => (b.value ?? -1) - (a.value ?? -1) || (a.id < b.id ? -1 : 1),
  );
  return [...new Set(likenesses.flatMap((isLike) => ranked.filter(isLike)))].map(({ id }) => id);
}

function namesOf(doc: SearchDoc): string[] {
  return [doc.name, doc.symbol ?? ''].map((name) => foldWords(name).join(' '));
}

function wordsOf(doc: SearchDoc): string[] {
  return [...foldWords(doc.name), ...foldWords(doc.symbol ?? '')];
}

function isAllowed(doc: SearchDoc, { label, tvl, grade }: SearchQuery): boolean {
  if (label !== undefined && doc.label !== label) return false;
  if (tvl !== undefined && (doc.value === null || !holds(doc.value, tvl))) return false;
  const letter = (text: string) => text.charCodeAt(0);
  return (
    grade === undefined ||
    holds(letter(doc.grade), { operator: grade.operator, value: letter(grade.value) })
  );
}

function holds(left: number, { operator, value }: Comparison<number>): boolean {
  const outcomes = {
    '>': left > value,
    '>=': left >= value,
    '<': left < value,
    '<=': left <= value,
    '=': left === value,
  };
  return outcomes[operator];
}

function anyDocs(): fc.Arbitrary<SearchDoc[]> {
  const words = fc.array(fc.constantFrom('aave', 'aav', 'usd', 'usdc', 'v3', 'v', 'Ünï'), {
    maxLength: 4,
  });
  const doc = fc.record({
    id: fc.integer({ min: 0, max: 99 }).map((key) => `asset:x:${key}`),
    label: fc.constantFrom(...LABELS),
    name: words.map((list) => list.join('-')),
    symbol: fc.option(fc.constantFrom('USDC', 'aave', 'v3'), { nil: undefined }),
    network: fc.constantFrom('first', 'second'),
    value: fc.option(fc.integer({ min: 0, max: 5 }), { nil: null }),
    grade: fc.constantFrom(...GRADES),
  });
  return fc.uniqueArray(doc, { maxLength: 50, selector: ({ id }) => id });
}

function anyQuery(): fc.Arbitrary<SearchQuery> {
  const operator = fc.constantFrom(...OPERATORS);
  return fc.record({
    q: fc
      .array(fc.constantFrom('aave', 'aa', 'a', 'v3', 'USD', 'v', 'usdc', 'uni', 'zz'), {
        minLength: 1,
        maxLength: 3,
      })
      .map((words) => words.join(' ')),
    limit: fc.integer({ min: 1, max: 10 }),
    label: fc.option(fc.constantFrom(...LABELS), { nil: undefined }),
    tvl: fc.option(fc.record({ operator, value: fc.integer({ min: -1, max: 6 }) }), {
      nil: undefined,
    }),
    grade: fc.option(fc.record({ operator, value: fc.constantFrom(...GRADES) }), {
      nil: undefined,
    }),
  });
}
