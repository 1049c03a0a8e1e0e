import { addressAt, eventTopic, fn, stringAt, wordAt } from '../../chain/abi.ts';
import type { Call, RawLog } from '../../chain/chainClient.ts';
import { mulDivDown, unit } from '../../domain/amount.ts';
import type { Address } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import { YEAR } from '../../domain/time.ts';
import { type PoolDeclaration, type VaultEvent, VENUE } from '../../domain/vault/event.ts';
import type { PoolState } from '../../domain/vault/state.ts';
import type { CallResult } from './adapter.ts';

export const POOL_DECLARED = eventTopic(
  'event PoolDeclared(address indexed vault, bytes32 indexed id, string offchainId, uint256 chainId, address venue, uint8 venueKind, bool idleOnly, uint8 status, uint8 riskScore, uint64 epoch)',
);

const balanceOf = fn('balanceOf(address)');
const maxWithdraw = fn('maxWithdraw(address)');
const decimals = fn('decimals()');
const statedRate = fn('statedRate()');
const pendingExitAssets = fn('pendingExitAssets(address)');
const rewardRate = fn('rewardRate()');
const totalSupply = fn('totalSupply()');
const convertToAssets = fn('convertToAssets(uint256)');

/** A registry declares the pools of its own chain; one that names another chain is not for this source. */
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
    venueKind: Number(wordAt(data, 3)),
    idleOnly: wordAt(data, 4) !== 0n,
    status: Number(wordAt(data, 5)),
    riskScore: Number(wordAt(data, 6)),
    epoch: Number(wordAt(data, 7)),
  };
}

/** Calls per pool in the first round; the order is that of `poolStates`. */
const FIRST = 7;
const SECOND = 2;

export function firstPoolCalls(pools: readonly PoolDeclaration[], holder: Address): Call[] {
  return pools.flatMap(({ venue, venueKind }) => [
    { to: venue, data: balanceOf(holder) },
    { to: venue, data: maxWithdraw(holder) },
    { to: venue, data: decimals() },
    { to: venue, data: statedRate() },
    { to: venue, data: totalSupply() },
    // Asked only where the venue has it; the neighbour's cheap call keeps the layout fixed.
    { to: venue, data: venueKind === VENUE.exitQueue ? pendingExitAssets(holder) : decimals() },
    { to: venue, data: venueKind === VENUE.rewards ? rewardRate() : decimals() },
  ]);
}

export function secondPoolCalls(
  pools: readonly PoolDeclaration[],
  first: readonly CallResult[],
): Call[] {
  return pools.flatMap(({ venue }, index) => {
    const [balance, , shareDecimals] = first.slice(index * FIRST);
    return [
      { to: venue, data: convertToAssets(balance == null ? 0n : wordAt(balance, 0)) },
      {
        to: venue,
        data: convertToAssets(unit(shareDecimals == null ? 0 : Number(wordAt(shareDecimals, 0)))),
      },
    ];
  });
}

/** Null when any pool cannot be read: a missing pool must not look like an empty one. */
export function poolStates(
  pools: readonly PoolDeclaration[],
  first: readonly CallResult[],
  second: readonly CallResult[],
): PoolState[] | null {
  const states: PoolState[] = [];
  for (const [index, pool] of pools.entries()) {
    const [balance, liquidity, shareDecimals, rate, supply, exit, reward] = first.slice(
      index * FIRST,
    );
    const [value, sharePrice] = second.slice(index * SECOND);
    if (!balance || !liquidity || !shareDecimals || !supply || !exit || !reward || !value)
      return null;
    const held = wordAt(balance, 0);
    const shares = wordAt(supply, 0);
    const streamed = pool.venueKind === VENUE.rewards ? wordAt(reward, 0) * BigInt(YEAR) : 0n;
    states.push({
      poolId: pool.poolId,
      value: wordAt(value, 0),
      pendingExit: pool.venueKind === VENUE.exitQueue ? wordAt(exit, 0) : 0n,
      availableLiquidity: wordAt(liquidity, 0),
      sharePrice: sharePrice ? wordAt(sharePrice, 0) : null,
      statedRate: rate && rate.length >= 66 ? wordAt(rate, 0) : null,
      rewardPerYear: shares === 0n ? 0n : mulDivDown(streamed, held, shares),
    });
  }
  return states;
}
