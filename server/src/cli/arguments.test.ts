import { describe, expect, test } from 'vitest';
import { readArguments, UsageError } from './arguments.ts';
import { COMMANDS } from './help.ts';

function read(line: string) {
  return readArguments(line.split(' ').filter((word) => word !== ''));
}

function refusal(line: string): string {
  try {
    read(line);
  } catch (error) {
    if (error instanceof UsageError && error.exitCode === 2) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('readArguments', () => {
  test('default', () => {
    expect(read('start')).toEqual({ command: 'start', config: 'assay.yaml' });
  });

  test('behavior: flags with a space or an equals sign', () => {
    expect(read('serve --config a.yaml')).toEqual({ command: 'serve', config: 'a.yaml' });
    expect(read('index --config=a=b.yaml')).toEqual({ command: 'index', config: 'a=b.yaml' });
  });

  test('behavior: import-legacy', () => {
    expect(read('import-legacy --family svcusd --apy apy.json --percent')).toEqual({
      command: 'import-legacy',
      config: 'assay.yaml',
      family: 'svcusd',
      series: 'apy',
      file: 'apy.json',
      percent: true,
      decimals: null,
    });
    expect(read('import-legacy --tvl t.csv --decimals 6 --family svcusd')).toMatchObject({
      series: 'tvl',
      file: 't.csv',
      decimals: 6,
    });
  });

  test('behavior: verify', () => {
    expect(read('verify')).toEqual({
      command: 'verify',
      config: 'assay.yaml',
      family: null,
      wallets: 20,
      seed: null,
    });
    expect(read('verify --family svcusd --wallets 0 --seed 7')).toMatchObject({
      family: 'svcusd',
      wallets: 0,
      seed: '7',
    });
  });

  test('behavior: init', () => {
    const vault = `0x${'Ab'.repeat(20)}`;
    const line = `init --rpc https://a.example --chain 1=http://b.example/x=1 --vault ${vault} --vault base:${vault}`;
    expect(read(`${line} --feed usdc-usd=8453:${vault} --config a.yaml --yes`)).toEqual({
      command: 'init',
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
    expect(read(line)).toMatchObject({ config: 'assay.yaml', feeds: [], yes: false });
  });

  test('error: init never repeats a URL', () => {
    const vault = `--vault 0x${'ab'.repeat(20)}`;
    for (const line of [
      `--rpc ws://k3y.example ${vault}`,
      `--chain x=http://k3y.example ${vault}`,
    ]) {
      expect(refusal(`init ${line}`)).not.toContain('k3y');
    }
  });

  test('behavior: help and version', () => {
    expect(read('--version')).toEqual({ command: 'version' });
    for (const line of ['help', '--help', '-h']) {
      expect(read(line)).toMatchObject({
        command: 'help',
        text: expect.stringContaining('Usage: assay COMMAND'),
      });
    }
  });

  test.each(Object.keys(COMMANDS))('behavior: help for %s', (command) => {
    const text = expect.stringContaining(`Usage: assay ${command}`);
    expect(read(`${command} --help`)).toEqual({ command: 'help', text });
    expect(read(`help ${command}`)).toEqual({ command: 'help', text });
  });

  test('error: each refusal is one line with advice', () => {
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
      'verify --wallets many',
      'verify --wallets 1000000',
      'init',
      'init --rpc http://a.example',
      'init --rpc a.example --vault 0x00',
      'init --chain http://a.example --vault 0x00',
      'init --rpc http://a.example --vault 0x00',
      `init --rpc http://a.example --vault 0x${'ab'.repeat(20)} --feed usdc-usd`,
    ];
    expect(Object.fromEntries(lines.map((line) => [line, refusal(line)]))).toMatchSnapshot();
  });
});
