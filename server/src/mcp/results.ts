import { type AssayError, isAssayError, type Payment } from '@assay/client';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { Declined } from './approval.ts';
import { NotSold, PaymentNeeded } from './passThroughPayment.ts';
import { serverText, serverTexts } from './serverText.ts';
import type { ToolAnswer } from './tool.ts';

/** The keys of the payment protocol in the metadata of a call. */
export const PAYMENT_KEY = 'x402/payment';
const RECEIPT_KEY = 'x402/payment-response';

/** The result as data; for clients of the 2025 revisions also as text, because many of them read only that. */
export function answered(
  { answer, links = [] }: ToolAnswer,
  { mcpReq }: Pick<ServerContext, 'mcpReq'>,
): CallToolResult {
  // Requests of the 2026 revision have an envelope.
  const isOld = mcpReq.envelope === undefined;
  const bounded = serverTexts(answer) as object;
  return {
    content: [
      ...(isOld ? [{ type: 'text' as const, text: JSON.stringify(bounded) }] : []),
      ...links.map((link) => ({
        type: 'resource_link' as const,
        mimeType: 'application/json',
        ...link,
      })),
    ],
    structuredContent: { ...bounded },
  };
}

export function sold(
  answer: object,
  receipt: object | undefined,
  context: Pick<ServerContext, 'mcpReq'>,
): CallToolResult {
  return {
    ...answered({ answer }, context),
    ...(receipt && { _meta: { [RECEIPT_KEY]: receipt } }),
  };
}

/** The receipt of a payment by this server, in the format of a seller. */
export function receiptOf(payment: Payment | null): object | undefined {
  if (payment === null) return undefined;
  return { success: true, ...payment.receipt, amount: String(payment.amount) };
}

/** Describes a failure for the model; undefined if neither the server nor a payment failed. */
export function failed(error: unknown): CallToolResult | undefined {
  if (error instanceof PaymentNeeded) return paymentRequired(error);
  if (error instanceof NotSold || error instanceof Declined) return toolError(error.message);
  return isAssayError(error) ? toolError(describe(error)) : undefined;
}

function describe(error: AssayError): string {
  const { payment } = error;
  if (payment === undefined) return describeCause(error);
  const until = new Date(payment.chargeableUntil * 1000).toISOString();
  return `${describeCause(error)} Payment ${payment.id} (${payment.amount} base units) was sent and may be charged until ${until}. Call again with the same arguments: the same payment is resent, never a second one.`;
}

function describeCause(error: AssayError): string {
  if (error.type === 'over_cap') {
    const { cap, limit, used, asked } = error;
    const nothing = error.payment === undefined ? 'nothing was paid: ' : '';
    return `${nothing}the price is ${asked} base units, but the operator's budget (${cap}) allows ${limit}, of which ${used} are used; ask the operator to raise it, or pay with ${PAYMENT_KEY} in _meta`;
  }
  const later = 'retryAfterSeconds' in error ? error.retryAfterSeconds : undefined;
  const bounded = serverText(error.message);
  // Unquoted, a seller's text could pass for advice of this server about a payment that it has.
  const isQuoted = error.type === 'problem' && error.payment !== undefined;
  const text = isQuoted ? `The seller returned ${JSON.stringify(bounded)}.` : bounded;
  return later === undefined ? text : `${text}; try again in ${later} s`;
}

/** The payment protocol's binding to tools requires the same content twice. */
function paymentRequired({ invoice, receipt }: PaymentNeeded): CallToolResult {
  const bounded = serverTexts(invoice) as object;
  return {
    isError: true,
    structuredContent: { ...bounded },
    content: [{ type: 'text', text: JSON.stringify(bounded) }],
    ...(receipt && { _meta: { [RECEIPT_KEY]: receipt } }),
  };
}

function toolError(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}
