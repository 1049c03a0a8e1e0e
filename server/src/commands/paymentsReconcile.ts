import { randomUUID } from 'node:crypto';
import { OPERATOR_ERRORS } from '../assembly/operatorErrors.ts';
import { describeFailure } from '../cli/failure.ts';
import { createAuthorizedTransfers } from '../payments/chain/authorizedTransfers.ts';
import { createPaymentChain } from '../payments/chain/chainReads.ts';
import { createFinalizedHead } from '../payments/chain/finalizedHead.ts';
import { createLedger } from '../payments/ledger/ledger.ts';
import { createPaymentCounts } from '../payments/ledger/paymentCounts.ts';
import { termsOf } from '../payments/service.ts';
import { createExpired } from '../payments/settlement/expired.ts';
import { createFinality } from '../payments/settlement/finality.ts';
import { createFinalityReads } from '../payments/settlement/finalityReads.ts';
import { PaymentsLost } from '../payments/settlement/paymentsLost.ts';
import { createReconcile } from '../payments/settlement/reconcile.ts';
import { createReconciler } from '../payments/settlement/reconciler.ts';
import { createSweep } from '../payments/settlement/sweep.ts';
import { createUnrecorded } from '../payments/settlement/unrecorded.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { ALONE } from './command.ts';
import { withNodes } from './paymentSettings.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

export const paymentsReconcile: StoreCommand<object> = {
  name: 'payments reconcile',
  runOn: (context, _args, print) =>
    withNodes(context, async (payments, nodes, chainConfig) => {
      const { store } = context;
      const problems: string[] = [];
      const onError = (error: unknown) => {
        if (error instanceof PaymentsLost) return;
        problems.push(describeFailure(error, OPERATOR_ERRORS).text);
      };
      const terms = termsOf(payments);
      const ledger = createLedger({
        store,
        owner: randomUUID(),
        terms,
        keepAnswersSeconds: payments.keepAnswersSeconds,
      });
      const chain = createPaymentChain({ nodes, terms });
      let unrecordedCount = 0;
      const onFound = (count: number) => {
        unrecordedCount += count;
      };
      const unrecorded = createUnrecorded({ ledger, chain, terms, now: unixTime, onFound });
      const finalizedHead = createFinalizedHead({
        nodes,
        finality: chainConfig?.finality ?? 'finalized',
      });
      const reconcile = createReconcile({
        ledger,
        chain,
        finalizedHead,
        unrecorded,
        now: unixTime,
        onError,
      });
      const counts = createPaymentCounts();
      const expired = createExpired({
        ledger,
        chain,
        finalizedHead,
        counts,
        now: unixTime,
        onError,
      });
      const reconciler = createReconciler({
        ledger,
        reconcile,
        expired,
        counts,
        now: unixTime,
        onError,
      });
      const finality = createFinality({
        store,
        terms,
        reads: createFinalityReads({ nodes }),
        finalizedHead,
        chain,
        // The selling server sends it again.
        dropped: { resend: async () => {}, found: () => {} },
        now: unixTime,
        onError,
      });
      const sweep = createSweep({
        store,
        terms,
        transfers: createAuthorizedTransfers({ nodes, terms }),
        chain,
        finalizedHead,
        now: unixTime,
        onFound,
        onError,
      });
      const { settled, released, open } = await reconciler.run();
      const checked = await finality.run().catch(onError);
      // Another process may have done it already.
      await sweep.run().catch(onError);
      for (const problem of new Set(problems)) print(problem);
      print(`${settled} settled, ${released} released, ${open} still open`);
      if (checked) {
        const { confirmed, missing, lost } = checked;
        print(`${confirmed} confirmed, ${missing} not on chain, ${lost} lost`);
      }
      if (unrecordedCount > 0)
        print(`${unrecordedCount} charged without a record; refund or dismiss each`);
      return problems.length === 0 ? 0 : 1;
    }),
};

export const command = onStore(paymentsReconcile, {
  ...ALONE,
  usage: 'assay payments reconcile [--config FILE]',
  details: 'A server does this at startup and every few seconds. Works while the server runs.',
});
