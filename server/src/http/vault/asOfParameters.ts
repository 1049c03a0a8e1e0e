import { Type } from 'typebox';
import type { Hex } from '../../domain/hex.ts';
import type { ParameterReader } from '../parameters.ts';
import type { RouteParameter } from '../route.ts';
import { optional } from '../routeParameters.ts';
import { parseInstant } from './timeRange.ts';

/** The moment that a request asks for: a time in Unix seconds, or a block. */
export type AskedMoment =
  | { readonly time: number }
  | { readonly chainId: number; readonly block: number | Hex };

export const asOfParameters: readonly RouteParameter[] = [
  optional(
    'at',
    Type.String(),
    'Returns the data as of a time: the newest data point at or before it. A date (2026-01-31, to its end) or a date-time with a zone. 410 before the first data point or in a gap.',
    '2026-07-01T12:00:00Z',
  ),
  optional(
    'block',
    Type.String({ pattern: '^[0-9]{1,15}:([0-9]{1,15}|0x[0-9a-fA-F]{64})$' }),
    'The same as of a block, as CHAIN:NUMBER or CHAIN:HASH: the first data point at that block of the chain, else the newest before it. A hash that is not stored, or was removed by a reorg, returns 409. Not together with `at`.',
    '8453:30000000',
  ),
];

const BLOCK = /^(\d{1,15}):(?:(\d{1,15})|(0x[0-9a-f]{64}))$/i;

/** Reads `at` and `block`; undefined if both are absent. */
export function readAskedMoment(parameters: ParameterReader): AskedMoment | undefined {
  const at = parameters.text('at');
  const block = parameters.text('block');
  if (at !== undefined && block !== undefined) {
    parameters.mistake('block', 'cannot be combined with at: send one of them');
  }
  if (at !== undefined) return readTime(parameters, at);
  return block === undefined ? undefined : readBlock(parameters, block);
}

function readTime(parameters: ParameterReader, text: string): AskedMoment | undefined {
  const instant = parseInstant(text, 'end');
  if (typeof instant === 'bigint') return { time: Number(instant / 1_000_000_000n) };
  parameters.mistake('at', instant.reason);
  return undefined;
}

function readBlock(parameters: ParameterReader, text: string): AskedMoment | undefined {
  const [, chain, number, hash] = BLOCK.exec(text) ?? [];
  if (chain === undefined) {
    parameters.mistake(
      'block',
      'must be CHAIN:NUMBER or CHAIN:HASH, such as 8453:30000000; a hash is 0x and 64 hexadecimal digits',
    );
    return undefined;
  }
  const block = hash === undefined ? Number(number) : (hash.toLowerCase() as Hex);
  return { chainId: Number(chain), block };
}
