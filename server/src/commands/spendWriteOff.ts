import { defineCommand } from './command.ts';
import { EXIT } from './read/exitCodes.ts';
import { needed, printFailure } from './read/readCommand.ts';
import { findBooked, listBooked, openResender } from './read/spendBooks.ts';
import { describeSpendFailure, stillOpen, unknownPayment } from './read/spendFailures.ts';

export const command = defineCommand<{ readonly id: string }>({
  usage: 'assay spend write-off ID',
  details: [
    'Gives up an expired payment whose outcome is unknown. It no longer counts in a',
    'budget, and the same command signs a new payment. If it was charged before it',
    'expired, that money is lost: try "assay spend refetch ID" first.',
    'Exit codes: 0 success, 1 error, 2 invalid usage, 4 unknown payment, 6 it may still be charged.',
  ].join('\n'),
  examples: ['assay spend --state expired', 'assay spend write-off 0a1b2c3d'],
  flags: {},
  argument: 'ID',
  read: (_flags, id) => ({ id: needed(id, 'payment', 'spend write-off 0a1b2c3d') }),
  async run({ id }, terminal) {
    const list = () => listBooked(terminal.env, Math.floor(Date.now() / 1000));
    try {
      const purchase = findBooked(await list(), id);
      if (purchase === undefined) return printFailure(unknownPayment(id), terminal);
      if (purchase.state === 'open') {
        return printFailure(stillOpen(purchase, 'write it off after that'), terminal);
      }
      if (purchase.state !== 'expired') {
        const text = `payment ${purchase.id} is ${purchase.state}; only an expired payment can be written off`;
        return printFailure({ text, exitCode: EXIT.failed }, terminal);
      }
      await openResender(purchase).writeOff(purchase.id);
      // Another process may have resent it meanwhile: then it stays open.
      const after = findBooked(await list(), purchase.id);
      if (after?.state !== 'written-off') {
        const text = `payment ${purchase.id} was used meanwhile and was not written off`;
        return printFailure({ text, exitCode: EXIT.failed }, terminal);
      }
      terminal.print(`payment ${purchase.id} is written off`);
      return EXIT.done;
    } catch (error) {
      return printFailure(describeSpendFailure(error), terminal);
    }
  },
});
