import { toIso } from '../domain/time.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { type ListedPayment, paymentReports } from '../store/payments/reports.ts';
import { ALONE } from './command.ts';
import { paymentsOf } from './paymentSettings.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

/** So long after it was charged an answer may still be on its way, or be fetched by a retry. */
const DELIVERY_SECONDS = 60;
/** Lines of what was lost; the rest is only counted. */
const MOST_LOST = 100;

export const paymentsList: StoreCommand<object> = {
  name: 'payments list',
  async runOn({ config, store }, _args, print) {
    paymentsOf(config);
    const open = await paymentReports.getOpen(store);
    // Clocks of processes differ: what was settled "later" than now counts too.
    const undelivered = await paymentReports.getUndelivered(store, Number.MAX_SAFE_INTEGER);
    const lost = await paymentReports.getLost(store, MOST_LOST);
    const sending = unixTime() - DELIVERY_SECONDS;
    // What the chain may still take back is not owed yet.
    const isOwed = ({ settledAt, finalAt }: ListedPayment) =>
      settledAt !== null && settledAt <= sending && finalAt !== null;
    for (const payment of undelivered) {
      print(`${isOwed(payment) ? 'refund' : 'recent'}  ${line(payment)}`);
    }
    for (const payment of open) print(`open    ${line(payment)}`);
    for (const payment of lost) print(`lost    ${line(payment)}`);
    const counts = await paymentReports.getCounts(store);
    if (counts.lost > lost.length) print(`and ${counts.lost - lost.length} lost before these`);
    const owed = undelivered.reduce((sum, { value }) => sum + value, 0n);
    print(
      `${undelivered.length} charged and not delivered (${owed} base units), ${open.length} open`,
    );
    if (counts.lost > 0) {
      const { lost: value } = await paymentReports.getTotals(store);
      print(
        `${counts.lost} served and not paid (${value} base units): the chain does not have them`,
      );
    }
    if (undelivered.some(isOwed)) {
      print(
        'pay each back from your wallet, then: assay payments refund PAYER:NONCE --transaction HASH',
      );
    }
    return 0;
  },
};

export const command = onStore(paymentsList, {
  ...ALONE,
  usage: 'assay payments list [--config FILE]',
  details:
    'An answer is delivered when its last byte has left; what was charged without that is listed for refund. Works beside a running server.',
});

function line({ payer, nonce, value, route, transaction, settledAt, claimedAt }: ListedPayment) {
  const at = toIso(settledAt ?? claimedAt);
  return `${payer}:${nonce}  ${value}  ${route}  ${at}  ${transaction ?? '-'}`;
}
