import type { PurchaseResult } from '@assay/client';
import { type Path, PathError } from '../terminal/select.ts';
import { defineCommand, type Terminal } from './command.ts';
import { EXIT } from './read/exitCodes.ts';
import { printForms } from './read/forms.ts';
import { needed, printFailure, readSettings } from './read/readCommand.ts';
import { type BookedPurchase, findBooked, listBooked, openResender } from './read/spendBooks.ts';
import {
  describeRefetchFailure,
  describeSpendFailure,
  stillOpen,
  unknownPayment,
} from './read/spendFailures.ts';

interface RefetchArgs {
  readonly id: string;
  readonly select: Path | undefined;
}

export const command = defineCommand<RefetchArgs>({
  usage: 'assay spend refetch ID [flags]',
  details: [
    'Resends the payment with this id and prints the response as JSON. It uses no key',
    'and signs nothing. Assay servers store responses for a day. A payment that may',
    'still be charged is not sent: run the command that made it again.',
    'Exit codes: 0 success, 1 error, 2 invalid usage, 3 no server, 4 unknown payment',
    'or response no longer stored, 5 a new payment is needed, 6 it may still be charged.',
  ].join('\n'),
  examples: ['assay spend refetch 0a1b2c3d', "assay spend refetch 0a1b2c3d --select '._riskTier'"],
  flags: { select: { value: 'PATH', text: "Values from the JSON, such as '._riskTier'" } },
  argument: 'ID',
  read: (flags, id) => ({
    id: needed(id, 'payment', 'spend refetch 0a1b2c3d'),
    select: readSettings(flags).select,
  }),
  async run({ id, select }, terminal) {
    let purchase: BookedPurchase | undefined;
    try {
      purchase = findBooked(await listBooked(terminal.env, Math.floor(Date.now() / 1000)), id);
    } catch (error) {
      return printFailure(describeSpendFailure(error), terminal);
    }
    if (purchase === undefined) return printFailure(unknownPayment(id), terminal);
    if (purchase.state === 'open') {
      const advice = 'run the command that made it again: the same payment is resent';
      return printFailure(stillOpen(purchase, advice), terminal);
    }
    try {
      await refetch(purchase, select, terminal);
      return EXIT.done;
    } catch (error) {
      if (error instanceof PathError) return printFailure(describeSpendFailure(error), terminal);
      return printFailure(describeRefetchFailure(error, purchase), terminal);
    }
  },
});

async function refetch(
  purchase: BookedPurchase,
  select: Path | undefined,
  terminal: Terminal,
): Promise<void> {
  const payer = openResender(purchase);
  const print = (answer: unknown) => {
    const forms = { json: () => answer, csv: () => [], show: () => [] };
    printForms({ form: select === undefined ? 'json' : 'table', select }, terminal, forms);
    return terminal.flush();
  };
  // The seller owes the response until it is written.
  const accept = ({ data }: PurchaseResult) => print(data);
  if (purchase.state === 'expired') await payer.buy(purchase.url, { accept });
  else await payer.refetch(purchase.id, { accept });
}
