import { readdirSync, readFileSync } from 'node:fs';
import {
  type Abi,
  type AbiEvent,
  encodeAbiParameters,
  encodeEventTopics,
  parseAbiItem,
  toEventSelector,
} from 'viem';
import { describe, expect, test } from 'vitest';
import type { RawLog } from '../../chain/chainClient.ts';
import type { AdapterName } from '../../config/config.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import type { VaultOnChain } from '../kind.ts';
import { createGovernance, type Governance, layoutsOf } from './governance.ts';
import { SIGNATURES } from './signatures.ts';

const VAULT = '0x00000000000000000000000000000000000000a1';
const TIMELOCK = '0x00000000000000000000000000000000000000b2';
const OTHER = '0x00000000000000000000000000000000000000c3';
const ALICE = '0x1111111111111111111111111111111111111111';
const BOB = '0x2222222222222222222222222222222222222222';
const WORD: Hex = `0x${'ab'.repeat(32)}`;
const PLACE = { blockTime: 1_000, chainId: 1, blockNumber: 5, logIndex: 2 };
const OPENZEPPELIN = new URL(
  '../../../../node_modules/@openzeppelin/contracts/build/contracts/',
  import.meta.url,
);
const MODELS = new URL('../../../test/realVaults/contracts/', import.meta.url);
const KINDS = Object.keys(SIGNATURES) as AdapterName[];

function governance(adapter: AdapterName, events: readonly string[] = []): Governance {
  const watch = [{ contract: TIMELOCK, events: events.map((event) => ({ event })) }];
  const chain = { address: VAULT, ...(adapter === 'rated' && { rated: { watch } }) };
  const found = { vaults: [VAULT], oracle: null };
  const vault = { family: { adapter }, chain, share: VAULT, found } as unknown as VaultOnChain;
  return createGovernance(vault, { addresses: [VAULT], topics: [] });
}

/** A log as the contract with this ABI emits it. */
function emit(event: AbiEvent, args: readonly unknown[], address: Address = VAULT): RawLog {
  const named = event.inputs.map((input, i) => ({ ...input, name: `a${i}`, value: args[i] }));
  const topics = encodeEventTopics({
    abi: [{ ...event, inputs: named }],
    args: Object.fromEntries(named.map(({ name, value }) => [name, value])),
  } as never) as Hex[];
  const plain = named.filter(({ indexed }) => indexed !== true);
  const data = encodeAbiParameters(plain, plain.map(({ value }) => value) as never);
  return {
    ...{ address, topics, data, blockNumber: 5, blockHash: WORD, transactionHash: WORD },
    ...{ logIndex: 2, blockTime: null },
  };
}

function declared(text: string): AbiEvent {
  return parseAbiItem<string>(text) as AbiEvent;
}

function openZeppelin(name: string): readonly AbiEvent[] {
  const { abi } = JSON.parse(readFileSync(new URL(`${name}.json`, OPENZEPPELIN), 'utf8'));
  return (abi as Abi).filter((item) => item.type === 'event');
}

/** Returns a sample value of a type; an address is the vault. */
function sample({ type }: { readonly type: string }): unknown {
  if (type === 'address') return VAULT;
  if (type === 'bool') return true;
  if (type === 'bytes') return '0x010203';
  if (type.startsWith('bytes')) return WORD.slice(0, 2 + Number(type.slice(5)) * 2);
  return Number(type.replace(/\D/g, '')) <= 48 ? 7 : 7n;
}

function find(name: string, event: string): AbiEvent {
  return openZeppelin(name).find((one) => one.name === event)!;
}

describe('governance events', () => {
  test.each([
    ['Ownable2Step', 'erc4626', []],
    ['AccessControlDefaultAdminRules', 'receiver-queue', []],
    ['Pausable', 'erc7540', []],
    ['IERC1967', 'rated', []],
    ['TimelockController', 'rated', ['CallSalt']],
    ['AccessManaged', 'erc4626', []],
    ['AccessManager', 'rated', ['RoleLabel']],
  ] as const)('default: every event of OpenZeppelin %s (%s)', (name, adapter, without) => {
    const { read } = governance(adapter);
    const events = openZeppelin(name);
    expect(events.length).toBeGreaterThan(0);
    const unread = events.filter((event) => {
      const change = read(emit(event, event.inputs.map(sample)), PLACE);
      return change?.event !== event.name || change.kind === 'other';
    });
    expect(unread.map((event) => event.name)).toEqual(without);
  });

  test('default: values of OpenZeppelin events', () => {
    const { read } = governance('rated');
    const of = (name: string, event: string, ...args: unknown[]) =>
      read(emit(find(name, event), args), PLACE);
    expect(of('Ownable2Step', 'OwnershipTransferred', ALICE, BOB)).toEqual({
      ...{ place: PLACE, txHash: WORD, contract: VAULT, kind: 'owner' },
      ...{ event: 'OwnershipTransferred', subject: null, oldValue: ALICE, newValue: BOB },
      effectiveAt: null,
    });
    expect(of('AccessControl', 'RoleRevoked', WORD, ALICE, BOB)).toMatchObject({
      ...{ kind: 'role', subject: WORD, oldValue: ALICE, newValue: null },
    });
    const scheduled = [WORD, 0n, VAULT, 0n, '0x01020304', WORD, 600n];
    expect(of('TimelockController', 'CallScheduled', ...scheduled)).toMatchObject({
      ...{ kind: 'timelock', subject: WORD, newValue: '0x01020304', effectiveAt: 1_600 },
    });
    expect(
      of('AccessControlDefaultAdminRules', 'DefaultAdminTransferScheduled', BOB, 2_000),
    ).toMatchObject({ kind: 'owner', newValue: BOB, effectiveAt: 2_000 });
  });

  test.each([
    [
      'erc4626',
      'event SetCap(address indexed caller, bytes32 indexed id, uint256 cap)',
      [ALICE, WORD, 5n],
      { kind: 'cap', subject: WORD, newValue: '5' },
    ],
    [
      'erc4626',
      'event SetSupplyQueue(address indexed caller, bytes32[] queue)',
      [ALICE, [WORD, WORD]],
      { kind: 'allocation', subject: null, newValue: `${WORD},${WORD}` },
    ],
    [
      'erc4626',
      'event Submit(bytes4 indexed selector, bytes data, uint256 executableAt)',
      ['0x01020304', '0x0102', 2n ** 256n - 1n],
      { kind: 'timelock', subject: '0x01020304', newValue: '0x0102', effectiveAt: null },
    ],
    [
      'erc4626',
      'event RoleSet(address indexed account, uint256 indexed role)',
      [ALICE, 256n],
      { kind: 'role', subject: ALICE, newValue: '256' },
    ],
    [
      'erc7540',
      'event RatesUpdated((uint16, uint16) old, (uint16, uint16) next, uint256 at)',
      [[1, 2], [3, 4], 9n],
      { kind: 'fee', oldValue: '1,2', newValue: '3,4', effectiveAt: 9 },
    ],
    [
      'receiver-queue',
      'event FeeRecipientUpdated(address before, address next)',
      [ALICE, BOB],
      { kind: 'fee', oldValue: ALICE, newValue: BOB },
    ],
    [
      'rated',
      'event RateProviderUpdated(address asset, bool isPegged, address provider)',
      [ALICE, true, BOB],
      { kind: 'oracle', subject: ALICE, newValue: BOB },
    ],
  ] as const)('default: %s: %s', (adapter, signature, args, expected) => {
    const log = emit(declared(signature), args);
    expect(governance(adapter).read(log, PLACE)).toMatchObject(expected);
  });

  test('default: the events of the contract models have the topics of the table', () => {
    const compared: string[] = [];
    for (const adapter of KINDS) {
      const layouts = layoutsOf(adapter);
      const known = new Set(layouts.map(({ topic, topics }) => `${topic} ${topics}`));
      for (const event of modelEvents(adapter)) {
        if (!layouts.some((layout) => layout.event === event.name)) continue;
        const topics = 1 + event.inputs.filter(({ indexed }) => indexed === true).length;
        const key = `${toEventSelector(event)} ${topics}`;
        expect(known, `${adapter}: ${event.name}`).toContain(key);
        compared.push(event.name);
      }
    }
    expect(compared).toEqual(
      expect.arrayContaining(['SetCap', 'StrategyChanged', 'FeeRecipientUpdated']),
    );
  });

  test('behavior: no two events of a kind have the same topic and number of topics', () => {
    for (const adapter of KINDS) {
      const keys = layoutsOf(adapter).map(({ topic, topics }) => `${topic} ${topics}`);
      expect(new Set(keys).size).toBe(keys.length);
      // Providers accept 1,000 topics; see docs/decisions.
      expect(keys.length).toBeLessThan(200);
    }
    const all = KINDS.flatMap((adapter) => Object.values(SIGNATURES[adapter]));
    for (const text of all.flatMap((one) => Object.values(one).flat())) {
      expect(toEventSelector(declared(`event ${text}`)), text).toBe(
        toEventSelector(`event ${text}`),
      );
    }
  });

  test('behavior: an event of a shared contract counts only if it concerns this family', () => {
    const { read } = governance('rated');
    const call = (target: Address) =>
      emit(find('TimelockController', 'CallExecuted'), [WORD, 0n, target, 0n, '0x'], TIMELOCK);
    expect(read(call(VAULT), PLACE)).toMatchObject({ contract: TIMELOCK });
    expect(read(call(TIMELOCK), PLACE)).toBeDefined();
    expect(read(call(OTHER), PLACE)).toBeUndefined();
  });

  test('behavior: events that only the file lists', () => {
    const text = 'RejectRequest(uint256 indexed requestId, address indexed user)';
    const { read, addresses, topics } = governance('rated', [text]);
    expect(addresses).toEqual([VAULT, TIMELOCK]);
    const log = emit(declared(`event ${text}`), [3n, ALICE], TIMELOCK);
    expect(topics).toContain(log.topics[0]);
    expect(read(log, PLACE)).toMatchObject({
      ...{ kind: 'other', event: 'RejectRequest', subject: null, newValue: `3,${ALICE}` },
    });
    expect(read({ ...log, address: VAULT }, PLACE)).toBeUndefined();
    expect(governance('rated').rules).not.toBe(governance('rated', [text]).rules);
  });

  test('error: a log with only the topic is not a change', () => {
    const { read } = governance('erc4626');
    const log = emit(find('Pausable', 'Paused'), [ALICE]);
    expect(read({ ...log, data: '0x' }, PLACE)).toBeUndefined();
    expect(read({ ...log, topics: [...log.topics, WORD] }, PLACE)).toBeUndefined();
    expect(read({ ...log, topics: [WORD] }, PLACE)).toBeUndefined();
  });

  test('behavior: a value that is too long is cut', () => {
    const { read } = governance('erc4626');
    const submit = declared('event Submit(bytes4 indexed selector, bytes data, uint256 at)');
    const change = read(emit(submit, ['0x01020304', `0x${'00'.repeat(9_000)}`, 1n]), PLACE);
    expect(change?.newValue).toHaveLength(4_097);
    expect(change?.newValue).toMatch(/^0x0+…$/);
  });
});

const MODELS_OF: Readonly<Record<AdapterName, RegExp>> = {
  erc4626: /MetaMorpho|MorphoV2|Yearn|Ethena|IporFusion/,
  erc7540: /Lagoon|Centrifuge/,
  'receiver-queue': /Yo\./,
  rated: /Veda|Midas|Ondo|Superstate|Concrete|EtherFi|Lido/,
};

/** The events in a kind's models whose fields are elementary. */
function modelEvents(adapter: AdapterName): AbiEvent[] {
  const files = readdirSync(MODELS).filter((file) => MODELS_OF[adapter].test(file));
  const texts = files.map((file) => readFileSync(new URL(file, MODELS), 'utf8'));
  return texts
    .flatMap((text) => [...text.matchAll(/^\s*(event \w+\([^)]*\));/gm)])
    .flatMap(([, text]) => {
      try {
        return [declared(text!.replace(/\s+/g, ' '))];
      } catch {
        return [];
      }
    });
}
