import { isAssayError, type Price, type PurchaseResult } from '@assay/client';
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { Approvals, Asked } from './approval.ts';
import type { BoughtAnswer, BoughtAnswers } from './boughtAnswers.ts';
import type { AgentBudget } from './budget.ts';
import type { Buyer } from './paidTools.ts';
import { NotSold } from './passThroughPayment.ts';

/** Buys with the operator's money, for one call of a tool. */
export interface Buying extends Buyer {
  /** Set if the response was bought earlier, and nothing was paid now. */
  reused(): BoughtAnswer | undefined;
}

export interface BuyingDeps {
  readonly budget: AgentBudget;
  readonly answers: BoughtAnswers;
  readonly approvals: Approvals;
  /** Unix seconds. */
  readonly now: () => number;
}

/** Reuses a response that was bought within `maxAgeSeconds`; otherwise asks the user, if the client supports it. */
export function createBuying(
  { budget, answers, approvals, now }: BuyingDeps,
  call: {
    readonly server: McpServer;
    readonly context: ServerContext;
    readonly maxAgeSeconds: number;
    /** A short description of the purchase. */
    readonly what: string;
  },
): Buying {
  const { server, context, maxAgeSeconds, what } = call;
  let reused: BoughtAnswer | undefined;
  return { buy, reused: () => reused };

  async function buy(url: string, { signal }: { readonly signal?: AbortSignal | undefined } = {}) {
    const waiting = signal ?? context.mcpReq.signal;
    reused = maxAgeSeconds > 0 ? await answers.find(url, maxAgeSeconds, waiting) : undefined;
    if (reused !== undefined) {
      return { data: reused.answer, answer: reused.answer, payment: null };
    }
    const bought = await pay(url, waiting);
    if (bought.payment !== null) {
      const { id } = bought.payment;
      answers.keep(url, { answer: bought.data, boughtAt: now(), paymentId: id });
    }
    return bought;
  }

  async function pay(url: string, signal: AbortSignal): Promise<PurchaseResult> {
    const { payer } = budget;
    if (!approvals.canAsk(server, context)) return payer.buy(url, { signal });
    const agreed = approvals.findAgreed(context, url);
    const price = await payer.quote(url, { signal });
    // Only the operator can raise the operator's cap.
    if (agreed === undefined && price !== null && price.amount <= budget.perCall) {
      return approvals.ask(context, what, askedOf(url, price));
    }
    try {
      // A seller can name another price than in the quote, so without an approval nothing is signed.
      return await budget.within(agreed ?? 0n).buy(url, { signal });
    } catch (error) {
      if (!isAssayError(error, 'over_cap') || error.cap !== 'call') throw error;
      const { asked } = error;
      if (asked > budget.perCall) throw Object.assign(error, { limit: budget.perCall });
      // The payer's own price is known only when it pays: ask again, within the operator's caps.
      const billed = price ?? (await payer.quote(url, { signal }));
      if (billed === null) throw new NotSold('the server changed its price; nothing was paid');
      return approvals.ask(context, what, askedOf(url, { ...billed, amount: asked }));
    }
  }
}

function askedOf(url: string, { amount, payTo, network }: Price): Asked {
  return { url, amount, payTo, network };
}

/** Marks a response that was not bought now. */
export function describeReuse({ boughtAt, paymentId }: BoughtAnswer, now: number) {
  return { _reused: { ageSeconds: Math.max(0, now - boughtAt), paymentId, paid: false } };
}
