import { describe, expect, test } from 'vitest';
import { readWords, refusalOf } from '../../test/readWords.ts';
import { COMMANDS } from './index.ts';

describe('readCommandLine', () => {
  test('default', async () => {
    expect(await readWords('start')).toEqual({ name: 'start', config: 'assay.yaml' });
  });

  test('behavior: flags with a space or an equals sign', async () => {
    expect(await readWords('serve --config a.yaml')).toEqual({ name: 'serve', config: 'a.yaml' });
    expect(await readWords('index --config=a=b.yaml')).toEqual({
      name: 'index',
      config: 'a=b.yaml',
    });
  });

  test('behavior: import-legacy', async () => {
    expect(await readWords('import-legacy --family svcusd --apy apy.json --percent')).toEqual({
      name: 'import-legacy',
      config: 'assay.yaml',
      family: 'svcusd',
      series: 'apy',
      file: 'apy.json',
      percent: true,
      decimals: null,
    });
    expect(await readWords('import-legacy --tvl t.csv --decimals 6 --family svcusd')).toMatchObject(
      {
        series: 'tvl',
        file: 't.csv',
        decimals: 6,
      },
    );
  });

  test('behavior: export', async () => {
    const line = 'export --out data --method lifo';
    expect(await readWords(`${line} --tables ledger,history`)).toMatchObject({ method: 'lifo' });
    expect(await readWords('export --out data')).toMatchObject({ method: undefined });
    expect(await refusalOf(`${line} --tables history,ticks`)).toBe(
      'rows of history, ticks have no cost: leave out --method',
    );
    expect(await refusalOf('export --out data --method best')).toBe(
      '--method must be one of average, fifo, lifo, hifo; correct it',
    );
    expect(await refusalOf('export --since data/manifest.json --method fifo')).toBe(
      '--since continues a folder as it is: leave out --method',
    );
  });

  test('behavior: verify', async () => {
    expect(await readWords('verify')).toEqual({
      name: 'verify',
      config: 'assay.yaml',
      family: null,
      wallets: 20,
      seed: null,
    });
    expect(await readWords('verify --family svcusd --wallets 0 --seed 7')).toMatchObject({
      family: 'svcusd',
      wallets: 0,
      seed: '7',
    });
  });

  test('behavior: init', async () => {
    const vault = `0x${'Ab'.repeat(20)}`;
    const line = `init --rpc https://a.example --chain 1=http://b.example/x=1 --vault ${vault} --vault base:${vault}`;
    expect(await readWords(`${line} --feed usdc-usd=8453:${vault} --config a.yaml --yes`)).toEqual({
      name: 'init',
      config: 'a.yaml',
      chains: [
        { chainId: 1, url: 'http://b.example/x=1' },
        { chainId: null, url: 'https://a.example' },
      ],
      vaults: [
        { chain: null, address: vault.toLowerCase() },
        { chain: 'base', address: vault.toLowerCase() },
      ],
      feeds: [{ name: 'usdc-usd', chain: '8453', address: vault.toLowerCase() }],
      yes: true,
    });
    expect(await readWords(line)).toMatchObject({ config: 'assay.yaml', feeds: [], yes: false });
  });

  test('error: init never repeats a URL', async () => {
    const vault = `--vault 0x${'ab'.repeat(20)}`;
    for (const line of [
      `--rpc ws://k3y.example ${vault}`,
      `--chain x=http://k3y.example ${vault}`,
    ]) {
      expect(await refusalOf(`init ${line}`)).not.toContain('k3y');
    }
  });

  test('behavior: migrate-url', async () => {
    const url = `/api/v1/vault/base/0x${'11'.repeat(20)}`;
    expect(await readWords(`migrate-url ${url} --config a.yaml`)).toEqual({
      name: 'migrate-url',
      config: 'a.yaml',
      url,
    });
  });

  test('behavior: help and version', async () => {
    expect(await readWords('--version')).toEqual({ name: 'version' });
    for (const line of ['help', '--help', '-h']) {
      expect(await readWords(line)).toMatchObject({
        name: 'help',
        text: expect.stringContaining('Usage: assay COMMAND'),
      });
    }
  });

  test.each(COMMANDS.map(({ name }) => name))('behavior: help for %s', async (command) => {
    const text = expect.stringContaining(`Usage: assay ${command}`);
    expect(await readWords(`${command} --help`)).toEqual({ name: 'help', text });
    expect(await readWords(`help ${command}`)).toEqual({ name: 'help', text });
  });

  test.each(['', 'risk', 'payments', 'paying', ...COMMANDS.map(({ name }) => name)])(
    'behavior: the page of help on "%s" fits on a screen of 80 columns and 24 rows',
    async (topic) => {
      const { text } = await readWords(`help ${topic}`);
      const lines = String(text).split('\n');
      expect(lines.length, `${text}`).toBeLessThanOrEqual(24);
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    },
  );

  test('behavior: a page describes its own command only, not one that shares its line in the general page', async () => {
    for (const { name, summary } of COMMANDS.filter((one) =>
      one.summary.includes(`(${one.name})`),
    )) {
      const { text } = await readWords(`help ${name}`);
      expect(String(text).replaceAll(/\s+/g, ' '), name).not.toContain(summary);
    }
  });

  test('behavior: every command is named in the general page', async () => {
    const { text } = await readWords('help');
    for (const { name } of COMMANDS) {
      for (const word of name.split(' ')) expect(text, name).toMatch(new RegExp(`\\b${word}\\b`));
    }
    expect(await readWords('risk --help')).toEqual(await readWords('help risk'));
  });

  test('behavior: an argument can precede or follow the flags', async () => {
    const expected = { name: 'vault', slug: 'svcusd', form: 'json', url: 'http://a.example' };
    expect(await readWords('vault svcusd --json --url http://a.example')).toMatchObject(expected);
    expect(await readWords('vault --url http://a.example --json svcusd')).toMatchObject(expected);
    expect(await readWords('vault --url=http://a.example svcusd --json')).toMatchObject(expected);
  });

  test('behavior: the maximum price is exact', async () => {
    const paid = await readWords('risk node chain:base --max-usd 0.05 --yes');
    expect(paid).toMatchObject({ nodeId: 'chain:base', most: 50_000n, yes: true, dryRun: false });
    const named = await readWords('risk dependencies 0x12 --chain 8453');
    expect(named).toMatchObject({ nodeId: '0x12', chainId: 8453 });
    expect(await readWords('risk search usdc --max-usd 1e-3')).toMatchObject({ most: 1_000n });
  });

  test('error: each rejection is one line with advice', async () => {
    const lines = [
      '',
      'strat',
      'frobnicate',
      'start --confg a.yaml',
      'start --config',
      'start --config --help2',
      'start --config a --config b',
      'start now',
      'help strat',
      'start --family svcusd',
      'import-legacy',
      'import-legacy --family a',
      'import-legacy --family a --apy x --tvl y',
      'import-legacy --family a --tvl y --percent',
      'import-legacy --family a --apy y --decimals 6',
      'import-legacy --family a --tvl y --decimals 6.5',
      'import-legacy --family a --apy y --percent=1',
      'start --constructor x',
      'migrate-url',
      'migrate-url --url /api/v1',
      'verify --wallets many',
      'vaults --jsn',
      'vaults --json --csv',
      'vaults --chain base',
      'vault',
      'apy svcusd --interval week',
      'history --type gift',
      'history --limit 501',
      'pending vitalik.eth',
      'risk node',
      'risk node chain:base --private-key 0x42',
      'risk node chain:base --max-usd 0',
      'risk node chain:base --max-usd 0.0000001',
      'risk node chain:base --pay-to me',
      'risk search usdc --label vault',
      'verify --wallets 1000000',
      'init',
      'init --rpc http://a.example',
      'init --rpc a.example --vault 0x00',
      'init --chain http://a.example --vault 0x00',
      'init --rpc http://a.example --vault 0x00',
      `init --rpc http://a.example --vault 0x${'ab'.repeat(20)} --feed usdc-usd`,
    ];
    const refusals = await Promise.all(lines.map(async (line) => [line, await refusalOf(line)]));
    for (const [line, text] of refusals) expect(text, line).not.toMatch(/\ba [aeio][a-z]+/);
    expect(Object.fromEntries(refusals)).toMatchSnapshot();
  });
});
