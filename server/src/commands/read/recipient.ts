import { listPurchases, type OpenPayment, type Price, type SpendStore } from '@assay/client';
import type { Terminal } from '../command.ts';
import type { RunningDemo } from './demo.ts';
import { NotPaid } from './paidFailures.ts';

export interface RecipientCheck {
  readonly store: SpendStore;
  readonly url: URL;
  readonly price: Price;
  /** An earlier payment for the same request, which is resent. */
  readonly left: OpenPayment | undefined;
  readonly demo: RunningDemo | undefined;
  readonly settings: {
    readonly payTo: string | undefined;
    readonly acceptPayTo: string | undefined;
  };
  readonly terminal: Pick<Terminal, 'input' | 'errors'>;
}

/**
 * Returns the previous recipient if the host requests another one that the user has not accepted yet. Shows the first
 * payment to a host. Throws NotPaid if the recipient is not allowed and there is no terminal to ask on.
 */
export async function findChangedRecipient(check: RecipientCheck): Promise<string | undefined> {
  const { store, url, price, left, demo, settings, terminal } = check;
  const { host } = url;
  const is = (address: string | undefined) => address?.toLowerCase() === price.payTo.toLowerCase();
  const only = settings.payTo ?? demo?.payTo;
  if (only !== undefined) {
    if (is(only)) return undefined;
    if (left === undefined) throw notAllowed(`${host} requests payment to ${price.payTo}`, only);
    throw new NotPaid(
      `payment ${left.id} for the same request goes to ${price.payTo}, and --pay-to allows only ${only}; nothing was sent: remove --pay-to, or pay a second time with --replaces ${left.id}`,
    );
  }
  const before = await findRecipient(store, host);
  if (is(before) || is(settings.acceptPayTo)) return undefined;
  if (before === undefined) {
    if (settings.acceptPayTo !== undefined) {
      throw notAllowed(`${host} requests payment to ${price.payTo}`, settings.acceptPayTo);
    }
    terminal.errors.write(
      `First payment to ${host}. Its recipient ${price.payTo} is saved; a different recipient will need your confirmation.\n`,
    );
    return undefined;
  }
  if (canAsk(terminal)) return before;
  throw new NotPaid(
    `${host} requests payment to ${price.payTo}, but was paid at ${before} before; nothing was paid: if you trust the new recipient, add --accept-pay-to ${price.payTo}`,
  );
}

/** Returns whether the process runs in a terminal. */
export function canAsk({ input, errors }: Pick<Terminal, 'input' | 'errors'>): boolean {
  return input.isTTY === true && errors.isTTY === true;
}

/** Returns the recipient of the newest payment to a host; undefined if it was never paid. */
async function findRecipient(store: SpendStore, host: string): Promise<string | undefined> {
  const purchases = await listPurchases(store);
  return purchases.findLast((one) => one.host === host && one.state !== 'reserved')?.payTo;
}

function notAllowed(what: string, only: string): NotPaid {
  return new NotPaid(`${what}, but only ${only} is allowed; nothing was paid`);
}
