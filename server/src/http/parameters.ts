import { type Address, lower } from '../domain/hex.ts';
import { isAddress, isRightlySpelled, WRONG_CHECKSUM } from './checksum.ts';
import { BadParameters, type ParameterError } from './problem.ts';
import type { RouteRequest } from './route.ts';

/** Reads several parameters and reports all errors together. */
export function readParameters<T>(
  read: (parameters: ParameterReader) => T,
  request: RouteRequest,
): T {
  const errors: ParameterError[] = [];
  const reader = createReader(request, errors);
  const value = read(reader);
  if (errors.length > 0) throw new BadParameters(errors);
  return value;
}

export interface ParameterReader {
  /** Returns the text of a query parameter; undefined if it is absent. Repeated or empty is an error. */
  text(name: string): string | undefined;
  /** Reads an integer in decimal digits. */
  integer(name: string, options: { min: number; max: number; default: number }): number;
  optionalInteger(name: string, options: { min: number; max: number }): number | undefined;
  choice<T extends string>(name: string, values: readonly T[]): T | undefined;
  /** Reads a wallet address: any case, but a mixed-case checksum must be valid. Returns lower case. */
  address(name: string, text: string | undefined): Address | undefined;
  mistake(parameter: string, reason: string): void;
}

function createReader(request: RouteRequest, errors: ParameterError[]): ParameterReader {
  const reader: ParameterReader = {
    mistake: (parameter, reason) => void errors.push({ parameter, reason }),
    text(name) {
      const values = request.query.get(name);
      if (values === undefined || values.length === 0) return undefined;
      if (values.length > 1) reader.mistake(name, 'is given more than once; send it once');
      else if (values[0] === '') reader.mistake(name, 'is empty; omit it or set a value');
      else if (values[0]!.includes('\0')) reader.mistake(name, 'must not contain a null character');
      else return values[0];
      return undefined;
    },
    integer: (name, options) => reader.optionalInteger(name, options) ?? options.default,
    optionalInteger(name, { min, max }) {
      const text = reader.text(name);
      if (text === undefined) return undefined;
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= min && value <= max) return value;
      reader.mistake(name, `must be an integer from ${min} to ${max}`);
      return undefined;
    },
    choice(name, values) {
      const text = reader.text(name);
      if (text === undefined) return undefined;
      const found = values.find((value) => value === text);
      if (found === undefined) reader.mistake(name, `must be one of ${values.join(', ')}`);
      return found;
    },
    address(name, text) {
      if (text === undefined) return undefined;
      if (!isAddress(text)) {
        reader.mistake(name, 'must be an address: 0x and 40 hexadecimal digits');
        return undefined;
      }
      if (!isRightlySpelled(text)) {
        reader.mistake(name, WRONG_CHECKSUM);
        return undefined;
      }
      return lower(text);
    },
  };
  return reader;
}
