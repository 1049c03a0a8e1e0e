import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSource, SourceUnreachable, SourceUnreadable } from './openSource.ts';
import { openSourceFolder } from './openSourceFolder.ts';

let folder: string;
const ends: (() => void)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-open-'));
});

afterEach(() => {
  for (const end of ends.splice(0)) end();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/list?key=secret`;
}

async function text(document: { open(): AsyncIterable<Uint8Array> }): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of document.open()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function message(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

describe('openSource', () => {
  test('default: a file, as often as needed', async () => {
    writeFileSync(join(folder, 'a.json'), '[1]');
    const document = await openSource(join(folder, 'a.json'));
    expect([document.name, document.bytes]).toEqual(['a.json', 3]);
    expect([await text(document), await text(document)]).toEqual(['[1]', '[1]']);
  });

  test('behavior: a URL is downloaded once, read as often as needed, then removed', async () => {
    let asked = 0;
    const url = await serve((_, response) => {
      asked++;
      response.end('[{"id":1}]');
    });
    const document = await openSource(url);
    expect([await text(document), await text(document)]).toEqual(['[{"id":1}]', '[{"id":1}]']);
    expect(asked).toBe(1);
    await document.close();
    await expect(text(document)).rejects.toThrow();
  });

  test('error: responses that are not a list, and never the URL in a message', async () => {
    const refused = await serve((_, response) => response.writeHead(503).end('down'));
    const broken = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('[');
      response.destroy();
    });
    const huge = await serve((_, response) => response.end('x'.repeat(1000)));
    const silent = await serve(() => {});
    const messages = [
      await message(openSource(refused)),
      await message(openSource(broken)),
      await message(openSource(huge, { maxBytes: 10 })),
      await message(openSource(silent, { timeoutMs: 50 })),
      await message(openSource('http://user:pass@127.0.0.1:1/x')),
      await message(openSource('ftp://example.org/x')),
    ];
    expect(messages.map((each) => each.replace(/127\.0\.0\.1:\d+/, 'host'))).toMatchInlineSnapshot(`
      [
        "SourceUnreachable: host: it answered 503; try again later, or download the file and name it instead",
        "SourceUnreachable: host: the connection failed; try again later, or download the file and name it instead",
        "SourceUnreachable: host: the answer is over 10 bytes; try again later, or download the file and name it instead",
        "SourceUnreachable: host: no whole answer within 0.05 s; try again later, or download the file and name it instead",
        "SourceUnreachable: host: the connection failed; try again later, or download the file and name it instead",
        "SourceUnreadable: the source: it is no http or https URL; check how it is written",
      ]
    `);
    expect(messages.join('\n')).not.toMatch(/secret|pass|list\?/);
    const stopped = openSource(silent, { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toThrow(SourceUnreachable);
  });

  test('error: no file, a folder, a file that is too large', async () => {
    writeFileSync(join(folder, 'a.json'), '[1,2,3]');
    for (const [path, options] of [
      [join(folder, 'none.json'), {}],
      [folder, {}],
      [join(folder, 'a.json'), { maxBytes: 2 }],
    ] as const) {
      await expect(openSource(path, options)).rejects.toThrow(SourceUnreadable);
    }
  });
});

describe('openSourceFolder', () => {
  test('default: by content, else by name, the newest of each kind', async () => {
    const files = {
      '2022-protocols.json': [{ id: '1', name: 'Old', category: 'Dexes' }],
      '2026-protocols.json': [{ id: '1', name: 'New', category: 'Dexes' }],
      'x.json': [{ id: 'parent#a', name: 'A', chains: [] }],
      'y.json': { data: [{ pool: 'p', project: 'q', chain: 'c' }] },
      'z.json': { peggedAssets: [{ name: 'U', pegType: 'peggedUSD' }] },
      'w.json': { Ethereum: { geckoId: 'ethereum' } },
      'hacks.json': [],
      'other.json': [{ color: 'blue' }],
    };
    for (const [name, value] of Object.entries(files)) {
      writeFileSync(join(folder, name), JSON.stringify(value));
    }
    writeFileSync(join(folder, 'facts.yaml'), 'chains: []');
    writeFileSync(join(folder, 'readme.txt'), 'hello');
    mkdirSync(join(folder, 'inner.json'));
    const { sources, leftOut } = await openSourceFolder(folder);
    expect(
      sources.map(({ source, documents }) => [source, documents.map(({ name }) => name)]),
    ).toEqual([
      ['curated', ['facts.yaml']],
      ['defillama-chains', ['w.json']],
      ['defillama-protocols', ['2026-protocols.json', 'x.json']],
      ['defillama-stablecoins', ['z.json']],
      ['defillama-pools', ['y.json']],
      ['defillama-hacks', ['hacks.json']],
    ]);
    expect(leftOut).toEqual([
      { name: 'readme.txt', reason: 'it is neither JSON nor YAML' },
      { name: 'other.json', reason: 'its items are of no known kind' },
      { name: 'inner.json', reason: 'this is no file; name a file' },
      { name: '2022-protocols.json', reason: '2026-protocols.json is newer' },
    ]);
    expect(readdirSync(folder)).toHaveLength(11);
  });

  test('error: no such folder', async () => {
    await expect(openSourceFolder(join(folder, 'none'))).rejects.toThrow(SourceUnreadable);
  });
});
