import type { PayerOptions } from '../pay/payer.ts';
import type { Change, PaymentRecord, SpendStore } from '../pay/store.ts';
import { failure } from '../wire/errors.ts';
import { checkLimits, grownIn, type Limit, sumOf } from './limits.ts';
import { type Policy, type PolicyLimit, readPolicy } from './readPolicy.ts';

export type { Policy, PolicyLimit };

/** Maximum number of reads of the records while other processes spend. */
const MAX_READS = 20;

/**
 * Returns the payer options that a policy sets: the allow lists, the budget, and the store with the limits for hosts
 * and paths. The policy is parsed JSON. Unknown or invalid fields throw `config`.
 *
 * Limits count everything ever spent through the store, by any payer. They are checked in the transaction that reserves
 * a payment, so processes that share a folder cannot exceed them together.
 *
 * @example
 * const terms = withPolicy(
 *   {
 *     networks: ['eip155:8453'],
 *     assets: ['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
 *     recipients: ['0x1111111111111111111111111111111111111111'],
 *     hosts: ['api.example.com'],
 *     perCall: '100000',
 *     total: '5000000',
 *     limits: [{ path: '/api/v1/agent/search*', perPeriod: { amount: '10000', seconds: 86_400 } }],
 *   },
 *   createMemoryStore(),
 * );
 * console.log(terms.budget.perCall);
 */
export function withPolicy(
  policy: Policy | unknown,
  store: SpendStore,
  { now = () => Math.floor(Date.now() / 1000) }: Pick<PayerOptions, 'now'> = {},
): Pick<PayerOptions, 'allow' | 'budget' | 'store'> {
  const { allow, budget, limits } = readPolicy(policy);
  return { allow, budget, store: limits.length > 0 ? limitedStore(store, limits, now) : store };
}

function limitedStore(store: SpendStore, limits: readonly Limit[], now: () => number): SpendStore {
  let records: readonly PaymentRecord[] = [];
  let known = 0n;
  return { getRecords: () => store.getRecords(), transact };

  async function transact<Result>(
    change: Parameters<typeof store.transact<Result>>[0],
  ): Promise<Result> {
    for (let reads = 0; reads < MAX_READS; reads++) {
      let isStale = false;
      const result = await store.transact((before): Change<Result> => {
        const changed = change(before);
        const grown = changed.book ? grownIn(before, changed.book) : [];
        // The state has the sum of all records. A smaller sum here means that newer records exist.
        isStale = grown.length > 0 && known < BigInt(before?.spent ?? 0);
        if (isStale) return { result: undefined as Result };
        for (const one of grown) checkLimits(limits, one, changed.book!.open, records, now());
        return changed;
      });
      if (!isStale) return result;
      records = await store.getRecords();
      known = sumOf(records.filter(({ outcome }) => outcome !== 'written-off'));
    }
    throw failure('store', 'The records of the spend store do not add up to its total.', {});
  }
}
