import { type TSchema, Type } from 'typebox';

interface Words {
  readonly description: string;
  readonly errorMessage: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly writeOnly?: boolean;
}

export function whole(minimum: number, maximum: number, words: Omit<Words, 'errorMessage'>) {
  const range =
    maximum === Number.MAX_SAFE_INTEGER ? `of ${minimum} or more` : `from ${minimum} to ${maximum}`;
  return Type.Integer({
    minimum,
    maximum,
    errorMessage: `must be an integer ${range}`,
    ...words,
  });
}

export function seconds(words: Omit<Words, 'errorMessage'>) {
  return Type.Number({
    exclusiveMinimum: 0,
    maximum: 86_400,
    errorMessage: 'must be a number of seconds above 0 and at most 86400',
    ...words,
  });
}

export function pattern(pattern: string, words: Words) {
  return Type.String({ pattern, ...words });
}

export function text(description: string, example: string) {
  return Type.String({
    minLength: 1,
    description,
    errorMessage: 'must be text; put it in quotes if it looks like a number',
    examples: [example],
  });
}

export function address(description: string) {
  return pattern('^0x[0-9a-fA-F]{40}$', {
    description,
    errorMessage: 'must be an address: 0x and 40 hexadecimal digits',
    examples: ['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
  });
}

export function mapping<Properties extends Record<string, TSchema>>(
  properties: Properties,
  description: string,
) {
  return Type.Object(properties, { additionalProperties: false, description });
}

export const block = (description: string) =>
  whole(0, Number.MAX_SAFE_INTEGER, { description, default: 0 });

export const chainId = (description: string) =>
  whole(1, Number.MAX_SAFE_INTEGER, { description, examples: [8453] });

export const marketDataId = (description: string) =>
  pattern('^[A-Za-z0-9._-]+$', {
    description,
    errorMessage: "must be the asset's id at the market-data provider, such as usd-coin",
    examples: ['usd-coin'],
  });
