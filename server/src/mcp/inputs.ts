import { type JsonSchema, withoutWords } from '../domain/jsonSchema.ts';

/** Parameter descriptions, only if the name is not enough: a model reads every tool first. */
const HINTS: Readonly<Record<string, string>> = {
  slug: 'From assay_vaults.',
  family: 'Slug of one vault family.',
  user: 'Wallet address.',
  cursor: 'nextCursor of the previous page.',
  from: 'Date or date-time.',
  to: 'Date or date-time.',
  assets: 'Base units.',
  nodeId: 'Id, address, or unique key of a search result.',
  nodeIds: 'Ids, addresses, or unique keys of search results, each once.',
  chainId: 'Chain id.',
  tvl: 'Comparison with USD, such as >5e8.',
  grade: 'Comparison with a letter; <=B means B or better.',
};

/** Parameters that few agents need: `at` names a moment as `block` does, and `method` is for accounting. */
const LEFT_OUT: readonly string[] = ['block', 'method'];

/** Patterns that only repeat a hint or the server's message. */
const LONG_PATTERN = 40;

/** Returns an operation's parameters as the input of a tool: types and bounds, with short descriptions. */
export function shortInput(input: JsonSchema): JsonSchema {
  const all = Object.entries((input.properties ?? {}) as Record<string, JsonSchema>);
  const properties = all.filter(([name]) => !LEFT_OUT.includes(name));
  return {
    ...input,
    properties: Object.fromEntries(properties.map(([name, schema]) => [name, short(name, schema)])),
  };
}

/** Returns an input without these parameters, which agents do not need. */
export function withoutParameters(input: JsonSchema, names: readonly string[]): JsonSchema {
  const properties = Object.entries((input.properties ?? {}) as Record<string, JsonSchema>);
  const kept = properties.filter(([name]) => !names.includes(name));
  return { ...input, properties: Object.fromEntries(kept) };
}

function short(name: string, schema: JsonSchema): JsonSchema {
  const { pattern, ...rest } = withoutWords(schema);
  const keepsPattern = typeof pattern === 'string' && pattern.length <= LONG_PATTERN;
  const description = HINTS[name];
  return {
    ...rest,
    ...(keepsPattern && { pattern }),
    ...(description !== undefined && { description }),
  };
}
