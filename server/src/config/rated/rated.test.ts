import { readFileSync } from 'node:fs';
import { toEventSelector } from 'viem';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../load.ts';
import { parsePreset } from '../presets.ts';
import { ConfigError } from '../problem.ts';
import type { RatedFile } from './merge.ts';
import { toRated } from './resolve.ts';

const SHARE = '0x00000000000000000000000000000000000000a1';
const QUEUE = '0x00000000000000000000000000000000000000b2';
const TOKEN = '0x00000000000000000000000000000000000000c3';

const FILE = `chains:
  - { id: 1, name: ethereum, rpc: [http://127.0.0.1:1] }
families:
  - slug: reth
    name: Staked
    address: '${SHARE}'
    adapter: rated
    base: { marketDataId: ethereum }
    share: { marketDataId: reth }
    chains:
      - chain: 1
        role: settlement
        rated:
          contracts: { queue: '${QUEUE}' }
          rate: { contract: share, call: 'getRate() returns (uint256)', decimals: 18 }
          unit: { currency: ETH, decimals: 18 }
          flows:
            - action: deposit
              event: 'Minted(address indexed to, uint256 amount, uint256 eth)'
              owner: to
              shares: amount
              assets: eth
            - action: settle
              contract: queue
              event: 'Finalized(uint256 indexed from, uint256 indexed to, uint256 time)'
              idFrom: from
              idTo: to
          custody: [queue]
`;

function load(text: string) {
  return parseConfig({ file: 'assay.yaml', text, env: {} });
}

function mistakesOf(text: string): string[] {
  try {
    load(text);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('a description', () => {
  test('default: roles become addresses, fields become places', () => {
    const { rated } = load(FILE).families[0]!.chains[0]!;
    expect(rated).toMatchObject({
      share: SHARE,
      contracts: { queue: QUEUE },
      rate: { kind: 'call', contract: SHARE, data: '0x679aefce', answer: 0, decimals: 18 },
      unit: { kind: 'currency', currency: 'ETH', decimals: 18 },
      custody: [QUEUE],
      watch: [],
    });
    expect(rated?.ledger).toMatchObject({
      topic: toEventSelector('Transfer(address,address,uint256)'),
      topics: 3,
      from: { topic: 1 },
      to: { topic: 2 },
      shares: { word: 0 },
    });
    expect(rated?.flows.map(({ contract, topics, fields }) => [contract, topics, fields])).toEqual([
      [SHARE, 2, { owner: { topic: 1 }, shares: { word: 0 }, assets: { word: 1 } }],
      [QUEUE, 3, { idFrom: { topic: 1 }, idTo: { topic: 2 } }],
    ]);
  });

  test.each([
    [
      'a role without an address',
      `contracts: { queue: '${QUEUE}' }`,
      'contracts: {}',
      'contracts.queue is missing',
    ],
    [
      'a role that is not used',
      'contracts: {',
      `contracts: { queu: '${TOKEN}',`,
      'did you mean queue?',
    ],
    [
      'a field that the event lacks',
      'owner: to',
      'owner: too',
      'flows[0].owner is not a field of the event; it has to, amount, eth',
    ],
    [
      'a field of another type',
      'owner: to',
      'owner: amount',
      'of type uint256, which cannot be owner',
    ],
    [
      'no event',
      'address indexed to, uint256 amount, uint256 eth',
      'adress indexed to',
      'flows[0].event is not the signature of an event',
    ],
    [
      'a rate without decimals',
      ', decimals: 18 }\n          unit',
      ' }\n          unit',
      'rate.decimals is missing',
    ],
    [
      'an age without a time',
      "(uint256)', decimals: 18",
      "(uint256)', decimals: 18, maxAge: 60",
      'rate.maxAge needs updatedAt',
    ],
    [
      'two ways to a rate',
      'rate: {',
      'rate: { feed: queue,',
      'exactly one of call, feed and fixed',
    ],
    [
      'a constant of zero',
      "{ contract: share, call: 'getRate() returns (uint256)', decimals: 18 }",
      "{ fixed: '0.00' }",
      'rate.fixed is zero',
    ],
    ['half a range', 'idTo: to', '', 'flows[1] needs both idFrom and idTo'],
    [
      'a fee of a deposit',
      'assets: eth',
      'assets: eth\n              assetsFee: eth',
      'flows[0] has a fee in assets, which is for an exit or a request with assets',
    ],
    [
      'no unit',
      'unit: { currency: ETH, decimals: 18 }',
      'unit: {}',
      'rated.unit must have either token or currency',
    ],
    ['another adapter', 'adapter: rated', 'adapter: erc4626', 'is only for adapter rated'],
    [
      'no such preset',
      'adapter: rated',
      'adapter: rated\n    preset: nothing-like-it',
      'which is not a preset',
    ],
  ])('error: %s, with its line', (_, right, wrong, message) => {
    expect(FILE).toContain(right);
    const mistakes = mistakesOf(FILE.replace(right, wrong));
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toMatch(/^assay\.yaml:\d+: /);
    expect(mistakes[0]).toContain(message);
  });

  test('behavior: the one of docs/own-vaults.md loads', () => {
    const guide = readFileSync(new URL('../../../../docs/own-vaults.md', import.meta.url), 'utf8');
    const [, families] = /```yaml\n([\s\S]*?)```/.exec(guide)!;
    const [family] = load(families!).families;
    expect(family!.chains[0]!.rated!.flows.map(({ action }) => action)).toEqual([
      ...['deposit', 'request', 'claim'],
    ]);
  });

  test('error: an event that two flows of one contract share', () => {
    const twice = FILE.replace(
      '          custody: [queue]',
      `            - { action: exit, event: 'Minted(address indexed to, uint256 amount, uint256 eth)', shares: amount }
          custody: [queue]`,
    );
    expect(mistakesOf(twice)).toEqual([
      expect.stringMatching(/^assay\.yaml:\d+: .*flows\[2\]\.event is the event of flows\[0\] too/),
    ]);
  });
});

const PRESET = parsePreset(
  'test.yaml',
  `system: Test
source: example/contracts
version: '1'
exact: Everything.
traps: []
contracts:
  accountant: { is: 'the accountant, which has the rate', call: 'accountant() returns (address)' }
  queue: { is: the queue }
rated:
  rate: { contract: accountant, call: 'getRate() returns (uint256)', decimals: unit }
  unit: { token: '${TOKEN}' }
  flows:
    - { action: deposit, event: 'In(address indexed who, uint256 shares)', owner: who, shares: shares }
    - { action: request, contract: queue, event: 'Asked(address indexed who, uint256 shares)', owner: who, shares: shares }
  custody: [queue]
`,
);

function withPreset(own: RatedFile) {
  const problems: string[] = [];
  const found = toRated({
    address: SHARE,
    share: undefined,
    preset: { name: 'test', read: PRESET },
    own,
    paths: { family: 'families[0]', chain: 'families[0].chains[0]' },
    fail: (path, message) => void problems.push(`${path} ${message}`),
  });
  return { found, problems };
}

describe('a preset', () => {
  const contracts = { accountant: SHARE, queue: QUEUE };

  test('default: takes the addresses from the file', () => {
    const { found, problems } = withPreset({ contracts });
    expect(problems).toEqual([]);
    expect(found).toMatchObject({
      preset: 'test',
      fromPreset: ['rate', 'unit', 'flows', 'custody'],
      unit: { kind: 'token', token: TOKEN },
      custody: [QUEUE],
    });
    expect(found?.flows).toHaveLength(2);
  });

  test('behavior: is overridden key by key', () => {
    const { found } = withPreset({
      contracts,
      rate: { decimals: 8 },
      unit: { currency: 'USD', decimals: 6 },
    });
    expect(found).toMatchObject({
      rate: { kind: 'call', data: '0x679aefce', decimals: 8 },
      unit: { kind: 'currency', currency: 'USD', decimals: 6 },
    });
    const { found: fed } = withPreset({
      contracts: { queue: QUEUE },
      rate: { feed: TOKEN, maxAge: 60 },
    });
    expect(fed?.rate).toEqual({ kind: 'feed', contract: TOKEN, inverse: false, maxAge: 60 });
  });

  test('behavior: leaves out parts that name a missing contract', () => {
    const { found, problems } = withPreset({ contracts: { accountant: SHARE, queue: 'none' } });
    expect(problems).toEqual([]);
    expect(found).toMatchObject({ custody: [], flows: [{ action: 'deposit' }] });
  });

  test('error: reports a role without an address, with its description', () => {
    const { problems } = withPreset({ contracts: { queue: QUEUE } });
    expect(problems).toEqual([
      'families[0].chains[0].rated.contracts.accountant is missing: it is the accountant, which has the rate, and "assay init" finds what the chain names',
    ]);
  });
});
