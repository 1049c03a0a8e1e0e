import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseConfig } from './load.ts';
import { ConfigError } from './problem.ts';
import { readVariable } from './variables.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-variables-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = 'https://rpc.example/v2/5ecret5ecret5ecret';
const KEY = `0x${'5e'.repeat(32)}`;

function secretFile(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('readVariable', () => {
  test('default: the variable, a file, or a credential of the service', () => {
    expect(readVariable({ URL: SECRET }, 'URL')).toEqual({ value: SECRET });
    const URL_FILE = secretFile('default', SECRET);
    expect(readVariable({ URL_FILE }, 'URL')).toEqual({ value: SECRET });
    expect(readVariable({ URL_FILE, URL: '' }, 'URL')).toEqual({ value: SECRET });
    secretFile('OTHER_URL', `${SECRET}\n`);
    const CREDENTIALS_DIRECTORY = folder;
    expect(readVariable({ CREDENTIALS_DIRECTORY }, 'OTHER_URL')).toEqual({ value: SECRET });
    const env = { CREDENTIALS_DIRECTORY, OTHER_URL: 'own' };
    expect(readVariable(env, 'OTHER_URL')).toEqual({ value: 'own' });
    expect(readVariable({ CREDENTIALS_DIRECTORY, OTHER_URL_FILE: URL_FILE }, 'OTHER_URL')).toEqual({
      value: SECRET,
    });
    expect(readVariable({ CREDENTIALS_DIRECTORY }, 'URL')).toEqual({});
    expect(readVariable({}, 'URL')).toEqual({});
    expect(readVariable({ URL: '', URL_FILE: '' }, 'URL')).toEqual({ value: '' });
  });

  test('behavior: one newline at the end is removed, and nothing else', () => {
    for (const end of ['', '\n', '\r\n']) {
      const URL_FILE = secretFile('newline', ` a b ${end}`);
      expect(readVariable({ URL_FILE }, 'URL')).toEqual({ value: ' a b ' });
    }
  });

  test.each<[string, string | Buffer, string]>([
    ['two newlines', `${SECRET}\n\n`, 'has more than one line or is not text'],
    ['two lines', `${SECRET}\n${SECRET}\n`, 'has more than one line or is not text'],
    ['bytes', Buffer.from([0, 1, 2]), 'has more than one line or is not text'],
    ['nothing', '', 'is empty; put the value into it'],
    ['a newline alone', '\n', 'is empty; put the value into it'],
    ['too much', 'x'.repeat(65 * 1024), 'is over 64 KiB'],
  ])('error: %s', (_, content, reason) => {
    const URL_FILE = secretFile('wrong', content);
    const { value, problem } = readVariable({ URL_FILE }, 'URL');
    expect(value).toBeUndefined();
    expect(problem!.name).toBe('URL_FILE');
    expect(problem!.message).toContain(`names ${URL_FILE}, which ${reason}`);
    expect(problem!.message).not.toContain('ecret');
  });

  test('error: no file, and both at once', () => {
    const missing = join(folder, 'nowhere');
    const cases = [
      [
        { URL_FILE: missing },
        `names ${missing}, which does not exist; create it or correct the path`,
      ],
      [
        { URL_FILE: folder },
        `names ${folder}, which is not a file; name a file that contains the value`,
      ],
      [{ URL_FILE: missing, URL: SECRET }, 'is set, and URL too; keep one of the two'],
    ] as const;
    for (const [env, message] of cases) {
      expect(readVariable(env, 'URL')).toEqual({ problem: { name: 'URL_FILE', message } });
    }
    secretFile('EMPTY_URL', '');
    expect(readVariable({ CREDENTIALS_DIRECTORY: folder }, 'EMPTY_URL')).toEqual({
      problem: {
        name: 'EMPTY_URL',
        message: `comes from ${join(folder, 'EMPTY_URL')}, which is empty; put the value into it`,
      },
    });
  });
});

describe('parseConfig', () => {
  const TEXT = `chains:
  - { id: 8453, name: base, rpc: ["\${BASE_RPC_URL}", "\${SECOND_RPC_URL:-http://127.0.0.1:1}"] }
families: []
payments:
  chain: 8453
  asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
  payTo: "0x1111111111111111111111111111111111111111"
  facilitator: { keys: ["\${FACILITATOR_KEY}"] }
`;
  const parse = (env: Record<string, string>) =>
    parseConfig({ file: 'assay.yaml', text: TEXT, env });

  function mistakes(env: Record<string, string>): string[] {
    try {
      parse(env);
    } catch (error) {
      if (error instanceof ConfigError) return error.message.split('\n');
      throw error;
    }
    return [];
  }

  test('default: databases, RPC URLs and keys from files', () => {
    const config = parse({
      DATABASE_URL_FILE: secretFile('database', 'postgres://assay@db/assay\n'),
      DATABASE_REPLICA_URL_FILE: secretFile('replica', 'postgres://assay@replica/assay\n'),
      BASE_RPC_URL_FILE: secretFile('rpc', `${SECRET}\n`),
      FACILITATOR_KEY_FILE: secretFile('key', `${KEY}\n`),
    });
    expect(config.store).toMatchObject({
      databaseUrl: 'postgres://assay@db/assay',
      replicaUrl: 'postgres://assay@replica/assay',
    });
    expect(config.chains[0]!.rpcUrls).toEqual([SECRET, 'http://127.0.0.1:1']);
    expect(config.payments!.facilitator).toMatchObject({ keys: [KEY] });
  });

  test('error: names the variable and the file, but never its content', () => {
    const DATABASE_URL_FILE = secretFile('wrong-database', `${SECRET}\n`);
    const missing = join(folder, 'missing');
    const found = mistakes({
      DATABASE_URL_FILE,
      DATABASE_URL: '',
      DATABASE_REPLICA_URL_FILE: missing,
      BASE_RPC_URL_FILE: secretFile('wrong-rpc', 'no-url-5ecret'),
      SECOND_RPC_URL_FILE: missing,
      FACILITATOR_KEY_FILE: missing,
      FACILITATOR_KEY: KEY,
    });
    expect(found).toEqual([
      'assay.yaml: environment variable DATABASE_URL must start with postgres:// or postgresql://; correct it',
      `assay.yaml: environment variable DATABASE_REPLICA_URL_FILE names ${missing}, which does not exist; create it or correct the path`,
      `assay.yaml:2: chains[0].rpc[1] needs the environment variable SECOND_RPC_URL_FILE, which names ${missing}, which does not exist; create it or correct the path`,
      expect.stringMatching(/^assay\.yaml:2: chains\[0\]\.rpc\[0\] must be a URL .*not shown/),
      'assay.yaml:8: payments.facilitator.keys[0] needs the environment variable FACILITATOR_KEY_FILE, which is set, and FACILITATOR_KEY too; keep one of the two',
    ]);
    expect(found.join()).not.toMatch(/5ecret|5e5e/);
  });

  test('error: a replica needs its primary, regardless of their sources', () => {
    const env = { BASE_RPC_URL: SECRET, FACILITATOR_KEY: KEY };
    const DATABASE_REPLICA_URL_FILE = secretFile('alone', 'postgres://assay@replica/assay\n');
    expect(mistakes({ ...env, DATABASE_REPLICA_URL_FILE })).toEqual([
      'assay.yaml: environment variable DATABASE_REPLICA_URL needs DATABASE_URL as well; set both or neither',
    ]);
  });
});
