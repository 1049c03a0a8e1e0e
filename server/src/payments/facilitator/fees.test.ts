import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bumpFees } from './fees.ts';

fc.configureGlobal({ seed: Number(process.env.ASSAY_SEED ?? 20_261_115) });

const wei = fc.bigInt(0n, 10n ** 13n);

describe('bumpFees', () => {
  test('default: replaces in any pool within the cap, or returns null', () => {
    fc.assert(
      fc.property(wei, wei, wei, wei, wei, (fee, tip, newFee, newTip, cap) => {
        const before = { maxFeePerGas: fee, maxPriorityFeePerGas: tip < fee ? tip : fee };
        const current = { maxFeePerGas: newFee, maxPriorityFeePerGas: newTip };
        const after = bumpFees(before, current, cap);
        if (after === null) {
          expect(fee + fee / 8n + 1n).toBeGreaterThan(cap);
          return;
        }
        expect(after.maxFeePerGas).toBeLessThanOrEqual(cap);
        expect(after.maxPriorityFeePerGas).toBeLessThanOrEqual(after.maxFeePerGas);
        expect(after.maxFeePerGas * 8n).toBeGreaterThanOrEqual(fee * 9n);
        expect(after.maxPriorityFeePerGas * 8n).toBeGreaterThanOrEqual(
          before.maxPriorityFeePerGas * 9n,
        );
      }),
    );
  });
});
