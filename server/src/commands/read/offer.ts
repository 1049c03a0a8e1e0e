import type { Offer, Price } from '@assay/client';
import { renderCsv } from '../../terminal/csv.ts';
import { UNKNOWN } from '../../terminal/figures.ts';
import { renderList } from '../../terminal/list.ts';
import type { Terminal } from '../command.ts';
import { NotPaid } from './paidFailures.ts';
import { printAnswer, type ReadSettings } from './readCommand.ts';
import { findStablecoin, STABLECOINS, usdOf } from './stablecoins.ts';

/** The cheapest way to pay in a token that is known. */
export function choosePrice({ prices }: Offer): Price {
  const known = prices.filter((price) => findStablecoin(price) !== undefined);
  const cheapest = known.toSorted((a, b) => (a.amount < b.amount ? -1 : 1))[0];
  if (cheapest !== undefined) return cheapest;
  const [first] = prices;
  const asked = first === undefined ? 'no way that is known' : `${first.asset} on ${first.network}`;
  throw new NotPaid(
    `the server wants to be paid in ${asked}; this command pays ${STABLECOINS.map(({ name }) => name).join(', ')} only`,
  );
}

/** The invoice in whichever form was asked for. */
export function printOffer(
  offer: Offer | null,
  form: ReadSettings['form'],
  terminal: Terminal,
): void {
  const prices = offer?.prices ?? [];
  const usd = (price: Price) => (findStablecoin(price) ? usdOf(price.amount) : null);
  printAnswer(form, terminal, {
    json: () =>
      offer && {
        resourceUrl: offer.resourceUrl,
        prices: prices.map((price) => ({ ...price, amount: `${price.amount}`, usd: usd(price) })),
      },
    csv: () =>
      renderCsv<Price>(
        [
          { name: 'network', value: ({ network }) => network },
          { name: 'asset', value: ({ asset }) => asset },
          { name: 'payTo', value: ({ payTo }) => payTo },
          { name: 'amount', value: ({ amount }) => `${amount}` },
          { name: 'usd', value: usd },
        ],
        prices,
      ),
    show: (screen) => [
      screen.style.bold(offer === null ? 'it is free' : 'the invoice'),
      ...prices.flatMap((price) =>
        renderList(
          [
            ['price', `${usd(price) ?? UNKNOWN} USD (${price.amount} base units)`],
            ['token', `${findStablecoin(price)?.name ?? 'unknown'}, ${price.asset}`],
            ['network', price.network],
            ['paid to', price.payTo],
            ['for', offer!.resourceUrl],
          ],
          screen,
        ),
      ),
      screen.style.dim('nothing was paid'),
    ],
  });
}
