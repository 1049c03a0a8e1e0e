import { termsOf } from '../payments/service.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { lostPayments } from '../store/payments/lostPayments.ts';
import { ALONE } from './command.ts';
import { paymentsOf } from './paymentSettings.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

export const paymentsResume: StoreCommand<object> = {
  name: 'payments resume',
  async runOn({ config, store }, _args, print) {
    const payments = paymentsOf(config);
    const terms = termsOf(payments);
    const now = unixTime();
    const lost = await lostPayments.countSince(store, terms, now - payments.lossLimit.seconds);
    await lostPayments.resume(store, terms, now);
    print(`${lost} lost payments no longer count; every server sells again within seconds`);
    return 0;
  },
};

export const command = onStore(paymentsResume, {
  ...ALONE,
  usage: 'assay payments resume [--config FILE]',
  details:
    'Paid routes close when more payments than payments.lossLimit allows were lost (served, but not paid on chain). Find the cause first: "assay payments list". Works while the server runs.',
});
