import type { Asking, CallOptions, WithAmounts } from '../read/action.ts';
import { toBigInts } from '../read/amounts.ts';
import type { Client } from '../read/client.ts';
import { createRoute } from '../read/route.ts';
import type { Bought, Payer } from './payer.ts';

/** One read of the API that is paid for. */
export type PaidAction<Parameters, Text, Big> = <const Asked extends CallOptions = object>(
  client: Pick<Client, 'url'>,
  payer: Pick<Payer, 'buy'>,
  ...asking: Asking<Parameters, Asked>
) => Promise<Bought<WithAmounts<Asked, Text, Big>>>;

export function paidAction<Parameters, Text, Big>(
  path: string,
  query: string,
  amounts: string,
): PaidAction<Parameters, Text, Big> {
  const urlOf = createRoute(path, query);
  return (async (
    client: Pick<Client, 'url'>,
    payer: Pick<Payer, 'buy'>,
    asked: CallOptions = {},
  ) => {
    const { signal } = asked;
    const { answer, payment } = await payer.buy(urlOf(client, asked), { signal });
    return {
      answer: asked.amounts === 'bigint' ? toBigInts(answer, amounts) : answer,
      payment,
    };
  }) as PaidAction<Parameters, Text, Big>;
}
