import { fn } from '../../chain/abi.ts';
import type { Call } from '../../chain/chainClient.ts';
import type { RatedRate } from '../../config/rated/description.ts';
import { unit } from '../../domain/amount.ts';
import { DAY } from '../../domain/time.ts';
import type { Ratio } from '../../domain/vault/ratio.ts';
import { numberIn } from '../callResult.ts';
import type { CallResult, VaultOnChain } from '../kind.ts';
import { describedOf } from './described.ts';

const latestRoundData = fn('latestRoundData()');
const decimalsCall = fn('decimals()');
/** Index among its five values. */
const FEED = { answer: 1, updatedAt: 3 };
/** From here on a signed word is negative. */
const BELOW_ZERO = 1n << 255n;

/** A rate, or why there is none, which is neither zero nor the last rate. */
export type RateRead =
  /** `updatedAt` is absent if the contract states no time. */
  { readonly ratio: Ratio; readonly updatedAt?: number } | { readonly unread: string };

export function rateCalls(vault: VaultOnChain): Call[] {
  const { rate } = describedOf(vault);
  if (rate.kind === 'fixed') return [];
  // A feed with a new aggregator may have other decimals.
  if (rate.kind === 'feed') {
    return [latestRoundData(), decimalsCall()].map((data) => ({ to: rate.contract, data }));
  }
  const { contract: to, data, paused } = rate;
  return [{ to, data }, ...(paused === null ? [] : [{ to: paused.contract, data: paused.data }])];
}

/** Returns the rate at a block whose time is given, with all of its digits. */
export function rateIn(
  vault: VaultOnChain,
  [answer, second]: readonly CallResult[],
  time: number,
): RateRead {
  const { rate } = describedOf(vault);
  if (rate.kind === 'fixed') return { ratio: fixedRatio(vault, rate.value, rate.inverse) };
  const places = rate.kind === 'feed' ? { ...FEED, bad: null } : rate;
  const value = numberIn(answer, places.answer);
  if (value === null) return { unread: 'its rate does not answer, as while it is paused' };
  if (rate.kind === 'call' && rate.paused !== null) {
    const paused = numberIn(second, rate.paused.answer);
    if (paused !== 0n) return { unread: 'its rate is paused' };
  }
  const bad = places.bad === null ? 0n : numberIn(answer, places.bad);
  if (bad !== 0n) return { unread: 'its rate is marked as bad by the contract' };
  const isSigned = rate.kind === 'feed' || rate.signed;
  if (value === 0n || (isSigned && value >= BELOW_ZERO)) {
    return { unread: 'its rate is not above zero' };
  }
  const updatedAt = places.updatedAt === null ? null : numberIn(answer, places.updatedAt);
  if (rate.maxAge !== null && places.updatedAt !== null) {
    if (updatedAt === null || BigInt(time) - updatedAt > BigInt(rate.maxAge)) {
      return { unread: `its rate is older than ${rate.maxAge} seconds` };
    }
    // Clocks differ by less, and a number that is no time would never be old.
    if (updatedAt - BigInt(time) > BigInt(rate.maxAge)) {
      return { unread: 'the time of its rate is after the block' };
    }
  }
  const decimals = rate.kind === 'feed' ? feedDecimals(second) : ownDecimals(vault, rate);
  if (decimals === null) return { unread: 'its feed does not answer decimals()' };
  return {
    ratio: ratioOf(vault, value, decimals, rate.inverse),
    ...(updatedAt && isTime(updatedAt, time) && { updatedAt: Number(updatedAt) }),
  };
}

/** Whether a number can be a time before a block: one in milliseconds would never be old. */
function isTime(value: bigint, blockTime: number): boolean {
  return value <= BigInt(blockTime + DAY);
}

/** Larger powers of ten do not fit a uint256. */
const MAX_DECIMALS = 77n;

function feedDecimals(answer: CallResult | undefined): number | null {
  const decimals = numberIn(answer);
  return decimals === null || decimals > MAX_DECIMALS ? null : Number(decimals);
}

function ownDecimals(
  { assetDecimals }: VaultOnChain,
  { decimals }: Extract<RatedRate, { kind: 'call' }>,
): number {
  return decimals === 'unit' ? assetDecimals : decimals;
}

function ratioOf(
  { assetDecimals, shareDecimals }: VaultOnChain,
  value: bigint,
  decimals: number,
  inverse: boolean,
): Ratio {
  const [above, below] = inverse ? [unit(decimals), value] : [value, unit(decimals)];
  return shortened({ assets: above * unit(assetDecimals), shares: below * unit(shareDecimals) });
}

function fixedRatio(vault: VaultOnChain, text: string, inverse: boolean): Ratio {
  const [whole = '', digits = ''] = text.split('.');
  return ratioOf(vault, BigInt(whole + digits), digits.length, inverse);
}

/** Removes common zeros, since columns have a limited width. */
function shortened(ratio: Ratio): Ratio {
  let { assets, shares } = ratio;
  while (assets % 10n === 0n && shares % 10n === 0n) {
    assets /= 10n;
    shares /= 10n;
  }
  return { assets, shares };
}
