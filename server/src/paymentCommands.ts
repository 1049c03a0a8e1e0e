import { randomUUID } from 'node:crypto';
import { describeFailure } from './cli/failure.ts';
import type { PaymentsRefundArguments, PaymentsReportArguments } from './cli/paymentsArguments.ts';
import { UsageError } from './cli/usageError.ts';
import type { Command, CommandContext } from './commands.ts';
import type { ChainConfig, PaymentsConfig } from './config/config.ts';
import { toIso } from './domain/time.ts';
import { OPERATOR_ERRORS } from './operatorErrors.ts';
import { createPaymentChain } from './payments/chainReads.ts';
import { createNodes, type Nodes } from './payments/facilitator/nodes.ts';
import { createFinality } from './payments/finality.ts';
import { createFinalityReads } from './payments/finalityReads.ts';
import { createFinalizedHead } from './payments/finalizedHead.ts';
import { createLedger } from './payments/ledger.ts';
import { createLetGo } from './payments/letGo.ts';
import { createPaymentCounts } from './payments/paymentCounts.ts';
import { PaymentsLost } from './payments/paymentsLost.ts';
import { createReconcile } from './payments/reconcile.ts';
import { createReconciler } from './payments/reconciler.ts';
import { paidBack } from './payments/refund.ts';
import { termsOf } from './payments/service.ts';
import { type ListedPayment, paymentReports, type Revenue } from './store/payments/reports.ts';

const now = () => Math.floor(Date.now() / 1000);
/** So long after it was charged an answer may still be on its way, or be fetched by a retry. */
const DELIVERY_SECONDS = 60;
/** Lines of what was lost; the rest is only counted. */
const MOST_LOST = 100;

export const paymentsListCommand: Command<object> = {
  name: 'payments list',
  async run({ config, store }, _args, print) {
    paymentsOf(config);
    const open = await paymentReports.getOpen(store);
    // Clocks of processes differ: what was settled "later" than now counts too.
    const undelivered = await paymentReports.getUndelivered(store, Number.MAX_SAFE_INTEGER);
    const lost = await paymentReports.getLost(store, MOST_LOST);
    const sending = now() - DELIVERY_SECONDS;
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

export const paymentsReportCommand: Command<Omit<PaymentsReportArguments, 'command'>> = {
  name: 'payments report',
  async run({ config, store }, { by, from, until }, print) {
    paymentsOf(config);
    const rows = await paymentReports.getRevenue(store, by, from, until);
    print(figures([by, 'calls', 'gross', 'refunded', 'net']));
    for (const { name, calls, gross, refunded, net } of rows) {
      print(figures([name, calls, gross, refunded, net]));
    }
    const sum = (value: (row: Revenue) => bigint) =>
      rows.reduce((all, row) => all + value(row), 0n);
    print(
      figures([
        'together',
        rows.reduce((all, { calls }) => all + calls, 0),
        sum(({ gross }) => gross),
        sum(({ refunded }) => refunded),
        sum(({ net }) => net),
      ]),
    );
    return 0;
  },
};

export const paymentsReconcileCommand: Command<object> = {
  name: 'payments reconcile',
  run: (context, _args, print) =>
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
      const reconcile = createReconcile({ ledger, chain, now, onError });
      const counts = createPaymentCounts();
      const finalizedHead = createFinalizedHead({
        nodes,
        finality: chainConfig?.finality ?? 'finalized',
      });
      const letGo = createLetGo({ ledger, chain, finalizedHead, counts, now, onError });
      const reconciler = createReconciler({ ledger, reconcile, letGo, counts, now, onError });
      const finality = createFinality({
        store,
        terms,
        reads: createFinalityReads({ nodes }),
        finalizedHead,
        chain,
        // Whoever sells sends it again.
        dropped: { sendAgain: async () => {}, found: () => {} },
        now,
        onError,
      });
      const { settled, released, open } = await reconciler.run();
      const checked = await finality.run().catch(onError);
      for (const problem of new Set(problems)) print(problem);
      print(`${settled} found settled, ${released} let go, ${open} still open`);
      if (checked) {
        const { confirmed, missing, lost } = checked;
        print(`${confirmed} confirmed, ${missing} not on chain, ${lost} lost`);
      }
      return problems.length === 0 ? 0 : 1;
    }),
};

export const paymentsRefundCommand: Command<Omit<PaymentsRefundArguments, 'command'>> = {
  name: 'payments refund',
  run: (context, { payer, nonce, transaction }, print) =>
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
      if (!(await paymentReports.refund(context.store, key, { transaction, now: now() }))) {
        throw new UsageError(
          'it was refunded meanwhile, or that transaction refunded another, or its answer is on its way this minute: see "assay payments list", and try again soon',
        );
      }
      print(`refunded ${value} base units to ${payer}`);
      return 0;
    }),
};

export const PAYMENT_COMMANDS: readonly Command[] = [
  paymentsListCommand,
  paymentsReportCommand,
  paymentsReconcileCommand,
  paymentsRefundCommand,
];

async function withNodes(
  { config }: CommandContext,
  work: (payments: PaymentsConfig, nodes: Nodes, chain: ChainConfig | undefined) => Promise<number>,
): Promise<number> {
  const payments = paymentsOf(config);
  const chain = config.chains.find(({ chainId }) => chainId === payments.chainId);
  const nodes = createNodes({
    chainId: payments.chainId,
    rpcUrls: chain?.rpcUrls ?? [],
    timeoutMs: (chain?.timeoutSeconds ?? 1) * 1000,
  });
  try {
    return await work(payments, nodes, chain);
  } finally {
    nodes.close();
  }
}

function paymentsOf({ payments, file }: CommandContext['config']): PaymentsConfig {
  if (payments === undefined) throw new UsageError(`${file} has no payments; nothing is sold`);
  return payments;
}

function line({ payer, nonce, value, route, transaction, settledAt, claimedAt }: ListedPayment) {
  const at = toIso(settledAt ?? claimedAt);
  return `${payer}:${nonce}  ${value}  ${route}  ${at}  ${transaction ?? '-'}`;
}

function figures([name, calls, ...amounts]: readonly (string | number | bigint)[]): string {
  const columns = amounts.map((amount) => String(amount).padStart(16));
  return [String(name).padEnd(42), String(calls).padStart(10), ...columns].join(' ');
}
