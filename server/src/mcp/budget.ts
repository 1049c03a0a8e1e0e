import type { Payer, Report } from '@assay/client';

/** The operator's money that agents may spend. */
export interface AgentBudget {
  readonly payer: Payer;
  /** The same payer with another cap for one response: the amount that the user approved. */
  within(perCall: bigint): Pick<Payer, 'buy'>;
  /** Base units. */
  readonly perCall: bigint;
  readonly perDay: bigint;
}

export const DAY_SECONDS = 86_400;
/** The spend state counts payments in buckets of a 60th of the period, so one can count that much longer. */
const STRETCH_SECONDS = DAY_SECONDS / 60;
const DECIMALS = 6;
const DEFAULT_PAYMENTS = 20;

/** Returns base units of a stablecoin with 6 decimals as US dollars, with all digits and at least cents. */
export function usdText(units: bigint): string {
  const digits = String(units).padStart(DECIMALS + 1, '0');
  const decimals = digits.slice(-DECIMALS).replace(/0{1,4}$/, '');
  return `${digits.slice(0, -DECIMALS)}.${decimals}`;
}

/** The amount spent, the amount left, and the payments that can still be charged. */
export async function readBudget({ payer, perCall, perDay }: AgentBudget, now: number) {
  const report = await payer.report();
  const used = usedIn(report, now);
  const left = used >= perDay ? 0n : perDay - used;
  return {
    address: payer.address,
    perCallUsd: usdText(perCall),
    perDayUsd: usdText(perDay),
    usedTodayUsd: usdText(used),
    leftTodayUsd: usdText(left),
    nextCallUsd: usdText(left < perCall ? left : perCall),
    spentUsd: usdText(report.spent),
    reservedUsd: usdText(report.reserved),
    open: report.open.map(presentOpen),
  };
}

/** At most the amount that the payer counts when it checks the cap. */
function usedIn({ payments, open }: Report, now: number): bigint {
  const since = now - DAY_SECONDS;
  const counted = payments.filter(
    ({ at, outcome }) => outcome !== 'written-off' && at > since - STRETCH_SECONDS,
  );
  const chargeable = open.filter(({ validBefore }) => validBefore > since);
  return [...counted, ...chargeable].reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/** The payments of the spend state, newest first. */
export async function listSpend({ payer }: AgentBudget, limit = DEFAULT_PAYMENTS) {
  const { payments, open } = await payer.report();
  return {
    count: payments.length,
    payments: payments.slice(-limit).reverse().map(presentPayment),
    open: open.map(presentOpen),
  };
}

function presentPayment({
  id,
  url,
  amount,
  payTo,
  outcome,
  at,
  receipt,
}: Report['payments'][number]) {
  return {
    id,
    at: toIso(at),
    url,
    usd: usdText(amount),
    payTo,
    outcome,
    transaction: receipt?.transaction ?? null,
  };
}

function presentOpen({ id, url, amount, payTo, state, validBefore }: Report['open'][number]) {
  const usd = usdText(BigInt(amount));
  return { id, url, usd, payTo, state, chargeableUntil: toIso(validBefore) };
}

function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
