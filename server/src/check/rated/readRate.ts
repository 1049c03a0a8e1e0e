import { fn } from '../../chain/abi.ts';
import type { RatedConfig } from '../../config/rated/description.ts';
import { unit } from '../../domain/amount.ts';
import type { Hex } from '../../domain/hex.ts';
import { numberIn } from '../../vaults/callResult.ts';
import { decimalsIn, type Look } from '../../vaults/recognize/readContract.ts';

/** The value of shares at a block, as a fraction in base units; or why it is unknown. */
export type RateRead =
  | { readonly assets: bigint; readonly shares: bigint; readonly age: number | null }
  | { readonly none: 'reverts' | 'short' | 'zero' | 'bad' | 'paused' | 'no-pause' };

export interface Decimals {
  readonly unit: number;
  readonly share: number;
}

const latestRoundData = fn('latestRoundData()');
const decimalsOf = fn('decimals()');

/** `time`: of the block, for the age of the rate. */
export async function readRate(
  look: Look,
  { rate }: RatedConfig,
  decimals: Decimals,
  time: number,
): Promise<RateRead> {
  if (rate.kind === 'fixed') {
    const [whole, part = ''] = rate.value.split('.');
    return fraction(BigInt(whole + part), part.length, null);
  }
  if (rate.kind === 'feed') {
    const [round, digits] = await answers(look, [
      { to: rate.contract, data: latestRoundData() },
      { to: rate.contract, data: decimalsOf() },
    ]);
    if (!isGiven(round) || !isGiven(digits)) return { none: 'reverts' };
    const [price, updatedAt] = [numberIn(round, 1), numberIn(round, 3)];
    const feedDecimals = decimalsIn(digits);
    if (price === null || updatedAt === null || feedDecimals === null) return { none: 'short' };
    return fraction(BigInt.asIntN(256, price), feedDecimals, time - Number(updatedAt));
  }
  const calls = [rate, ...(rate.paused === null ? [] : [rate.paused])];
  const [answer, paused] = await answers(
    look,
    calls.map(({ contract, data }) => ({ to: contract, data })),
  );
  // The indexer does not use a rate if it cannot be read whether it is paused.
  const pause = rate.paused === null ? 0n : numberIn(paused, rate.paused.answer);
  if (pause === null) return { none: 'no-pause' };
  if (pause !== 0n) return { none: 'paused' };
  if (!isGiven(answer)) return { none: 'reverts' };
  const word = numberIn(answer, rate.answer);
  const bad = rate.bad === null ? 0n : numberIn(answer, rate.bad);
  const updatedAt = rate.updatedAt === null ? undefined : numberIn(answer, rate.updatedAt);
  if (word === null || bad === null || updatedAt === null) return { none: 'short' };
  if (bad !== 0n) return { none: 'bad' };
  const value = rate.signed ? BigInt.asIntN(256, word) : word;
  const age = updatedAt === undefined ? null : time - Number(updatedAt);
  return fraction(value, rate.decimals === 'unit' ? decimals.unit : rate.decimals, age);

  function fraction(value: bigint, digits: number, age: number | null): RateRead {
    if (value <= 0n) return { none: 'zero' };
    const [units, shares] = [unit(decimals.unit), unit(decimals.share)];
    if (rate.inverse) return { assets: units * unit(digits), shares: shares * value, age };
    return { assets: units * value, shares: shares * unit(digits), age };
  }
}

async function answers(look: Look, calls: readonly { to: `0x${string}`; data: Hex }[]) {
  return look.client.multicall(calls, look.block);
}

/** A contract that does not exist returns no data. */
function isGiven(answer: Hex | null | undefined): answer is Hex {
  return answer !== null && answer !== undefined && answer !== '0x';
}
