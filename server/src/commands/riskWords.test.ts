import { describe, expect, test } from 'vitest';
import { readWords } from '../../test/readWords.ts';

describe('risk import', () => {
  test('default', async () => {
    expect(await readWords('risk import')).toEqual({
      name: 'risk import',
      config: 'assay.yaml',
      from: null,
      sources: [],
      curated: null,
      force: false,
    });
  });

  test('behavior: all flags, sources repeated', async () => {
    const line =
      'risk import --from lists --source pools=a.json --source=chains=https://x.example/c?k=v --curated f.yaml --force';
    expect(await readWords(line)).toMatchObject({
      from: 'lists',
      sources: [
        { name: 'pools', location: 'a.json' },
        { name: 'chains', location: 'https://x.example/c?k=v' },
      ],
      curated: 'f.yaml',
      force: true,
    });
  });

  test.each(['nothing=a.json', 'pools', 'pools=', '=a.json', '__proto__=a'])(
    'error: --source %s',
    async (source) => {
      await expect(readWords(`risk import --source ${source}`)).rejects.toThrow(
        /NAME is one of protocols, pools/,
      );
    },
  );

  test('error: another flag twice', async () => {
    await expect(readWords('risk import --from a --from b')).rejects.toThrow(
      '--from is given twice',
    );
  });
});

describe('risk show', () => {
  test('default', async () => {
    expect(await readWords('risk show protocol:aave-v3 --config a.yaml')).toEqual({
      name: 'risk show',
      config: 'a.yaml',
      id: 'protocol:aave-v3',
    });
  });

  test('error: no id, or two', async () => {
    await expect(readWords('risk show')).rejects.toThrow('specify a node');
    await expect(readWords('risk show --config a.yaml')).rejects.toThrow('specify a node');
    await expect(readWords('risk show a b')).rejects.toThrow('unknown word "b"');
  });
});

describe('risk grade', () => {
  test('default', async () => {
    expect(await readWords('risk grade')).toEqual({ name: 'risk grade', config: 'assay.yaml' });
    await expect(readWords('risk grade x')).rejects.toThrow('unknown word "x"');
    await expect(readWords('risk')).rejects.toThrow(
      'risk schema, risk import, risk grade, risk show, risk diff',
    );
  });
});

describe('risk diff', () => {
  test('default', async () => {
    expect(await readWords('risk diff')).toMatchObject({ label: null, limit: 20 });
    expect(await readWords('risk diff --label protocol --limit 3')).toMatchObject({
      label: 'Protocol',
      limit: 3,
    });
    await expect(readWords('risk diff --label Vault')).rejects.toThrow(
      '--label must be one of Pool, Asset',
    );
    await expect(readWords('risk diff --limit -1')).rejects.toThrow('--limit must be an integer');
  });
});
