import { fn } from '../../chain/abi.ts';
import { StateUnavailable } from '../../chain/rpcError.ts';
import type { RatedConfig } from '../../config/rated/description.ts';
import { mulDivDown, unit as tenTo } from '../../domain/amount.ts';
import { type Address, ZERO_ADDRESS } from '../../domain/hex.ts';
import { ask, type Look, numberIn } from '../../vaults/recognize/readContract.ts';
import { type CheckLine, fail, pass, warn } from '../line.ts';
import { isNear } from './fields.ts';
import { readNumber } from './ledger.ts';
import { type Decimals, type RateRead, readRate } from './readRate.ts';
import { addressOf, type FlowLogs, numberOf } from './samples.ts';

const balanceOf = fn('balanceOf(address)');

/** A payment may differ by fees, but not by half. */
const FAR = 0.4;

/** Returns the rate at any block, reading each once. */
export interface Rates {
  at(block: number): Promise<RateRead | null>;
  worth(shares: bigint, block: number): Promise<bigint | null>;
}

export function createRates(look: Look, rated: RatedConfig, decimals: Decimals): Rates {
  const known = new Map<number, Promise<RateRead | null>>();
  const rates: Rates = {
    at(block) {
      const asked = known.get(block) ?? read(block);
      known.set(block, asked);
      return asked;
    },
    async worth(shares, block) {
      const rate = await rates.at(block);
      if (rate === null || 'none' in rate) return null;
      return mulDivDown(shares, rate.assets, rate.shares);
    },
  };
  return rates;

  async function read(block: number): Promise<RateRead | null> {
    const header = await look.client.header(block);
    if (header === null) return null;
    try {
      return await readRate({ ...look, block }, rated, decimals, header.time);
    } catch (error) {
      // The check needs the rate at the head.
      if (error instanceof StateUnavailable && block !== look.block) return null;
      throw error;
    }
  }
}

interface RateCheck {
  readonly decimals: Decimals;
  readonly rates: Rates;
  key(part: string): string;
}

const NONE = {
  reverts: 'the call reverts',
  short: 'the result is shorter than described',
  zero: 'the result is not above zero',
  bad: 'the result is flagged as bad',
  paused: 'it is paused',
  'no-pause': 'the call that shows a pause fails',
} as const;

/** Checks that the rate is available and recent; `prove` compares it with payments. */
export async function checkRate(look: Look, rated: RatedConfig, check: RateCheck) {
  const { rates, key, decimals } = check;
  const { rate } = rated;
  const now = await rateNow();
  return { lines: await presentLines(), prove };

  async function rateNow(): Promise<RateRead> {
    const found = await rates.at(look.block);
    if (found !== null) return found;
    throw new StateUnavailable({ upstream: look.client.upstream, reason: 'unknown-block' });
  }

  async function presentLines(): Promise<CheckLine[]> {
    if ('none' in now) {
      const reason = `the rate is not available now: ${NONE[now.none]}`;
      const fix = 'data that needs it is not served meanwhile';
      if (await answeredBefore()) return [warn(key('rate'), reason, fix)];
      return [fail(key('rate'), `${reason}, and it never was`, 'correct contract and call')];
    }
    if (rate.maxAge !== null && now.age !== null && now.age > rate.maxAge) {
      const reason = `the rate is ${now.age} s old at the head, and maxAge is ${rate.maxAge}`;
      return [fail(key('rate.maxAge'), reason, 'raise it, or name an active rate')];
    }
    if (now.age !== null && now.age < 0) {
      const reason = 'its time is after the head, so it is not a time';
      return [fail(key('rate.updatedAt'), reason, 'name the value that is its time')];
    }
    return [pass(`${key('rate')}: one share is worth ${wholeRate(now)}`)];
  }

  async function answeredBefore(): Promise<boolean> {
    for (const part of [0.99, 0.9, 0.5]) {
      const earlier = await rates.at(Math.floor(look.block * part));
      if (earlier !== null && !('none' in earlier)) return true;
    }
    return false;
  }

  /** In units, with some digits. */
  function wholeRate({ assets, shares }: { assets: bigint; shares: bigint }): string {
    const digits = 9;
    const scaled = mulDivDown(
      tenTo(decimals.share + digits),
      assets,
      shares * tenTo(decimals.unit),
    );
    return `${scaled / tenTo(digits)}.${String(scaled % tenTo(digits)).padStart(digits, '0')}`;
  }

  /** Compares payments for shares, and the holdings of a wrapper, with the rate. */
  async function prove(read: readonly FlowLogs[], errors: number): Promise<CheckLine[]> {
    if ('none' in now) return [];
    const held = await checkHolding();
    if (held !== null) return held;
    let [off, offInverse, compared] = [0, 0, 0];
    for (const { flow, samples } of read) {
      if (flow.fields.assets === undefined || flow.action === 'claim') continue;
      for (const { log, moves } of samples) {
        const { asset, shares: named, assets } = flow.fields;
        const { unit } = rated;
        if (asset !== undefined && unit.kind === 'token' && addressOf(log, asset) !== unit.token) {
          continue;
        }
        const own = moves.filter(({ from }) => from === ZERO_ADDRESS);
        const shares =
          named === undefined
            ? own.reduce((sum, one) => sum + one.shares, 0n)
            : numberOf(log, named);
        const paid = numberOf(log, assets!);
        const then = await rates.at(log.blockNumber);
        if (!shares || !paid || then === null || 'none' in then) continue;
        const ratio = (Number(paid) * Number(then.shares)) / Number(shares) / Number(then.assets);
        const whole = Number(then.assets) / Number(then.shares);
        const units = Number(tenTo(decimals.unit)) / Number(tenTo(decimals.share));
        compared += 1;
        off += Math.abs(Math.log(ratio));
        offInverse += Math.abs(Math.log((ratio * whole * whole) / (units * units)));
      }
    }
    if (compared === 0) {
      if (errors > 0) return [];
      const reason = `no payment confirms the rate: one share is worth ${wholeRate(now)} now`;
      return [warn(key('rate'), reason, 'compare it with another source')];
    }
    const [mean, meanInverse] = [off / compared, offInverse / compared];
    if (mean > 1e-4 && meanInverse * 10 < mean) {
      const reason = 'the payments fit the inverse of the rate';
      return [fail(key('rate.inverse'), reason, `set inverse: ${!rate.inverse}`)];
    }
    if (mean < FAR) return [];
    const reason = `the payments differ from the rate by a factor of ${Math.exp(mean).toPrecision(3)}`;
    const fix = 'correct the call, its decimals, or those of the unit';
    return [fail(key('rate'), reason, fix)];
  }

  /** A wrapper holds the value of its shares. Null: it is not a wrapper. */
  async function checkHolding(): Promise<CheckLine[] | null> {
    if (rated.unit.kind !== 'token' || rated.flows.length > 0 || 'none' in now) return null;
    const held = await balanceAt(rated.unit.token, rated.share);
    const supply = await readNumber(look, rated.ledger.supply);
    if (!held || !supply) return null;
    const worth = mulDivDown(supply, now.assets, now.shares);
    if (isNear(worth, held))
      return [pass(`${key('rate')}: the token holds the value of its shares`)];
    const reason = `all shares are worth ${worth} at the rate, but the token holds ${held}`;
    return [fail(key('rate'), reason, 'correct the call, its decimals, inverse, or the unit')];
  }

  async function balanceAt(token: Address, holder: Address): Promise<bigint | null> {
    const [answer] = await ask(look, token, [balanceOf(holder)]);
    return numberIn(answer);
  }
}
