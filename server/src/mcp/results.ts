import { type AssayError, isAssayError, type Payment } from '@assay/client';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { NotSold, PaymentNeeded } from './guest.ts';
import type { ToolAnswer } from './tool.ts';

/** Where the payment protocol has its two sides of a call. */
export const PAYMENT_KEY = 'x402/payment';
const RECEIPT_KEY = 'x402/payment-response';

/** The answer as data, and as text for who reads nothing else. */
export function answered({ answer, links = [] }: ToolAnswer): CallToolResult {
  return {
    content: [
      { type: 'text', text: JSON.stringify(answer) },
      ...links.map((link) => ({
        type: 'resource_link' as const,
        mimeType: 'application/json',
        ...link,
      })),
    ],
    structuredContent: { ...answer },
  };
}

export function sold(answer: object, receipt: object | undefined): CallToolResult {
  return { ...answered({ answer }), ...(receipt && { _meta: { [RECEIPT_KEY]: receipt } }) };
}

/** The receipt of what we paid ourselves, as a seller words it. */
export function receiptOf(payment: Payment | null): object | undefined {
  if (payment === null) return undefined;
  return { success: true, ...payment.receipt, amount: String(payment.amount) };
}

/** What went wrong, for the model to read; undefined for what is no failure of a server or a payment. */
export function failed(error: unknown): CallToolResult | undefined {
  if (error instanceof PaymentNeeded) return paymentRequired(error);
  if (error instanceof NotSold) return toolError(error.message);
  return isAssayError(error) ? toolError(describe(error)) : undefined;
}

function describe(error: AssayError): string {
  if (error.type === 'over_cap') {
    const { cap, limit, used, asked } = error;
    return `nothing was paid: this costs ${asked} base units, and the operator's budget (${cap}) allows ${limit}, of which ${used} are used; ask the operator to raise it, or pay with ${PAYMENT_KEY} in _meta`;
  }
  const later = 'retryAfterSeconds' in error ? error.retryAfterSeconds : undefined;
  return later === undefined ? error.message : `${error.message}; try again in ${later} s`;
}

/** As the payment protocol's binding to tools wants it: the same twice. */
function paymentRequired({ invoice, receipt }: PaymentNeeded): CallToolResult {
  return {
    isError: true,
    structuredContent: { ...invoice },
    content: [{ type: 'text', text: JSON.stringify(invoice) }],
    ...(receipt && { _meta: { [RECEIPT_KEY]: receipt } }),
  };
}

function toolError(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}
