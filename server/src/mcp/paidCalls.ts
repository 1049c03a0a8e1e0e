import type { Client } from '@assay/client';
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { type BuyingDeps, createBuying, describeReuse } from './buying.ts';
import { DEFAULT_MAX_AGE_SECONDS } from './describe.ts';
import type { PaidTool } from './paidTools.ts';
import { createPassThroughPayment } from './passThroughPayment.ts';
import { PAYMENT_KEY, receiptOf, sold } from './results.ts';
import type { ToolArguments } from './tool.ts';

export interface PaidCallDeps {
  readonly client: Client;
  /** Unix seconds. */
  readonly now: () => number;
}

/** Calls of paid tools. */
export interface PaidCalls {
  /** Pays from the server's budget, unless the response was bought recently. */
  buy(
    tool: PaidTool,
    args: ToolArguments,
    by: { readonly server: McpServer; readonly context: ServerContext; readonly deps: BuyingDeps },
  ): Promise<CallToolResult>;
  /** Sends the payment that came with the call, if any. */
  passThrough(tool: PaidTool, args: ToolArguments, context: ServerContext): Promise<CallToolResult>;
}

export function createPaidCalls({ client, now }: PaidCallDeps): PaidCalls {
  return {
    async buy(tool, { maxAgeSeconds = DEFAULT_MAX_AGE_SECONDS, ...args }, { deps, ...by }) {
      const buying = createBuying(deps, {
        ...{ ...by, maxAgeSeconds: maxAgeSeconds as number },
        what: `${tool.name} ${JSON.stringify(args)}`,
      });
      const bought = await tool.buy(client, buying, args, by.context.mcpReq.signal);
      const reused = buying.reused();
      const note = reused && describeReuse(reused, now());
      return sold(
        { ...present(tool, bought.data), ...note },
        receiptOf(bought.payment),
        by.context,
      );
    },

    async passThrough(tool, args, context) {
      const { signal, _meta } = context.mcpReq;
      const payment = _meta?.[PAYMENT_KEY];
      const { maxAgeSeconds: _, ...asked } = args;
      const payer = createPassThroughPayment(payment === undefined ? undefined : Object(payment));
      const { data } = await tool.buy(client, payer, asked, signal);
      return sold(present(tool, data), payer.receipt(), context);
    },
  };
}

function present(tool: PaidTool, answer: unknown): object {
  return tool.present?.(answer) ?? (answer as object);
}
