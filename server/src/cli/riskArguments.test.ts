import { describe, expect, test } from 'vitest';
import { readArguments } from './arguments.ts';

function read(line: string) {
  return readArguments(line.split(' '));
}

describe('risk import', () => {
  test('default', () => {
    expect(read('risk import')).toEqual({
      command: 'risk import',
      config: 'assay.yaml',
      from: null,
      sources: [],
      curated: null,
      force: false,
    });
  });

  test('behavior: everything, sources several times', () => {
    const line =
      'risk import --from lists --source pools=a.json --source=chains=https://x.example/c?k=v --curated f.yaml --force';
    expect(read(line)).toMatchObject({
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
    (source) => {
      expect(() => read(`risk import --source ${source}`)).toThrow(
        /NAME is one of protocols, pools/,
      );
    },
  );

  test('error: another flag twice', () => {
    expect(() => read('risk import --from a --from b')).toThrow('--from is given twice');
  });
});

describe('risk show', () => {
  test('default', () => {
    expect(read('risk show protocol:aave-v3 --config a.yaml')).toEqual({
      command: 'risk show',
      config: 'a.yaml',
      id: 'protocol:aave-v3',
    });
  });

  test('error: no id, or two', () => {
    expect(() => read('risk show')).toThrow('say which node to show');
    expect(() => read('risk show --config a.yaml')).toThrow('say which node to show');
    expect(() => read('risk show a b')).toThrow('unknown word "b"');
  });
});

describe('risk grade', () => {
  test('default', () => {
    expect(read('risk grade')).toEqual({ command: 'risk grade', config: 'assay.yaml' });
    expect(() => read('risk grade x')).toThrow('unknown word "x"');
    expect(() => read('risk')).toThrow('risk import, risk grade, risk show, risk diff');
  });
});

describe('risk diff', () => {
  test('default', () => {
    expect(read('risk diff')).toMatchObject({ command: 'risk diff', label: null, limit: 20 });
    expect(read('risk diff --label protocol --limit 3')).toMatchObject({
      ...{ label: 'Protocol', limit: 3 },
    });
    expect(() => read('risk diff --label Vault')).toThrow('--label is one of Pool, Asset');
    expect(() => read('risk diff --limit -1')).toThrow();
  });
});
