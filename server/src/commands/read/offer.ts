import type { Offer, Price } from '@assay/client';
import { renderCsv } from '../../terminal/csv.ts';
import { UNKNOWN } from '../../terminal/formatNumber.ts';
import { renderList } from '../../terminal/list.ts';
import type { Terminal } from '../command.ts';
import { sanitizeServerText } from './failures.ts';
import { type Printing, printForms } from './forms.ts';
import { NotPaid } from './paidFailures.ts';
import { findStablecoin, STABLECOINS, usdOf } from './stablecoins.ts';

/** Questions show the recipient, so it must be an address and no other text. */
const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** Returns the cheapest payment option in a known token. */
export function choosePrice({ prices }: Offer): Price {
  const known = prices.filter(
    (price) => findStablecoin(price) !== undefined && ADDRESS.test(price.payTo),
  );
  const cheapest = known.toSorted((a, b) => (a.amount < b.amount ? -1 : 1))[0];
  if (cheapest !== undefined) return cheapest;
  const [first] = prices;
  const asked =
    first === undefined
      ? 'no supported token'
      : sanitizeServerText(`${first.asset} on ${first.network}`);
  throw new NotPaid(
    `the server requests payment in ${asked}; this command pays only ${STABLECOINS.map(({ name }) => name).join(', ')}`,
  );
}

/** Prints the invoice in the requested format. */
export function printOffer(offer: Offer | null, printing: Printing, terminal: Terminal): void {
  const prices = offer?.prices ?? [];
  const usd = (price: Price) => (findStablecoin(price) ? usdOf(price.amount) : null);
  printForms(printing, terminal, {
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
