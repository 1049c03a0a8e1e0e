import { toBigInts } from './amounts.ts';
import type { Client } from './client.ts';
import { read } from './read.ts';
import { createRoute } from './route.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** `bigint`: amounts as such, instead of the decimal digits that the server writes. */
  readonly amounts?: 'text' | 'bigint' | undefined;
}

/** Amounts as the caller wants them. */
export type WithAmounts<Asked, Text, Big> = Asked extends { readonly amounts: infer Form }
  ? Form extends 'bigint'
    ? Big
    : Text
  : Text;

/** The parameters of a call: none have to be given where none are required. */
export type Asking<Parameters, Asked> = object extends Parameters
  ? [asked?: Asked & Parameters & CallOptions]
  : [asked: Asked & Parameters & CallOptions];

/** One read of the API. */
export type Action<Parameters, Text, Big> = <const Asked extends CallOptions = object>(
  client: Client,
  ...asking: Asking<Parameters, Asked>
) => Promise<WithAmounts<Asked, Text, Big>>;

/** Told the cursor of the next page, if there is one; see pages.ts. */
export type OnNext = (cursor: string) => void;

/** `query` and `amounts` are names with spaces between them: what may be asked for, and which fields are amounts. */
export function action<Parameters, Text, Big>(
  path: string,
  query: string,
  amounts: string,
): Action<Parameters, Text, Big> {
  const urlOf = createRoute(path, query);
  return (async (client: Client, asked: CallOptions = {}, onNext?: OnNext) => {
    const answer = await read(client, urlOf(client, asked), asked.signal, onNext);
    return asked.amounts === 'bigint' ? toBigInts(answer, amounts) : answer;
  }) as Action<Parameters, Text, Big>;
}
