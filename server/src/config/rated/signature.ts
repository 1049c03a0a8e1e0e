import {
  type AbiEvent,
  type AbiFunction,
  type AbiParameter,
  encodeFunctionData,
  parseAbiItem,
  toEventSelector,
} from 'viem';
import type { Hex } from '../../domain/hex.ts';
import type { EventLayout, FieldPlace } from './description.ts';

/** A field of an event, or a value that a call returns. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly place: FieldPlace;
}

export interface ParsedEvent {
  readonly layout: EventLayout;
  readonly fields: readonly Field[];
}

export interface ParsedCall {
  readonly inputs: readonly AbiParameter[];
  /** In words of the result. */
  readonly outputs: readonly Field[];
  /** Throws if an argument does not fit its type. */
  encode(args: readonly unknown[]): Hex;
}

/** Undefined if it is not the signature of an event. */
export function parseEvent(text: string): ParsedEvent | undefined {
  const item = parse(`event ${bare(text, 'event')}`);
  if (item?.type !== 'event') return undefined;
  const fields: Field[] = [];
  let [topic, word] = [1, 0];
  for (const input of item.inputs) {
    if (input.indexed === true) {
      // A value that does not fit a topic is only present as its hash.
      const type = isDynamic(input) || wordsOf(input) > 1 ? 'hash' : input.type;
      fields.push({ name: input.name ?? '', type, place: { topic: topic++ } });
    } else {
      fields.push(...inWords(input, word));
      word += wordsOf(input);
    }
  }
  const layout = { event: text, topic: toEventSelector(item), topics: topic };
  return { layout, fields };
}

/** Undefined if it is not the signature of a function. */
export function parseCall(text: string): ParsedCall | undefined {
  const item = parse(`function ${bare(text, 'function')}`);
  if (item?.type !== 'function') return undefined;
  const outputs: Field[] = [];
  let word = 0;
  for (const output of item.outputs) {
    outputs.push(...inWords(output, word));
    word += wordsOf(output);
  }
  return {
    inputs: item.inputs,
    outputs,
    encode: (args) => encodeFunctionData({ abi: [item], functionName: item.name, args }),
  };
}

function bare(text: string, keyword: string): string {
  return text.trim().replace(new RegExp(`^${keyword}\\s+`), '');
}

function parse(text: string): AbiEvent | AbiFunction | undefined {
  try {
    return parseAbiItem<string>(text) as AbiEvent | AbiFunction;
  } catch {
    return undefined;
  }
}

/** Returns the static values of a parameter, each with its word; those of a tuple by their names within it. */
function inWords(parameter: AbiParameter, word: number): Field[] {
  const { name = '', type } = parameter;
  if (type !== 'tuple' || isDynamic(parameter)) {
    const isList = /^(uint\d*|bytes32)\[\]$/.test(type);
    return [{ name, type: isDynamic(parameter) && !isList ? 'dynamic' : type, place: { word } }];
  }
  let at = word;
  return componentsOf(parameter).flatMap((one) => {
    const own = inWords({ ...one, name: `${name}.${one.name ?? ''}` }, at);
    at += wordsOf(one);
    return own;
  });
}

/** Returns how many words it takes; a dynamic value takes one, its offset. */
function wordsOf(parameter: AbiParameter): number {
  if (isDynamic(parameter)) return 1;
  const list = /^(.*)\[(\d+)\]$/.exec(parameter.type);
  if (list !== null) return Number(list[2]) * wordsOf({ ...parameter, type: list[1]! });
  if (parameter.type !== 'tuple') return 1;
  return componentsOf(parameter).reduce((sum, one) => sum + wordsOf(one), 0);
}

function isDynamic(parameter: AbiParameter): boolean {
  const { type } = parameter;
  if (type === 'string' || type === 'bytes' || type.endsWith('[]')) return true;
  const list = /^(.*)\[\d+\]$/.exec(type);
  if (list !== null) return isDynamic({ ...parameter, type: list[1]! });
  return type === 'tuple' && componentsOf(parameter).some(isDynamic);
}

function componentsOf(parameter: AbiParameter): readonly AbiParameter[] {
  return 'components' in parameter ? parameter.components : [];
}

export const NO_EVENT =
  'is not the signature of an event; write it as in Solidity, such as "Paused(address account)"';
export const NO_CALL =
  'is not the signature of a function; write it as in Solidity, such as "getRate() returns (uint256)"';
