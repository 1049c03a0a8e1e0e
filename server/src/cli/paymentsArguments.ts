import type { FlagValues } from './flags.ts';
import { UsageError } from './usageError.ts';

export type PaymentsArguments =
  | { readonly command: 'payments list' }
  | { readonly command: 'payments reconcile' }
  | PaymentsReportArguments
  | PaymentsRefundArguments;

export interface PaymentsReportArguments {
  readonly command: 'payments report';
  readonly by: 'day' | 'route' | 'payer';
  /** Unix seconds: from the first, up to but without the second. */
  readonly from: number;
  readonly until: number;
}

export interface PaymentsRefundArguments {
  readonly command: 'payments refund';
  readonly payer: `0x${string}`;
  readonly nonce: `0x${string}`;
  /** The transaction that paid it back. */
  readonly transaction: `0x${string}`;
}

const VIEWS = ['day', 'route', 'payer'] as const;
const DAY = 86_400;
/** Past any date that can be written. */
const END = 253_402_300_800;

export function readPaymentsReport(flags: FlagValues): PaymentsReportArguments {
  const by = VIEWS.find((view) => view === (flags.get('by') ?? 'day'));
  if (by === undefined) throw new UsageError(`--by must be one of ${VIEWS.join(', ')}; correct it`);
  const [from, to] = [readDay(flags, 'from'), readDay(flags, 'to')];
  if (from !== undefined && to !== undefined && from > to) {
    throw new UsageError('--from is after --to; swap them');
  }
  const until = to === undefined ? END : to + DAY;
  return { command: 'payments report', by, from: from ?? 0, until };
}

/** A payment is named as `assay payments list` names it: PAYER:NONCE. */
export function readPaymentsRefund(
  name: string | undefined,
  flags: FlagValues,
): PaymentsRefundArguments {
  const [, payer, nonce] = /^(0x[0-9a-f]{40}):(0x[0-9a-f]{64})$/i.exec(name ?? '') ?? [];
  if (payer === undefined || nonce === undefined) {
    throw new UsageError('say which payment: PAYER:NONCE, as "assay payments list" shows it');
  }
  const transaction = flags.get('transaction') ?? '';
  if (!/^0x[0-9a-f]{64}$/i.test(transaction)) {
    throw new UsageError('--transaction must be the hash of the transfer that paid it back');
  }
  return {
    command: 'payments refund',
    payer: payer.toLowerCase() as `0x${string}`,
    nonce: nonce.toLowerCase() as `0x${string}`,
    transaction: transaction.toLowerCase() as `0x${string}`,
  };
}

function readDay(flags: FlagValues, name: string): number | undefined {
  const text = flags.get(name);
  if (text === undefined) return undefined;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const real = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
  if (!real) throw new UsageError(`--${name} must be a date such as 2026-03-01; correct it`);
  return at / 1000;
}
