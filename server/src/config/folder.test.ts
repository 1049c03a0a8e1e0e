import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { getConfigLocations } from '../check/configLocation.ts';
import { loadConfig, parseConfig } from './load.ts';
import { ConfigError } from './problem.ts';

const home = mkdtempSync(join(tmpdir(), 'assay-folder-'));
afterAll(() => rmSync(home, { recursive: true }));

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(home, 'assay-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Returns the message of every mistake, with the folder named assay.d. */
function mistakes(files: Readonly<Record<string, string>>, env: Record<string, string> = {}) {
  const folder = folderOf(files);
  try {
    loadConfig({ file: folder, env });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.replaceAll(folder, 'assay.d').split('\n');
  }
  return [];
}

const CHAINS = 'chains:\n  - { id: 8453, name: base, rpc: ["http://127.0.0.1:8545"] }\n';

function family(slug: string, digit: string, more = ''): string {
  return `  - slug: ${slug}
    name: Vault ${slug}
    address: "0x${digit.repeat(40)}"
    adapter: erc4626
    base: { marketDataId: usd-coin }
    share: { marketDataId: ${slug} }
${more}    chains: [{ chain: 8453, role: settlement }]
`;
}

describe('loadConfig of a folder', () => {
  test('default: the same as one file with all of it, in the order of the names', () => {
    const http = 'http: { port: 1000, rateLimit: { burst: 7 } }\n';
    const feeds = (name: string) =>
      `prices: { feeds: { ${name}: { chain: 8453, aggregator: "0x${'c'.repeat(40)}" } } }\n`;
    const one = parseConfig({
      file: 'assay.yaml',
      text: `http: { port: 1000, rateLimit: { burst: 7, perSecond: 3 } }\n${CHAINS}families:\n${family('first', '1')}${family('second', '2', '    feederOf: third\n')}${family('third', '3')}prices: { feeds: { a: { chain: 8453, aggregator: "0x${'c'.repeat(40)}" }, b: { chain: 8453, aggregator: "0x${'c'.repeat(40)}" } } }\n`,
      env: {},
    });
    const folder = folderOf({
      '20.yml': `families:\n${family('third', '3')}http: { rateLimit: { perSecond: 3, burst: 7 } }\n${feeds('b')}`,
      '00-server.yaml': `${http}${CHAINS}${feeds('a')}`,
      '10.yaml': `families:\n${family('first', '1')}${family('second', '2', '    feederOf: third\n')}`,
      '30-later.yaml': '# nothing yet\n',
      '.hidden.yaml': 'families: nothing',
      'notes.txt': 'none of it',
    });
    const { keys, ...config } = loadConfig({ file: folder, env: {} });
    expect({ ...config, file: 'assay.yaml' }).toEqual(one);
    expect(keys).toEqual({
      chains: [`${folder}/00-server.yaml chains[0]`],
      families: [
        `${folder}/10.yaml families[0]`,
        `${folder}/10.yaml families[1]`,
        `${folder}/20.yml families[0]`,
      ],
    });
    const locations = getConfigLocations({ ...config, keys });
    expect(locations.at(-1)?.key).toBe(`${folder}/20.yml families[0].chains[0]`);
  });

  test('behavior: files may be links, as in a mounted ConfigMap', () => {
    const folder = folderOf({ 'chains.yaml': CHAINS });
    const data = join(folder, '..data');
    mkdirSync(data);
    writeFileSync(join(data, 'families.yaml'), `families:\n${family('first', '1')}`);
    symlinkSync(join('..data', 'families.yaml'), join(folder, 'families.yaml'));
    expect(loadConfig({ file: folder, env: {} }).families.map(({ slug }) => slug)).toEqual([
      'first',
    ]);
  });

  test('error: a key with two values names both files', () => {
    expect(
      mistakes({
        'a.yaml': `http:\n  port: 1000\n${CHAINS}families:\n${family('first', '1')}`,
        'b.yaml': 'http:\n  rateLimit: { trustedProxies: [10.0.0.1] }\n  port: 1001\n',
        'c.yaml': 'http:\n  port: 1000\n  rateLimit: { trustedProxies: [10.0.0.2] }\n',
        'd.yaml': 'http: 5\nfamilies: none\n',
      }),
    ).toEqual([
      'assay.d/b.yaml:3: http.port is given with another value in assay.d/a.yaml:2; keep one of the two',
      'assay.d/c.yaml:3: http.rateLimit.trustedProxies is given with another value in assay.d/b.yaml:2; keep one of the two',
      'assay.d/d.yaml:1: http is given with another value in assay.d/a.yaml:1; keep one of the two',
      'assay.d/d.yaml:2: families is given with another value in assay.d/a.yaml:5; keep one of the two',
    ]);
  });

  test('error: a chain, a family or a vault in two files', () => {
    expect(
      mistakes({
        'a.yaml': `${CHAINS}families:\n${family('first', '1')}`,
        'b.yaml': `${CHAINS}families:\n${family('second', '2')}${family('first', '1')}`,
      }),
    ).toEqual([
      'assay.d/b.yaml:2: chains[0].id is the same chain as chains[0] (assay.d/a.yaml:2); remove one of the two or change its id',
      'assay.d/b.yaml:2: chains[0].name is the same name as chains[0] (assay.d/a.yaml:2); remove one of the two or change its name',
      'assay.d/b.yaml:11: families[1].slug is the same slug as families[0] (assay.d/a.yaml:4); remove one of the two or change its slug',
      'assay.d/b.yaml:13: families[1].address is the same vault as families[0].address (assay.d/a.yaml:6) on chain 8453; remove one of the two or change its address',
    ]);
  });

  test('error: mistakes name their file and their location in it', () => {
    expect(
      mistakes(
        {
          'a.yaml': CHAINS.replace('http://127.0.0.1:8545', '$' + '{RPC}'),
          'b.yaml': `families:\n${family('first', '1').replace('erc4626', 'erc4627')}`,
          'c.yaml': `families:\n${family('second', '2').replace('8453', '1')}`,
          'd.yaml': 'families: [\n',
          'e.yaml': '- 1\n',
          'f.yaml': 'demo: {}\n',
        },
        { RPC: 'ftp://secret' },
      ),
    ).toEqual([
      'assay.d/a.yaml:2: chains[0].rpc[0] must be a URL that starts with http://, https://, ws:// or wss://; its value is not shown here',
      expect.stringMatching(/^assay\.d\/b\.yaml:5: families\[0\]\.adapter must be /),
      'assay.d/c.yaml:8: families[0].chains[0].chain is 1, which is not listed under chains; add a chain with id 1 there, or use one of 8453',
      expect.stringMatching(/^assay\.d\/d\.yaml:\d: /),
      'assay.d/e.yaml:1: the file must contain keys with values, such as families',
      expect.stringMatching(/^assay\.d\/f\.yaml:1: demo\.walletKey is missing/),
    ]);
  });

  test('error: a key in no file is missing from the folder', () => {
    expect(mistakes({ 'a.yaml': CHAINS })).toEqual([
      expect.stringMatching(/^assay\.d: families is missing/),
    ]);
    expect(mistakes({ 'a.yaml': '' })).toEqual([
      expect.stringMatching(/^assay\.d: chains is missing/),
      expect.stringMatching(/^assay\.d: families is missing/),
    ]);
    expect(mistakes({ 'assay.txt': CHAINS })).toEqual([
      'assay.d: the folder has no file whose name ends in .yaml or .yml; add one',
    ]);
  });

  test('error: an entry of the folder that cannot be read', () => {
    const folder = folderOf({ 'a.yaml': CHAINS });
    mkdirSync(join(folder, 'b.yaml'));
    expect(() => loadConfig({ file: folder, env: {} })).toThrow(
      `${folder}/b.yaml: this is a folder`,
    );
  });
});
