import { toIso } from '../domain/time.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { type ListedPayment, paymentReports } from '../store/payments/reports.ts';
import { ALONE } from './command.ts';
import { paymentsOf } from './paymentSettings.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

/** A response can still be in transit, or fetched by a retry, for this long after its payment settled. */
const DELIVERY_SECONDS = 60;
/** Maximum number of lost payments to print; the others are only counted. */
const MAX_LOST = 100;

export const paymentsList: StoreCommand<object> = {
  name: 'payments list',
  async runOn({ config, store }, _args, print) {
    paymentsOf(config);
    const open = await paymentReports.getOpen(store);
    // Clocks differ between processes: a payment settled "later" than now counts too.
    const undelivered = await paymentReports.getUndelivered(store, Number.MAX_SAFE_INTEGER);
    const unrecorded = await paymentReports.getUnrecorded(store);
    const lost = await paymentReports.getLost(store, MAX_LOST);
    const sending = unixTime() - DELIVERY_SECONDS;
    // A reorg can still remove an unconfirmed payment, so no refund is owed yet.
    const isOwed = ({ settledAt, finalAt }: ListedPayment) =>
      settledAt !== null && settledAt <= sending && finalAt !== null;
    for (const payment of undelivered) {
      print(`${isOwed(payment) ? 'refund' : 'recent'}  ${line(payment)}  not_delivered`);
    }
    for (const payment of unrecorded) {
      print(`${payment.finalAt !== null ? 'refund' : 'recent'}  ${line(payment)}  not_recorded`);
    }
    for (const payment of open) print(`open    ${line(payment)}`);
    for (const payment of lost) print(`lost    ${line(payment)}`);
    const counts = await paymentReports.getCounts(store);
    if (counts.lost > lost.length) print(`and ${counts.lost - lost.length} earlier lost payments`);
    const owed = undelivered.reduce((sum, { value }) => sum + value, 0n);
    print(
      `${undelivered.length} charged and not delivered (${owed} base units), ${open.length} open`,
    );
    if (counts.lost > 0) {
      const { lost: value } = await paymentReports.getTotals(store);
      print(`${counts.lost} lost: served, but not paid on chain (${value} base units)`);
    }
    if (unrecorded.length > 0) {
      const value = unrecorded.reduce((sum, payment) => sum + payment.value, 0n);
      print(
        `${unrecorded.length} charged without a record (${value} base units): refund or dismiss each`,
      );
    }
    if (undelivered.some(isOwed) || unrecorded.length > 0) {
      print(
        'send each refund from your wallet, then run: assay payments refund PAYER:NONCE --transaction HASH',
      );
    }
    return 0;
  },
};

export const command = onStore(paymentsList, {
  ...ALONE,
  usage: 'assay payments list [--config FILE]',
  details:
    'Lists charged payments whose response was not sent completely, which you should refund, and open, lost, and unrecorded payments. Works while the server runs.',
});

function line({ payer, nonce, value, route, transaction, settledAt, claimedAt }: ListedPayment) {
  const at = toIso(settledAt ?? claimedAt);
  return `${payer}:${nonce}  ${value}  ${route ?? '-'}  ${at}  ${transaction ?? '-'}`;
}
