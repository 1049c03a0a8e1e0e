import type { Depth, Form } from './profile.ts';

/** Every block. */
export const ARCHIVE: Depth = { state: Number.POSITIVE_INFINITY, logs: Number.POSITIVE_INFINITY };

export const ONE_EACH = { logs: 1, call: 1, header: 1, head: 1, chainId: 1, receipts: 1 };

// Texts that several providers share: their URLs lead to the same kinds of RPC endpoints.

export const MISSING_TRIE_NODE: Form = {
  status: 200,
  code: -32000,
  message: 'missing trie node {hash} (path ) state {hash} is not available',
};

export const HISTORY_PRUNED: Form = {
  status: 200,
  code: 4444,
  message: 'pruned history unavailable',
};

export const HEADER_NOT_FOUND: Form = { status: 200, code: -32000, message: 'header not found' };

export const BEYOND_HEAD: Form = {
  status: 200,
  code: -32602,
  message: 'block range extends beyond current head block',
};

export const BATCH_TOO_LARGE: Form = { status: 200, code: -32600, message: 'batch too large' };

export const TOO_MANY_RESULTS: Form = {
  status: 200,
  code: -32005,
  message: 'query returned more than {max} results',
};

/** Fills in the `{name}` parts of a text; `{max,}` has a comma between thousands. */
export function fillForm(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(/\{(\w+)(,?)\}/g, (part, name: string, grouped: string) => {
    const value = values[name];
    if (value === undefined) return part;
    return grouped ? Number(value).toLocaleString('en-US') : String(value);
  });
}
