import type { FlagValues } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { paidBack } from '../payments/chain/refund.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { paymentReports } from '../store/payments/reports.ts';
import { CONFIG } from './command.ts';
import { withNodes } from './paymentSettings.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

interface RefundArguments {
  readonly payer: `0x${string}`;
  readonly nonce: `0x${string}`;
  /** The transaction that paid it back. */
  readonly transaction: `0x${string}`;
}

export const paymentsRefund: StoreCommand<RefundArguments> = {
  name: 'payments refund',
  runOn: (context, { payer, nonce, transaction }, print) =>
    withNodes(context, async (payments, nodes) => {
      const { chainId, asset } = payments;
      const key = { chainId, asset, payer, nonce };
      const found = await paymentReports.findSettled(context.store, key);
      if (found === undefined) {
        throw new UsageError('there is no such payment that was charged and not refunded yet');
      }
      const { value } = found;
      if (!(await paidBack(nodes, transaction, { asset, payer, value }))) {
        throw new UsageError(
          `that transaction does not pay ${value} base units to ${payer}; nothing was written down`,
        );
      }
      if (
        !(await paymentReports.refund(context.store, key, {
          transaction,
          now: unixTime(),
        }))
      ) {
        throw new UsageError(
          'it was refunded meanwhile, or that transaction refunded another, or its answer is on its way this minute: see "assay payments list", and try again soon',
        );
      }
      print(`refunded ${value} base units to ${payer}`);
      return 0;
    }),
};

export const command = onStore(paymentsRefund, {
  usage: 'assay payments refund PAYER:NONCE --transaction HASH [--config FILE]',
  details:
    'The transaction must have moved exactly the value of the payment to its payer; the chain is asked. Works beside a running server.',
  flags: {
    config: CONFIG,
    transaction: { value: 'HASH', text: 'the transfer that paid it back' },
  },
  argument: 'PAYER:NONCE',
  read,
});

/** A payment is named as `assay payments list` names it: PAYER:NONCE. */
function read(flags: FlagValues, name: string | undefined): RefundArguments {
  const [, payer, nonce] = /^(0x[0-9a-f]{40}):(0x[0-9a-f]{64})$/i.exec(name ?? '') ?? [];
  if (payer === undefined || nonce === undefined) {
    throw new UsageError('say which payment: PAYER:NONCE, as "assay payments list" shows it');
  }
  const transaction = flags.get('transaction') ?? '';
  if (!/^0x[0-9a-f]{64}$/i.test(transaction)) {
    throw new UsageError('--transaction must be the hash of the transfer that paid it back');
  }
  return {
    payer: payer.toLowerCase() as `0x${string}`,
    nonce: nonce.toLowerCase() as `0x${string}`,
    transaction: transaction.toLowerCase() as `0x${string}`,
  };
}
