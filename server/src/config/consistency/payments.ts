import { joinPath } from '../problem.ts';
import { isObject } from '../shape.ts';
import { priceUnits } from '../toPayments.ts';
import { objectAt } from './entries.ts';
import type { Review } from './review.ts';

export function checkPayments({ file, fail, checkChain }: Review): void {
  if (!isObject(file.payments)) return;
  const { payments } = file;
  checkChain(payments.chain, 'payments.chain');
  const prices = objectAt(payments, 'prices');
  for (const [route, usd] of Object.entries(prices)) {
    if (typeof usd !== 'number' || priceUnits(usd) !== undefined) continue;
    fail(joinPath('payments.prices', route), 'has more than 6 decimals; round it');
  }
  const gas = objectAt(payments, 'gas');
  if (typeof gas.nativeUsd === 'number' && priceUnits(gas.nativeUsd) === undefined) {
    fail('payments.gas.nativeUsd', 'has more than 6 decimals; round it');
  }
  if (gas.maxCostRatio !== undefined && gas.nativeUsd === undefined) {
    const fix = 'add payments.gas.nativeUsd, or remove it';
    fail('payments.gas.maxCostRatio', `has no effect without the value of a coin; ${fix}`);
  }
  const facilitator = isObject(payments.facilitator) ? payments.facilitator : undefined;
  if (facilitator === undefined) return;
  if ((facilitator.keys === undefined) === (facilitator.url === undefined)) {
    fail('payments.facilitator', 'must have either keys or url; keep one');
  }
}
