import type { Asking, CallOptions, WithAmounts } from '../read/action.ts';
import { toBigInts } from '../read/amounts.ts';
import type { Client } from '../read/client.ts';
import { createRoute } from '../read/route.ts';
import type { CallLimits } from './call.ts';
import type { Bought, Payer } from './payer.ts';

export interface PaidCallOptions extends CallOptions, CallLimits {}

/** Reads one paid route of the API. */
export type PaidAction<Parameters, Text, Big> = <const Asked extends PaidCallOptions = object>(
  client: Pick<Client, 'url'>,
  payer: Pick<Payer, 'buy'>,
  ...asking: Asking<Parameters, Asked & CallLimits>
) => Promise<Bought<WithAmounts<Asked, Text, Big>>>;

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
    const { signal, timeoutMs, headers, maxAmount, replaces } = asked;
    const limits = { signal, timeoutMs, headers, maxAmount, replaces };
    const { answer, payment } = await payer.buy(urlOf(client, asked), limits);
    return {
      answer: asked.amounts === 'bigint' ? toBigInts(answer, amounts) : answer,
      payment,
    };
  }) as PaidAction<Parameters, Text, Big>;
}
