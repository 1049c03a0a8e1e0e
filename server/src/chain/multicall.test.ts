import * as fc from 'fast-check';
import { decodeFunctionData, encodeFunctionResult, multicall3Abi } from 'viem';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../domain/hex.ts';
import { Malformed } from './malformed.ts';
import { decodeAggregate3, encodeAggregate3 } from './multicall.ts';

const bytes = fc
  .uint8Array({ maxLength: 100 })
  .map((array) => `0x${Buffer.from(array).toString('hex')}` as Hex);
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((array) => `0x${Buffer.from(array).toString('hex')}` as Hex);

describe('encodeAggregate3', () => {
  test('default: a general ABI decoder reads back what was written', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ to: address, data: bytes }), { maxLength: 30 }), (calls) => {
        const read = decodeFunctionData({ abi: multicall3Abi, data: encodeAggregate3(calls) });
        expect(read.functionName).toBe('aggregate3');
        const [list] = read.args as readonly [
          readonly { target: Hex; allowFailure: boolean; callData: Hex }[],
        ];
        expect(
          list.map((one) => [one.target.toLowerCase(), one.allowFailure, one.callData]),
        ).toEqual(calls.map((call) => [call.to, true, call.data]));
      }),
    );
  });
});

describe('decodeAggregate3', () => {
  const results = fc.array(fc.record({ success: fc.boolean(), returnData: bytes }), {
    maxLength: 30,
  });
  const encode = (result: { success: boolean; returnData: Hex }[]) =>
    encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result });

  test('default: reads what a general ABI encoder writes', () => {
    fc.assert(
      fc.property(results, (list) => {
        expect(decodeAggregate3(encode(list), list.length)).toEqual(
          list.map((one) => (one.success ? one.returnData : null)),
        );
      }),
    );
  });

  test('error: cut short anywhere', () => {
    fc.assert(
      fc.property(results, fc.nat(), (list, cut) => {
        const whole = encode(list);
        // Cuts at least the last word, because losing only padding loses no data.
        const part = whole.slice(0, 2 + (cut % (whole.length - 2 - 64))) as Hex;
        try {
          const read = decodeAggregate3(part, list.length);
          expect(read).toEqual(list.map((one) => (one.success ? one.returnData : null)));
        } catch (error) {
          expect(error).toBeInstanceOf(Malformed);
        }
      }),
    );
  });

  test('error: a different number of results than calls', () => {
    const one = encode([{ success: true, returnData: '0x01' }]);
    expect(() => decodeAggregate3(one, 2)).toThrow(Malformed);
  });
});
