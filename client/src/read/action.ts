import type { SendOptions } from '../wire/send.ts';
import { toBigInts } from './amounts.ts';
import type { Client } from './client.ts';
import { read } from './read.ts';
import { createRoute } from './route.ts';

export interface CallOptions extends SendOptions {
  /** `bigint`: returns amounts as bigints instead of decimal strings. */
  readonly amounts?: 'text' | 'bigint' | undefined;
}

/** The result with amounts in the requested form. */
export type WithAmounts<Asked, Text, Big> = Asked extends { readonly amounts: infer Form }
  ? Form extends 'bigint'
    ? Big
    : Text
  : Text;

/** The parameters of a call; optional if no parameter is required. */
export type ActionArguments<Parameters, Asked> = object extends Parameters
  ? [asked?: Asked & Parameters & CallOptions]
  : [asked: Asked & Parameters & CallOptions];

/** Reads one route of the API. */
export type Action<Parameters, Text, Big> = <const Asked extends CallOptions = object>(
  client: Client,
  ...asking: ActionArguments<Parameters, Asked>
) => Promise<WithAmounts<Asked, Text, Big>>;

/** Receives the cursor of the next page, if any; see pages.ts. */
export type OnNext = (cursor: string) => void;

/** Creates an action. `query` and `amounts` are space-separated names of query parameters and of amount fields. */
export function action<Parameters, Text, Big>(
  path: string,
  query = '',
  amounts = '',
): Action<Parameters, Text, Big> {
  const urlOf = createRoute(path, query);
  return (async (client: Client, asked: CallOptions = {}, onNext?: OnNext) => {
    const answer = await read(client, urlOf(client, asked), asked, onNext);
    return asked.amounts === 'bigint' ? toBigInts(answer, amounts) : answer;
  }) as Action<Parameters, Text, Big>;
}
