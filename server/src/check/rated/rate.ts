import { StateUnavailable } from '../../chain/rpcError.ts';
import type { RatedConfig } from '../../config/rated/description.ts';
import { mulDivDown, unit as tenTo } from '../../domain/amount.ts';
import type { Look } from '../../vaults/recognize/readContract.ts';
import { type CheckLine, fail, pass, warn } from '../line.ts';
import { type Decimals, type RateRead, readRate } from './readRate.ts';

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

export interface RateCheck {
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

/** Checks that the rate is available and recent. Returns it as it is now. */
export async function checkRate(
  look: Look,
  { rate }: RatedConfig,
  { rates, key, decimals }: RateCheck,
): Promise<{ readonly now: RateRead; readonly lines: readonly CheckLine[] }> {
  const now = await rateNow();
  return { now, lines: await presentLines() };

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
    return [pass(`${key('rate')}: one share is worth ${wholeRate(now, decimals)}`)];
  }

  async function answeredBefore(): Promise<boolean> {
    for (const part of [0.99, 0.9, 0.5]) {
      const earlier = await rates.at(Math.floor(look.block * part));
      if (earlier !== null && !('none' in earlier)) return true;
    }
    return false;
  }
}

/** What one share is worth, in units, with some digits. */
export function wholeRate(
  { assets, shares }: { readonly assets: bigint; readonly shares: bigint },
  decimals: Decimals,
): string {
  const digits = 9;
  const scaled = mulDivDown(tenTo(decimals.share + digits), assets, shares * tenTo(decimals.unit));
  return `${scaled / tenTo(digits)}.${String(scaled % tenTo(digits)).padStart(digits, '0')}`;
}
