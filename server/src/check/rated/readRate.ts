import { fn, wordAt } from '../../chain/abi.ts';
import type { RatedCall, RatedConfig } from '../../config/rated/description.ts';
import { unit } from '../../domain/amount.ts';
import type { Hex } from '../../domain/hex.ts';
import type { Look } from '../../vaults/recognize/readContract.ts';

/** The value of shares at a block, as a fraction in base units; or why it is unknown. */
export type RateRead =
  | { readonly assets: bigint; readonly shares: bigint; readonly age: number | null }
  | { readonly none: 'reverts' | 'zero' | 'bad' | 'paused' };

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
    if (!round || !digits || round.length < 2 + 5 * 64) return { none: 'reverts' };
    const price = BigInt.asIntN(256, wordAt(round, 1));
    return fraction(price, Number(wordAt(digits, 0)), time - Number(wordAt(round, 3)));
  }
  const calls = [rate, ...(rate.paused === null ? [] : [rate.paused])];
  const [answer, paused] = await answers(
    look,
    calls.map(({ contract, data }) => ({ to: contract, data })),
  );
  if (rate.paused !== null && isSet(paused, rate.paused)) return { none: 'paused' };
  if (!answer || answer.length < 66 + rate.answer * 64) return { none: 'reverts' };
  if (rate.bad !== null && wordAt(answer, rate.bad) !== 0n) return { none: 'bad' };
  const word = wordAt(answer, rate.answer);
  const value = rate.signed ? BigInt.asIntN(256, word) : word;
  const age = rate.updatedAt === null ? null : time - Number(wordAt(answer, rate.updatedAt));
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

function isSet(answer: Hex | null | undefined, { answer: word }: RatedCall): boolean {
  return !!answer && answer.length >= 66 + word * 64 && wordAt(answer, word) !== 0n;
}
