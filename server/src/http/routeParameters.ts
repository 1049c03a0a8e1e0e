import { type TSchema, Type } from 'typebox';
import type { RouteParameter } from './route.ts';
import { AskedAddress, AskedWhole } from './schemas.ts';

/** An optional query parameter. */
export function optional(name: string, schema: TSchema, ...words: Words): RouteParameter {
  return parameter(name, 'query', false, schema, words);
}

/** A required query parameter. */
export function required(name: string, schema: TSchema, ...words: Words): RouteParameter {
  return parameter(name, 'query', true, schema, words);
}

/** A path parameter. */
export function inPath(name: string, schema: TSchema, ...words: Words): RouteParameter {
  return parameter(name, 'path', true, schema, words);
}

type Words = [description: string, example: string];

function parameter(
  name: string,
  place: RouteParameter['in'],
  isRequired: boolean,
  schema: TSchema,
  [description, example]: Words,
): RouteParameter {
  return { name, in: place, required: isRequired, description, schema, example };
}

/** Maximum number of digits of an integer in a request. */
export const CHAIN_ID = { min: 1, max: 999_999_999_999_999 } as const;

/** The family in a path. */
export const SLUG = inPath('slug', Type.String(), 'Slug of the vault family.', 'svcusd');

export function walletInPath(): RouteParameter {
  return inPath(
    'walletAddress',
    AskedAddress(),
    'Wallet address, in any case; a mixed-case address must have a valid EIP-55 checksum.',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  );
}

export function oneFamily(description: string): RouteParameter {
  return optional('family', Type.String(), description, 'svcusd');
}

export function oneChain(description: string): RouteParameter {
  return optional('chainId', AskedWhole(CHAIN_ID), description, '8453');
}
