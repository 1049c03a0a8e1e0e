import { describe, expect, test } from 'vitest';
import type { Call, ChainClient } from '../../chain/chainClient.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import { POOL_STATUS, type PoolDeclaration, VENUE } from '../../domain/vault/event.ts';
import type { FamilyState } from '../../domain/vault/state.ts';
import { KINDS } from '../../vaults/index.ts';
import type { Detail, VaultOnChain } from '../../vaults/kind.ts';
import { readStates } from './stateReads.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const VAULT = address('1');
const VENUE_ADDRESS = address('9');
const BALANCE_OF = '0x70a08231';
const CONVERT = '0x07a2d13a';
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;

function vault(adapter: VaultOnChain['family']['adapter']): VaultOnChain {
  return {
    family: { address: VAULT, adapter, pools: [] },
    chain: { chainId: 1, address: VAULT, routers: [] },
    master: null,
    asset: address('3'),
    assetDecimals: 6,
    share: VAULT,
    shareDecimals: 6,
    found: {
      vaults: [VAULT],
      sameAsset: new Set([VAULT]),
      severalAssets: false,
      custody: [],
      ratioAmounts: [10n ** 33n, 10n ** 6n],
      allocator: null,
      oracle: { address: address('2'), entry: VAULT },
    },
  } as unknown as VaultOnChain;
}

function pool(venueKind: number): PoolDeclaration {
  return {
    poolId: word(7n),
    offchainId: 'base:lending:one',
    venue: VENUE_ADDRESS,
    venueKind,
    idleOnly: false,
    status: POOL_STATUS.active,
    riskScore: 0,
    epoch: 1,
  };
}

/** Returns the same for every call, with exceptions. */
function client(answer: (call: Call) => Hex | null): ChainClient {
  return {
    multicall: async (calls: readonly Call[]) => calls.map(answer),
  } as unknown as ChainClient;
}

async function stateOf(
  adapter: VaultOnChain['family']['adapter'],
  answer: (call: Call) => Hex | null,
  pools: readonly PoolDeclaration[] = [],
  detail: Detail = 'full',
  balances = new Map<Address, bigint>(),
) {
  const read = readOf(adapter, pools, detail, balances);
  const [state] = await readStates(client(answer), 5, [read]);
  return 'unread' in state! ? null : state!;
}

function readOf(
  adapter: VaultOnChain['family']['adapter'],
  pools: readonly PoolDeclaration[] = [],
  detail: Detail = 'full',
  lastBalances = new Map<Address, bigint>(),
) {
  const queued = {
    ...{ pendingShares: 0n, claimableAssets: 0n },
    ...{ pendingDeposits: 0n, claimableDeposits: 0n },
  };
  const input = { block: 5, time: 500, detail, pools, lastBalances, queued, waiters: [] };
  return KINDS[adapter].state(vault(adapter), input);
}

const NAMES = ['receiver-queue', 'erc4626', 'erc7540'] as const;

describe('readStates', () => {
  test('default', async () => {
    const state = await stateOf('receiver-queue', () => word(5n), [pool(VENUE.plain)]);
    expect(state).toMatchObject({ idle: 5n, invested: 5n, pendingExits: 0n, sharePrice: 5n });
  });

  test.each(NAMES)(
    'behavior: %s at an address without a contract is unreadable, not an error',
    async (name) => {
      expect(await stateOf(name, () => '0x')).toBeNull();
      expect(await stateOf(name, () => null)).toBeNull();
      expect(await stateOf(name, () => '0x1234')).toBeNull();
    },
  );

  test.each([VENUE.plain, VENUE.exitQueue, VENUE.rewards])(
    'behavior: a venue of kind %d that is gone leaves the family unread',
    async (kind) => {
      for (const silent of ['0x', null] as const) {
        const answer = (call: Call) => (call.to === VENUE_ADDRESS ? silent : word(5n));
        for (const detail of ['full', 'lean'] as const) {
          expect(await stateOf('receiver-queue', answer, [pool(kind)], detail)).toBeNull();
        }
      }
    },
  );

  test('behavior: a result that does not fit its column counts as missing', async () => {
    const huge = word(2n ** 256n - 1n);
    const answer = (call: Call) => (call.to === VENUE_ADDRESS ? huge : word(5n));
    expect(await stateOf('receiver-queue', answer, [pool(VENUE.rewards)])).toBeNull();
    for (const name of NAMES) expect(await stateOf(name, () => huge)).toBeNull();
  });

  test('behavior: a missing price is unknown, not zero', async () => {
    const answer = (call: Call) => (call.data.startsWith(CONVERT) ? null : word(0n));
    const unpriced = { sharePrice: null, ratio: null, idle: 0n };
    expect(await stateOf('receiver-queue', answer)).toMatchObject(unpriced);
    // Shares that never had a price have no known value.
    const supplied = (call: Call) => (call.data.startsWith(CONVERT) ? null : word(5n));
    expect(await stateOf('receiver-queue', supplied)).toBeNull();
  });

  test('behavior: a changed holding is valued at its current amount', async () => {
    const balances = new Map<Address, bigint>();
    const worthTwice = (held: bigint) => (call: Call) => {
      const argument = BigInt(`0x${call.data.slice(10) || '0'}`);
      if (call.to !== VENUE_ADDRESS) return word(0n);
      return word(call.data.startsWith(BALANCE_OF) ? held : argument * 2n);
    };
    for (const held of [40n, 40n, 70n, 0n, 70n]) {
      const state = await stateOf(
        'receiver-queue',
        worthTwice(held),
        [pool(VENUE.plain), { ...pool(VENUE.plain), poolId: word(8n) }],
        'lean',
        balances,
      );
      expect(state!.pools.map(({ value }) => value)).toEqual([held * 2n, held * 2n]);
      expect(state!.invested).toBe(held * 4n);
    }
  });

  test('behavior: several families share the calls, and each gets its own results', async () => {
    const reads = NAMES.map((name) => readOf(name));
    let rounds = 0;
    const counting = {
      multicall: async (calls: readonly Call[]) => {
        rounds++;
        return calls.map((_, i) => word(BigInt(i + 1)));
      },
    } as unknown as ChainClient;
    const states = await readStates(counting, 5, reads);
    expect(rounds).toBe(1);
    expect(states.map((state) => (state as FamilyState).shareSupply)).toEqual([3n, 9n, 14n]);
  });
});
