import type { Address } from '../../domain/hex.ts';
import type { RatedCall } from './description.ts';
import type { Reading } from './resolve.ts';
import { type Field, NO_CALL, parseCall } from './signature.ts';

/** A call with all of its arguments. */
export function readCall(
  key: string,
  text: string,
  contract: Address,
  reading: Reading,
  { args = [], answer }: { args?: readonly unknown[]; answer?: string | number } = {},
): RatedCall | undefined {
  const parsed = parseCall(text);
  if (parsed === undefined) return reading.fail(key, NO_CALL);
  const word = wordOf(parsed.outputs, answer ?? 0);
  if (word === undefined || word === null) return reading.fail(key, noValue(parsed.outputs));
  if (!isNumber(typeAt(parsed.outputs, word))) {
    return reading.fail(key, 'does not return a number here; name another of its values');
  }
  if (args.length !== parsed.inputs.length) {
    return reading.fail(key, `takes ${parsed.inputs.length} arguments; give as many under args`);
  }
  try {
    const values = args.map((arg, i) => argument(arg, parsed.inputs[i]!.type, reading));
    return { contract, call: text, data: parsed.encode(values), answer: word };
  } catch {
    return reading.fail(key, 'has arguments that do not fit the signature; correct args');
  }
}

/** A call with one argument that is given later. */
export function readSelector(
  key: string,
  text: string,
  contract: Address,
  reading: Reading,
  answer?: string | number,
): { call: RatedCall; input: string } | undefined {
  const parsed = parseCall(text);
  if (parsed === undefined) return reading.fail(key, NO_CALL);
  const word = wordOf(parsed.outputs, answer ?? 0);
  if (word === undefined || word === null) return reading.fail(key, noValue(parsed.outputs));
  const [input, ...more] = parsed.inputs;
  if (input === undefined || more.length > 0) return reading.fail(key, 'must take one argument');
  const zero = input.type === 'address' ? `0x${'0'.repeat(40)}` : 0n;
  const whole = parsed.encode([input.type === 'bytes32' ? `0x${'0'.repeat(64)}` : zero]);
  const data = whole.slice(0, 10) as RatedCall['data'];
  return { call: { contract, call: text, data, answer: word }, input: input.type };
}

function argument(given: unknown, type: string, reading: Reading): unknown {
  if (type === 'address') return reading.contract(String(given), 'rate.args');
  return /^u?int/.test(type) ? BigInt(String(given)) : given;
}

/** Null if none is requested, undefined if there is none of that name. */
export function wordOf(
  outputs: readonly Field[],
  named: string | number | undefined,
): number | null | undefined {
  if (named === undefined) return null;
  const found =
    typeof named === 'number' ? outputs[named] : outputs.find(({ name }) => name === named);
  return found && 'word' in found.place ? found.place.word : undefined;
}

export function typeAt(outputs: readonly Field[], word: number): string {
  return outputs.find(({ place }) => 'word' in place && place.word === word)?.type ?? '';
}

function isNumber(type: string): boolean {
  return /^(u?int\d*|bool)$/.test(type);
}

export function noValue(outputs: readonly Field[]): string {
  const names = outputs.map(({ name }, i) => name || String(i)).join(', ');
  return names === ''
    ? 'returns nothing; write what it returns, as in "getRate() returns (uint256)"'
    : `returns no such value; it returns ${names}`;
}
