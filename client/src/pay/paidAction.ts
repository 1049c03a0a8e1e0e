import type { ActionArguments, CallOptions, WithAmounts } from '../read/action.ts';
import { toBigInts } from '../read/amounts.ts';
import type { Client } from '../read/client.ts';
import { createRoute } from '../read/route.ts';
import type { CallLimits } from './call.ts';
import type { Payer } from './payer.ts';
import { type PurchaseResult, resultOf } from './result.ts';

export interface PaidCallOptions extends CallOptions, CallLimits {}

/** Reads one paid route of the API. */
export type PaidAction<Parameters, Text, Big> = <const Asked extends PaidCallOptions = object>(
  client: Pick<Client, 'url'>,
  payer: Pick<Payer, 'buy'>,
  ...asking: ActionArguments<Parameters, Asked & CallLimits>
) => Promise<PurchaseResult<WithAmounts<Asked, Text, Big>>>;

export function paidAction<Parameters, Text, Big>(
  path: string,
  query = '',
  amounts = '',
): PaidAction<Parameters, Text, Big> {
  const urlOf = createRoute(path, query);
  return (async (
    client: Pick<Client, 'url'>,
    payer: Pick<Payer, 'buy'>,
    asked: PaidCallOptions = {},
  ) => {
    // No route has a parameter with the name of a limit, so the arguments need no sorting.
    const { data, payment } = await payer.buy(urlOf(client, asked), asked);
    return resultOf(asked.amounts === 'bigint' ? toBigInts(data, amounts) : data, payment);
  }) as PaidAction<Parameters, Text, Big>;
}
