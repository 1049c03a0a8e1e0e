import type { Payer } from '@assay/client';
import { BoundedMap } from '../domain/boundedMap.ts';

/** A response that was paid for earlier. */
export interface BoughtAnswer {
  readonly answer: unknown;
  /** Unix seconds. */
  readonly boughtAt: number;
  readonly paymentId: string;
}

/** Responses that the operator has paid for: within their age, they are not bought again. */
export interface BoughtAnswers {
  find(url: string, maxAgeSeconds: number, signal: AbortSignal): Promise<BoughtAnswer | undefined>;
  keep(url: string, bought: BoughtAnswer): void;
}

const MAX_ANSWERS = 200;

export function createBoughtAnswers(
  payer: Pick<Payer, 'report' | 'again'>,
  now: () => number,
): BoughtAnswers {
  const kept = new BoundedMap<string, BoughtAnswer>(MAX_ANSWERS);
  return { find, keep: (url, bought) => void kept.set(nameOf(url), bought) };

  async function find(url: string, maxAgeSeconds: number, signal: AbortSignal) {
    const since = now() - maxAgeSeconds;
    const known = kept.get(nameOf(url));
    if (known !== undefined && known.boughtAt >= since) return known;
    const fetched = await fetchAgain(url, since, signal);
    if (fetched !== undefined) kept.set(nameOf(url), fetched);
    return fetched;
  }

  /** A response that another process paid for: the seller stores it for the payment. */
  async function fetchAgain(
    url: string,
    since: number,
    signal: AbortSignal,
  ): Promise<BoughtAnswer | undefined> {
    const { payments } = await payer.report();
    const last = payments.findLast((one) => one.url === nameOf(url) && one.outcome === 'paid');
    if (last === undefined || last.at < since) return undefined;
    try {
      const answer = await payer.again(last.id, { signal });
      return { answer, boughtAt: last.at, paymentId: last.id };
    } catch {
      // The seller no longer has it.
      return undefined;
    }
  }
}

/** As the payer records it. */
function nameOf(url: string): string {
  return new URL(url).href;
}
