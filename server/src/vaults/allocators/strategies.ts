import { addressAt, fn } from '../../chain/abi.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import { POOL_STATUS, VENUE } from '../../domain/vault/event.ts';
import { POOL_SHARES } from '../../domain/vault/state.ts';
import { addressIn, numberIn } from '../callResult.ts';
import type { Rounds, VaultOnChain } from '../kind.ts';
import type { AllocatorName } from '../recognize/allocator.ts';
import type { AllocatedPool, Allocation, Allocator } from './allocator.ts';

type Encode = (...args: readonly (bigint | Hex)[]) => Hex;

/** A vault that lists contracts with its assets, each with a value that can be read. */
export interface StrategyList {
  readonly name: AllocatorName;
  readonly kind: string;
  /** The list's length and its entries one by one, or all in one result. */
  readonly list: { readonly length: Encode; readonly at: Encode } | { readonly all: Encode };
  /** The value of one entry, read from the vault or from the strategy. */
  readonly value: {
    readonly of: 'vault' | 'strategy';
    readonly call: Encode;
    readonly word: number;
  };
  /** The vault's idle assets: read by a call, its balance, or not counted. */
  readonly idle: Encode | 'balance' | 'uncounted';
  /** The entries are vaults, of which the vault holds shares. */
  readonly areVaults: boolean;
}

export const STRATEGY_LISTS: readonly StrategyList[] = [
  {
    name: 'Morpho Vault V2',
    kind: 'morpho-v2',
    list: { length: fn('adaptersLength()'), at: fn('adapters(uint256)') },
    value: { of: 'strategy', call: fn('realAssets()'), word: 0 },
    idle: 'balance',
    areVaults: false,
  },
  {
    name: 'Yearn V3',
    kind: 'yearn',
    list: { all: fn('get_default_queue()') },
    value: { of: 'vault', call: fn('strategies(address)'), word: 2 },
    idle: fn('totalIdle()'),
    areVaults: true,
  },
  {
    name: 'Euler Earn',
    kind: 'euler-earn',
    list: { length: fn('withdrawQueueLength()'), at: fn('withdrawQueue(uint256)') },
    value: { of: 'vault', call: fn('expectedSupplyAssets(address)'), word: 0 },
    idle: 'uncounted',
    areVaults: true,
  },
];

const convertToAssets = fn('convertToAssets(uint256)');
/** A longer queue is the result of some other function. */
const MAX_STRATEGIES = 256n;

/** Reads each strategy as a pool of unknown composition. */
export function strategies(
  { name, kind, list, value, idle, areVaults }: StrategyList,
  { chain }: Omit<VaultOnChain, 'found'>,
): Allocator {
  const vault = chain.address;
  return { name, read };

  function* read(): Rounds<Allocation | null> {
    const entries = yield* readList();
    if (entries === null) return null;
    const asked = entries.map((one) => {
      const to = value.of === 'vault' ? vault : one;
      return { to, data: value.of === 'vault' ? value.call(one) : value.call() };
    });
    const prices = areVaults
      ? entries.map((to) => ({ to, data: convertToAssets(POOL_SHARES) }))
      : [];
    const own = typeof idle === 'string' ? [] : [{ to: vault, data: idle() }];
    const answers = yield [...asked, ...prices, ...own];
    const values = entries.map((_, i) => numberIn(answers[i], value.word));
    const held = own.length === 0 ? 0n : numberIn(answers.at(-1));
    if (values.includes(null) || held === null) return null;
    const pools = entries.map((one, i) => {
      const price = areVaults ? numberIn(answers[entries.length + i]) : null;
      return poolOf(one, values[i]!, price);
    });
    return { pools, idle: idle === 'balance' ? null : held };
  }

  function* readList(): Rounds<Address[] | null> {
    if ('all' in list) {
      const [answer] = yield [{ to: vault, data: list.all() }];
      const length = numberIn(answer, 1);
      if (length === null || length > MAX_STRATEGIES) return null;
      return Array.from({ length: Number(length) }, (_, i) => addressAt(answer!, i + 2));
    }
    const length = numberIn((yield [{ to: vault, data: list.length() }])[0]);
    if (length === null || length > MAX_STRATEGIES) return null;
    const entries = yield Array.from({ length: Number(length) }, (_, i) => ({
      to: vault,
      data: list.at(BigInt(i)),
    }));
    const found = entries.map(addressIn);
    return found.includes(null) ? null : (found as Address[]);
  }

  function poolOf(venue: Address, worth: bigint, price: bigint | null): AllocatedPool {
    const poolId = venue.padEnd(66, '0') as Hex;
    return {
      pool: {
        poolId,
        offchainId: `${chain.chainId}:${kind}:${venue}`,
        venue,
        venueKind: VENUE.plain,
        idleOnly: false,
        status: POOL_STATUS.active,
        riskScore: 0,
        epoch: 0,
        name: `${name} ${venue.slice(0, 10)}`,
        protocolName: name,
        composition: null,
      },
      state: {
        poolId,
        value: worth,
        pendingExit: 0n,
        availableLiquidity: null,
        // Without a price no rate can be computed, so the price is constant.
        sharePrice: price ?? POOL_SHARES,
        statedRate: null,
        rewardPerYear: 0n,
      },
    };
  }
}
