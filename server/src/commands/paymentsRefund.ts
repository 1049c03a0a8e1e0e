import type { FlagValues } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { isRefundOf } from '../payments/chain/refund.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { foundPayments } from '../store/payments/foundPayments.ts';
import { paymentReports } from '../store/payments/reports.ts';
import { CONFIG } from './command.ts';
import { withNodes } from './paymentSettings.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

interface RefundArguments {
  readonly payer: `0x${string}`;
  readonly nonce: `0x${string}`;
  /** The refund transaction. */
  readonly transaction?: `0x${string}`;
  /** Instead of a transaction: why no refund is owed. */
  readonly dismiss?: string;
}

const MAX_REASON = 500;

export const paymentsRefund: StoreCommand<RefundArguments> = {
  name: 'payments refund',
  runOn: (context, { payer, nonce, transaction, dismiss }, print) =>
    withNodes(context, async (payments, nodes) => {
      const { chainId, asset } = payments;
      const key = { chainId, asset, payer, nonce };
      if (transaction === undefined) {
        const by = { because: dismiss ?? '', now: unixTime() };
        if (!(await foundPayments.dismiss(context.store, key, by))) {
          throw new UsageError(
            'only a payment listed as not_recorded can be dismissed: see "assay payments list"',
          );
        }
        print(`dismissed: no refund is owed to ${payer}`);
        return 0;
      }
      const found = await paymentReports.findSettled(context.store, key);
      if (found === undefined) {
        throw new UsageError(
          'no charged payment with this id awaits a refund; see "assay payments list"',
        );
      }
      const { value } = found;
      if (!(await isRefundOf(nodes, transaction, { asset, payer, value }))) {
        throw new UsageError(
          `that transaction does not pay ${value} base units to ${payer}; nothing was recorded`,
        );
      }
      if (
        !(await paymentReports.refund(context.store, key, {
          transaction,
          now: unixTime(),
        }))
      ) {
        throw new UsageError(
          'the payment was refunded meanwhile, or the transaction refunded another payment, or its response is being delivered: see "assay payments list", and retry in a minute',
        );
      }
      print(`refunded ${value} base units to ${payer}`);
      return 0;
    }),
};

export const command = onStore(paymentsRefund, {
  usage: 'assay payments refund PAYER:NONCE --transaction HASH | --dismiss REASON',
  details:
    'Records a refund after it checks on chain that the transaction moved exactly the value of the payment to its payer. Use --dismiss for a not_recorded payment to another seller with the same payTo. Works while the server runs.',
  flags: {
    config: CONFIG,
    transaction: { value: 'HASH', text: 'Hash of the refund transfer' },
    dismiss: { value: 'REASON', text: 'Why no refund is owed for a not_recorded payment' },
  },
  argument: 'PAYER:NONCE',
  read,
});

/** Parses PAYER:NONCE, as `assay payments list` prints it. */
function read(flags: FlagValues, name: string | undefined): RefundArguments {
  const [, payer, nonce] = /^(0x[0-9a-f]{40}):(0x[0-9a-f]{64})$/i.exec(name ?? '') ?? [];
  if (payer === undefined || nonce === undefined) {
    throw new UsageError('specify a payment: PAYER:NONCE, as "assay payments list" prints it');
  }
  return {
    payer: payer.toLowerCase() as `0x${string}`,
    nonce: nonce.toLowerCase() as `0x${string}`,
    ...readEnd(flags),
  };
}

function readEnd(flags: FlagValues): Pick<RefundArguments, 'transaction' | 'dismiss'> {
  const dismiss = flags.get('dismiss')?.trim();
  const transaction = flags.get('transaction') ?? '';
  if (dismiss !== undefined) {
    if (transaction !== '') throw new UsageError('use either --transaction or --dismiss');
    if (dismiss === '') throw new UsageError('--dismiss needs a reason');
    return { dismiss: dismiss.slice(0, MAX_REASON) };
  }
  if (!/^0x[0-9a-f]{64}$/i.test(transaction)) {
    throw new UsageError('--transaction must be the hash of the refund transfer');
  }
  return { transaction: transaction.toLowerCase() as `0x${string}` };
}
