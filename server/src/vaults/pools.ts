import { addressAt, eventTopic, fn, stringAt, wordAt } from '../chain/abi.ts';
import type { Call, RawLog } from '../chain/chainClient.ts';
import { mulDivDown } from '../domain/amount.ts';
import type { Address } from '../domain/hex.ts';
import type { LogPlace } from '../domain/order.ts';
import { YEAR } from '../domain/time.ts';
import { type PoolDeclaration, type VaultEvent, VENUE } from '../domain/vault/event.ts';
import { POOL_SHARES, type PoolState } from '../domain/vault/state.ts';
import type { CallResult, Detail, LastBalances } from './kind.ts';

export const POOL_DECLARED = eventTopic(
  'event PoolDeclared(address indexed vault, bytes32 indexed id, string offchainId, uint256 chainId, address venue, uint8 venueKind, bool idleOnly, uint8 status, uint8 riskScore, uint64 epoch)',
);

const balanceOf = fn('balanceOf(address)');
const maxWithdraw = fn('maxWithdraw(address)');
const statedRate = fn('statedRate()');
const pendingExitAssets = fn('pendingExitAssets(address)');
const rewardRate = fn('rewardRate()');
const totalSupply = fn('totalSupply()');
const convertToAssets = fn('convertToAssets(uint256)');

/** A registry declares the pools of its own chain; one that names another chain belongs to another source. */
export function decodePool(log: RawLog, place: LogPlace): VaultEvent | undefined {
  const { data } = log;
  if (wordAt(data, 1) !== BigInt(place.chainId)) return undefined;
  return {
    kind: 'pool',
    place,
    txHash: log.transactionHash,
    poolId: log.topics[2]!,
    offchainId: stringAt(data, 0),
    venue: addressAt(data, 2),
    venueKind: smallAt(data, 3),
    idleOnly: wordAt(data, 4) !== 0n,
    status: smallAt(data, 5),
    riskScore: smallAt(data, 6),
    epoch: epochAt(data, 7),
  };
}

/** A uint8. */
function smallAt(data: string, index: number): number {
  return Number(BigInt.asUintN(8, wordAt(data, index)));
}

/** Epochs above the largest exact number count as one, and the later log is in force. */
function epochAt(data: string, index: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Number(wordAt(data, index)));
}

/** The calls of both batches for a vault's pools, and how to decode their results. */
export interface PoolsRead {
  readonly first: readonly Call[];
  second(first: readonly CallResult[]): Call[];
  /** Null if any pool cannot be read: a missing pool must not look like an empty one. */
  states(first: readonly CallResult[], second: readonly CallResult[]): PoolState[] | null;
}

/**
 * The value of a position is read by its balance, which is only known afterwards: the first batch uses the last known
 * balance, and the second repeats the few that have changed.
 */
export function readPools(
  pools: readonly PoolDeclaration[],
  holder: Address,
  detail: Detail,
  lastBalances: LastBalances,
): PoolsRead {
  const guesses = pools.map(({ venue }) => lastBalances.get(venue) ?? 0n);
  const calls = pools.map((pool, i) => firstCalls(pool, holder, guesses[i]!, detail));
  const starts = calls.map((_, i) => calls.slice(0, i).flat().length);
  const answersOf = (first: readonly CallResult[], i: number) =>
    first.slice(starts[i]!, starts[i]! + calls[i]!.length);
  const balanceIn = (first: readonly CallResult[], i: number) => {
    const [balance] = answersOf(first, i);
    return balance ? wordAt(balance, 0) : guesses[i]!;
  };
  return {
    first: calls.flat(),
    second: (first) =>
      pools.flatMap(({ venue }, i) => {
        const balance = balanceIn(first, i);
        if (balance === guesses[i]) return [];
        lastBalances.set(venue, balance);
        return [{ to: venue, data: convertToAssets(balance) }];
      }),
    states(first, second) {
      const changed = [...second];
      const states = pools.map((pool, i) => {
        const [balance, guessed, ...rest] = answersOf(first, i);
        const value = balanceIn(first, i) === guesses[i] ? guessed : changed.shift();
        return stateOf(pool, balance ?? null, value ?? null, rest, detail);
      });
      return states.every((state) => state !== null) ? states : null;
    },
  };
}

/** The order is that of `states` and `stateOf`. */
function firstCalls(
  { venue, venueKind }: PoolDeclaration,
  holder: Address,
  guess: bigint,
  detail: Detail,
): Call[] {
  const data = [balanceOf(holder), convertToAssets(guess), convertToAssets(POOL_SHARES)];
  if (detail === 'full') data.push(maxWithdraw(holder), statedRate());
  if (venueKind === VENUE.exitQueue) data.push(pendingExitAssets(holder));
  if (venueKind === VENUE.rewards) data.push(rewardRate(), totalSupply());
  return data.map((one) => ({ to: venue, data: one }));
}

function stateOf(
  pool: PoolDeclaration,
  balance: CallResult,
  value: CallResult,
  answers: readonly CallResult[],
  detail: Detail,
): PoolState | null {
  const [price, ...rest] = answers;
  const [liquidity, rate] = detail === 'full' ? rest.splice(0, 2) : [];
  // A venue may omit its rate and its liquidity; everything else is required.
  if (!balance || !price || !value || rest.includes(null)) return null;
  return {
    poolId: pool.poolId,
    value: wordAt(value, 0),
    pendingExit: pool.venueKind === VENUE.exitQueue ? wordAt(rest[0]!, 0) : 0n,
    availableLiquidity: liquidity ? wordAt(liquidity, 0) : null,
    sharePrice: wordAt(price, 0),
    statedRate: rate ? wordAt(rate, 0) : null,
    rewardPerYear: pool.venueKind === VENUE.rewards ? reward(balance, rest[0]!, rest[1]!) : 0n,
  };
}

/** What the venue streams to all holders, proportionally. */
function reward(balance: string, rate: string, supply: string): bigint {
  const shares = wordAt(supply, 0);
  if (shares === 0n) return 0n;
  return mulDivDown(wordAt(rate, 0) * BigInt(YEAR), wordAt(balance, 0), shares);
}
