import { fn } from '../../chain/abi.ts';
import type { RatedConfig } from '../../config/rated/description.ts';
import { mulDivDown, unit as tenTo } from '../../domain/amount.ts';
import { type Address, ZERO_ADDRESS } from '../../domain/hex.ts';
import { ask, type Look, numberIn } from '../../vaults/recognize/readContract.ts';
import { type CheckLine, fail, pass, warn } from '../line.ts';
import { isNear } from './fields.ts';
import { readNumber } from './ledger.ts';
import { type RateCheck, wholeRate } from './rate.ts';
import type { RateRead } from './readRate.ts';
import { addressOf, type FlowLogs, numberOf, type Sample } from './samples.ts';

const balanceOf = fn('balanceOf(address)');

/** A payment may differ by fees, but not by half. */
const FAR = 0.4;

/** How far payments differ from the rate, and from its inverse: mean logarithms of the factor. */
interface Deviation {
  readonly mean: number;
  readonly meanInverse: number;
}

/**
 * Compares payments for shares, or the holdings of a wrapper, with the rate. `now` is the rate at the head, `errors` how
 * many errors the check of the flows found.
 */
export async function proveRate(
  look: Look,
  rated: RatedConfig,
  check: RateCheck,
  now: RateRead,
  read: readonly FlowLogs[],
  errors: number,
): Promise<CheckLine[]> {
  const { key, decimals } = check;
  if ('none' in now) return [];
  const held = await checkHolding(look, rated, check, now);
  if (held !== null) return held;
  const deviation = await measure(rated, check, read);
  if (deviation === null) {
    if (errors > 0) return [];
    const reason = `no payment confirms the rate: one share is worth ${wholeRate(now, decimals)} now`;
    return [warn(key('rate'), reason, 'compare it with another source')];
  }
  const { mean, meanInverse } = deviation;
  if (mean > 1e-4 && meanInverse * 10 < mean) {
    const reason = 'the payments fit the inverse of the rate';
    return [fail(key('rate.inverse'), reason, `set inverse: ${!rated.rate.inverse}`)];
  }
  if (mean < FAR) return [];
  const reason = `the payments differ from the rate by a factor of ${Math.exp(mean).toPrecision(3)}`;
  const fix = 'correct the call, its decimals, or those of the unit';
  return [fail(key('rate'), reason, fix)];
}

/** Null: no payment could be compared. */
async function measure(
  rated: RatedConfig,
  { rates, decimals }: RateCheck,
  read: readonly FlowLogs[],
): Promise<Deviation | null> {
  let [off, offInverse, compared] = [0, 0, 0];
  for (const { flow, samples } of read) {
    if (flow.fields.assets === undefined || flow.action === 'claim') continue;
    for (const sample of samples) {
      const payment = paymentIn(rated, flow, sample);
      if (payment === null) continue;
      const then = await rates.at(sample.log.blockNumber);
      if (then === null || 'none' in then) continue;
      const { assets, shares } = payment;
      const ratio = (Number(assets) * Number(then.shares)) / Number(shares) / Number(then.assets);
      const whole = Number(then.assets) / Number(then.shares);
      const units = Number(tenTo(decimals.unit)) / Number(tenTo(decimals.share));
      compared += 1;
      off += Math.abs(Math.log(ratio));
      offInverse += Math.abs(Math.log((ratio * whole * whole) / (units * units)));
    }
  }
  return compared === 0 ? null : { mean: off / compared, meanInverse: offInverse / compared };
}

/** Null if it is in another asset than the unit, or names no amounts. */
function paymentIn(
  { unit }: RatedConfig,
  { fields }: FlowLogs['flow'],
  { log, moves }: Sample,
): { readonly shares: bigint; readonly assets: bigint } | null {
  const { asset } = fields;
  if (asset !== undefined && unit.kind === 'token' && addressOf(log, asset) !== unit.token) {
    return null;
  }
  const minted = moves.filter(({ from }) => from === ZERO_ADDRESS);
  const shares =
    fields.shares === undefined
      ? minted.reduce((sum, one) => sum + one.shares, 0n)
      : numberOf(log, fields.shares);
  const assets = numberOf(log, fields.assets!);
  return shares && assets ? { shares, assets } : null;
}

/** A wrapper holds the value of its shares. Null: it is not a wrapper. */
async function checkHolding(
  look: Look,
  rated: RatedConfig,
  { key }: RateCheck,
  now: Exclude<RateRead, { none: unknown }>,
): Promise<CheckLine[] | null> {
  if (rated.unit.kind !== 'token' || rated.flows.length > 0) return null;
  const held = await balanceAt(look, rated.unit.token, rated.share);
  const supply = await readNumber(look, rated.ledger.supply);
  if (!held || !supply) return null;
  const worth = mulDivDown(supply, now.assets, now.shares);
  if (isNear(worth, held)) return [pass(`${key('rate')}: the token holds the value of its shares`)];
  const reason = `all shares are worth ${worth} at the rate, but the token holds ${held}`;
  return [fail(key('rate'), reason, 'correct the call, its decimals, inverse, or the unit')];
}

async function balanceAt(look: Look, token: Address, holder: Address): Promise<bigint | null> {
  const [answer] = await ask(look, token, [balanceOf(holder)]);
  return numberIn(answer);
}
