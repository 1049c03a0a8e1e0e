import { expect, test } from 'vitest';
import { describeEachEngine } from '../../../test/database.ts';
import { importSources } from './importSources.ts';
import type { SourceDocument } from './openSource.ts';

const CHAIN = `chains:
  - slug: base
    name: Base
    facts:
      - kind: rollup
        source: https://example.org/base
        date: 2026-05-31
`;

function documentOf(name: string, text: string): SourceDocument {
  const bytes = Buffer.from(text);
  return {
    name,
    bytes: bytes.length,
    async *open() {
      yield bytes;
    },
    close: async () => undefined,
  };
}

describeEachEngine('importSources', (open) => {
  test('error: a mistake in one of several files names that file', async () => {
    const store = await open();
    const documents = [
      documentOf('mine.yaml', CHAIN),
      documentOf('yours.yaml', CHAIN.replace('name:', 'nane:')),
    ];
    const sources = [{ source: 'curated', documents }] as const;
    const { results } = await importSources({ store, sources, now: 100 });
    const [{ error, outcome }] = results as [(typeof results)[number]];
    expect(outcome).toBeUndefined();
    expect((error as Error).message).toMatch(/^yours\.yaml:/);
    expect((error as Error).message).not.toContain('mine.yaml');
  });
});
