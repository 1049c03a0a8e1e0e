import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonItem, type JsonLimits, readJsonItems } from './jsonItems.ts';

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
}

async function read(document: string | Uint8Array, limits: Partial<JsonLimits> = {}, size = 7) {
  const bytes = typeof document === 'string' ? Buffer.from(document) : document;
  const items: JsonItem[] = [];
  for await (const item of readJsonItems(pieces(bytes, size), limits)) items.push(item);
  return items;
}

async function values(document: string | Uint8Array, limits?: Partial<JsonLimits>) {
  return (await read(document, limits)).flatMap((each) =>
    each.kind === 'item' ? [each.value] : [],
  );
}

async function faults(document: string | Uint8Array, limits?: Partial<JsonLimits>) {
  return (await read(document, limits)).flatMap((each) => (each.kind === 'fault' ? [each] : []));
}

const entry = fc.record({
  id: fc.integer(),
  name: fc.string({ unit: 'grapheme' }),
  more: fc.jsonValue({ maxDepth: 3 }),
});

describe('readJsonItems', () => {
  test('default', async () => {
    expect(await read('[{"id":1},\n {"id":2}]')).toEqual([
      { kind: 'item', place: { index: 0, at: 1 }, value: { id: 1 } },
      { kind: 'item', place: { index: 1, at: 12 }, value: { id: 2 } },
    ]);
  });

  test('behavior: an object by name', async () => {
    expect(await read('{"A":{"x":1},"B":{"x":2}}')).toEqual([
      { kind: 'item', place: { index: 0, at: 1, key: 'A' }, value: { x: 1 } },
      { kind: 'item', place: { index: 1, at: 13, key: 'B' }, value: { x: 2 } },
    ]);
  });

  test('behavior: envelopes, with fields on both sides of the list', async () => {
    for (const name of ['data', 'peggedAssets', 'protocols']) {
      const document = `{"status":"success","${name}":[{"id":1},{"id":2}],"chains":[{"id":3}],"n":4}`;
      expect(await read(document)).toEqual([
        { kind: 'item', place: { index: 0, at: 24 + name.length }, value: { id: 1 } },
        { kind: 'item', place: { index: 1, at: 33 + name.length }, value: { id: 2 } },
      ]);
    }
  });

  test('behavior: plain values of an object without a list are entries', async () => {
    expect(await values('{"a":1,"b":{"c":2}}')).toEqual([{ c: 2 }, 1]);
    expect(await values('[1,"x",null,[2],true]')).toEqual([1, 'x', null, [2], true]);
    expect(await values('\uFEFF[]')).toEqual([]);
  });

  test('behavior: reads any output of JSON.stringify, in any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry),
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom(undefined, 1, '\t'),
        async (entries, size, indent) => {
          const bytes = Buffer.from(JSON.stringify(entries, null, indent));
          const items = await read(bytes, {}, size);
          const parsed = JSON.parse(bytes.toString());
          expect(items.map((each) => each.kind === 'item' && each.value)).toEqual(parsed);
          const named = Object.fromEntries(entries.map((each, i) => [`n${i}`, each]));
          const byName = await read(JSON.stringify(named, null, indent), {}, size);
          expect(byName.map((each) => each.place.key)).toEqual(Object.keys(named));
        },
      ),
    );
  });

  test('behavior: a document that is cut anywhere gives the entries before the cut, and an error', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 1 }),
        fc.constantFrom('array', 'envelope', 'names'),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        async (entries, shape, part) => {
          const named = Object.fromEntries(entries.map((each, i) => [`n${i}`, each]));
          const whole = { array: entries, envelope: { data: entries }, names: named }[shape];
          const bytes = Buffer.from(JSON.stringify(whole));
          const cut = bytes.subarray(0, Math.floor(bytes.length * part));
          const found = await values(cut);
          const parsed = JSON.parse(JSON.stringify(entries));
          expect(found).toEqual(parsed.slice(0, found.length));
          expect((await faults(cut)).length).toBe(1);
        },
      ),
    );
  });

  test('behavior: a broken entry is reported, those around it are read', async () => {
    const broken = [
      '{"id":2,"a":"x}',
      '{"id":2,',
      '{"id":NaN}',
      '{"id":2,}',
      '{"id" 2}',
      '{"id":2 "a":3}',
      '{"id":2,"a":[1,2}',
      '{"id":2,"a":"line\nbreak"}',
      '{"id":2,"a":"\\x"}',
      '{"id":01}',
      '{id:2}',
      '',
    ];
    for (const each of broken) {
      const array = `[{"id":1},${each},{"id":3},{"id":4}]`;
      expect(await values(array), each).toEqual([{ id: 1 }, { id: 3 }, { id: 4 }]);
      expect((await faults(array)).length, each).toBeGreaterThan(0);
    }
    const names = '{"A":{"g":1},"B":{"g":2,},"C":{"g":3}}';
    expect(await values(names)).toEqual([{ g: 1 }, { g: 3 }]);
    expect((await faults(names))[0]?.place).toMatchObject({ key: 'B', at: 13, faultAt: 24 });
  });

  test('behavior: objects inside a broken entry do not count as entries', async () => {
    const document = '[{"id":1},{"id":2,"o":[{"name":"x"},{"name":"y"}],"b":?},{"id":3}]';
    expect(await values(document)).toEqual([{ id: 1 }, { id: 3 }]);
  });

  test('behavior: any damage to one byte costs few entries and never the rest', async () => {
    const entries = Array.from({ length: 30 }, (_, id) => ({
      id,
      name: `n${id}`,
      tags: ['a', { b: 1 }],
    }));
    const whole = Buffer.from(JSON.stringify(entries));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: whole.length - 2 }),
        fc.integer({ min: 0, max: 255 }),
        async (at, byte) => {
          const damaged = Buffer.from(whole);
          damaged[at] = byte;
          const found = (await values(damaged)).map((each) => (each as { id: unknown }).id);
          expect(found.filter((id) => typeof id === 'number').length).toBeGreaterThanOrEqual(27);
        },
      ),
    );
  });

  test('behavior: any bytes result in entries and errors', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const document = Buffer.concat([Buffer.from('['), bytes]);
        const isEmptyList = /^\[[ \t\n\r]*\][ \t\n\r]*$/.test(document.toString('latin1'));
        expect((await read(document)).length === 0).toBe(isEmptyList);
      }),
      { examples: [[Buffer.from(']')], [Buffer.from(' ]\n')], [Buffer.from(']]')]] },
    );
  });

  test('error: an entry over its limit, a document over its limit, one nested too deep', async () => {
    const huge = `[{"id":1},{"id":2,"a":"${'x'.repeat(500)}"},{"id":3}]`;
    expect(await values(huge, { maxItemBytes: 100 })).toEqual([{ id: 1 }, { id: 3 }]);
    expect((await faults(huge, { maxItemBytes: 100 }))[0]?.what).toBe('it is over 100 bytes');
    expect(await values(huge, { maxDocumentBytes: 15 })).toEqual([{ id: 1 }]);
    expect((await faults(huge, { maxDocumentBytes: 15 })).map(({ what }) => what)).toEqual([
      'the document is over 15 bytes; the rest is left',
    ]);
    const deep = `[{"id":1},{"id":2,"a":${'['.repeat(99)}${']'.repeat(99)}},{"id":3}]`;
    expect(await values(deep)).toEqual([{ id: 1 }, { id: 3 }]);
    expect((await faults(deep))[0]?.what).toBe('it is nested deeper than 64');
  });

  test('error: not UTF-8, not JSON, nothing', async () => {
    const bytes = Buffer.from('[{"id":1},{"id":"x"},{"id":3}]');
    bytes[17] = 0xff;
    expect(await values(bytes)).toEqual([{ id: 1 }, { id: 3 }]);
    expect((await faults('<html>')).map(({ what }) => what)).toEqual([
      'this is no JSON list or object',
    ]);
    expect((await faults('')).map(({ what }) => what)).toEqual(['the document is empty']);
    expect((await faults('[{"id":1}]]x')).map(({ what }) => what)).toEqual([
      'there is more after the end of the list',
    ]);
  });
});
