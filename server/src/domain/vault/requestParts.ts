import { mulDivDown } from '../amount.ts';
import type { EventOf } from './event.ts';
import type { RedeemRequest } from './requestBook.ts';

/** Shares of a request that an event is about. */
export interface Part {
  readonly request: RedeemRequest;
  readonly shares: bigint;
}

export function sharesOf(parts: readonly Part[]): bigint {
  return parts.reduce((sum, { shares }) => sum + shares, 0n);
}

/** Null if one of them is. */
export function sumOf(amounts: readonly (bigint | null)[]): bigint | null {
  return amounts.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0n);
}

/** The part of a request that was settled, or is paid. */
export function partOf({ assets, shares: all }: RedeemRequest, shares: bigint): bigint | null {
  return assets === null ? null : mulDivDown(assets, shares, all);
}

/** The settled amount of each request; null if it is the value of the shares. */
export function settledAt(
  { assets, shares }: Pick<EventOf<'flow'>, 'assets' | 'shares'>,
  requests: readonly RedeemRequest[],
): readonly (bigint | null)[] {
  const promised = requests.map((one) => one.assets);
  if (assets === null) return promised;
  if (requests.length === 1)
    return [shares ? mulDivDown(assets, requests[0]!.shares, shares) : assets];
  const sum = requests.reduce((all, one) => all + one.shares, 0n);
  if (promised.every((one) => one !== null) && (shares === null || shares === sum)) {
    return shareOut(assets, requests);
  }
  return shares ? requests.map((one) => mulDivDown(assets, one.shares, shares)) : promised;
}

/**
 * Splits an amount over several requests: each gets its settled amount, or less in proportion to its shares if the
 * total is too small, as after a loss. Each is rounded down.
 */
function shareOut(amount: bigint, requests: readonly RedeemRequest[]): bigint[] {
  const paid = new Map<RedeemRequest, bigint>();
  let [left, shares] = [amount, requests.reduce((sum, one) => sum + one.shares, 0n)];
  const byPromise = [...requests].sort((a, b) => {
    const [own, other] = [a.assets! * b.shares, b.assets! * a.shares];
    return own < other ? -1 : own > other ? 1 : 0;
  });
  for (const request of byPromise) {
    const part = shares === 0n ? 0n : mulDivDown(left, request.shares, shares);
    const own = part < request.assets! ? part : request.assets!;
    paid.set(request, own);
    // Later requests have a higher amount per share: the remainder is for them.
    if (own === request.assets) [left, shares] = [left - own, shares - request.shares];
  }
  return requests.map((request) => paid.get(request)!);
}
