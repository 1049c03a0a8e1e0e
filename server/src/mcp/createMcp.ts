import { type Client, type Payer, riskMethodology } from '@assay/client';
import {
  fromJsonSchema,
  McpServer,
  ResourceTemplate,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { type JsonSchema, withoutWords } from '../domain/jsonSchema.ts';
import type { Methodology } from '../domain/risk/grade/methodology.ts';
import { methodologyPage } from '../domain/risk/grade/methodologyPage.ts';
import type { ApiOperations } from './apiOperations.ts';
import { createGuest } from './guest.ts';
import { PAID_TOOLS, type PaidTool } from './paidTools.ts';
import { type DueDiligence, dueDiligence } from './prompt.ts';
import { answered, failed, PAYMENT_KEY, receiptOf, sold } from './results.ts';
import { readSeries, readSeriesUri, SERIES_TEMPLATE } from './series.ts';
import type { FreeTool, ToolArguments } from './tool.ts';
import { TOOLS } from './tools.ts';

export interface McpDeps {
  readonly client: Client;
  readonly operations: ApiOperations;
  readonly version: string;
  /** Called with what was answered as a bare failure. */
  readonly onError: (error: unknown) => void;
}

/** Makes a server for each connection or request; with a payer, it pays for who brings no payment. */
export function createMcp(deps: McpDeps): (payer: Payer | undefined) => McpServer {
  const { client, operations, onError } = deps;
  const tools = TOOLS.filter((tool) => tool.operations.every((name) => operations.has(name)));
  const paid = PAID_TOOLS.filter(({ operation }) => operations.has(operation));
  const free = tools.map((tool) => ({ tool, ...describeFree(tool) }));
  const priced = paid.map((tool) => ({ tool, ...describePaid(tool) }));
  const diligence = schema<DueDiligence>({
    type: 'object',
    properties: {
      slug: { type: 'string', description: 'Slug of the vault family, as assay_vaults lists it.' },
      budgetUsd: { type: 'string', description: 'The most to spend on paid calls, in USD.' },
    },
    required: ['slug'],
  });
  return create;

  function create(payer: Payer | undefined): McpServer {
    const server = new McpServer(
      { name: 'assay', title: 'Assay: vaults and risk', version: deps.version },
      { instructions: INSTRUCTIONS },
    );
    for (const { tool, config } of free) {
      server.registerTool(tool.name, config, (args, { mcpReq }) =>
        settled(async () => answered(await tool.run(client, args, mcpReq.signal))),
      );
    }
    for (const { tool, config } of priced) {
      server.registerTool(tool.name, config, (args, context) =>
        settled(() => buy(tool, args, context, payer)),
      );
    }
    registerResources(server);
    server.registerPrompt(
      'assay_due_diligence',
      {
        title: 'Due diligence of a vault',
        description: 'Looks into a vault family step by step, and reports what was found.',
        argsSchema: diligence,
      },
      (args) => ({
        messages: [
          { role: 'user', content: { type: 'text', text: dueDiligence(args, paid.length > 0) } },
        ],
      }),
    );
    return server;
  }

  async function buy(
    tool: PaidTool,
    args: ToolArguments,
    { mcpReq }: ServerContext,
    payer: Payer | undefined,
  ) {
    const { signal, _meta } = mcpReq;
    const payment = _meta?.[PAYMENT_KEY];
    const present = (answer: unknown) => tool.present?.(answer) ?? (answer as object);
    if (payer !== undefined && payment === undefined) {
      const bought = await tool.buy(client, payer, args, signal);
      return sold(present(bought.answer), receiptOf(bought.payment));
    }
    const guest = createGuest(payment === undefined ? undefined : Object(payment));
    const { answer } = await tool.buy(client, guest, args, signal);
    return sold(present(answer), guest.receipt());
  }

  function registerResources(server: McpServer): void {
    if (operations.has('riskMethodology')) {
      server.registerResource(
        'methodology',
        'assay://methodology',
        {
          title: 'How risk is graded',
          description:
            'The grading method: factors, weights, floors, and how it held against losses.',
          mimeType: 'text/markdown',
        },
        async ({ href: uri }, { mcpReq: { signal } }) => {
          const method = (await riskMethodology(client, { signal })) as unknown as Methodology;
          return { contents: [{ uri, mimeType: 'text/markdown', text: methodologyPage(method) }] };
        },
      );
    }
    server.registerResource(
      'series',
      new ResourceTemplate(SERIES_TEMPLATE, { list: undefined }),
      {
        title: 'A whole series of a vault family',
        description:
          'figure is apy, tvl or price; interval is raw, hour or day; from and to are dates, or - for an open end.',
        mimeType: 'application/json',
      },
      async (uri, _variables, { mcpReq: { signal } }) => {
        const asked = readSeriesUri(uri);
        if (asked === undefined) throw new Error(`there is no series ${uri.href}`);
        const text = JSON.stringify(await readSeries(client, asked, signal));
        return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
      },
    );
  }

  async function settled<Result>(work: () => Promise<Result>) {
    try {
      return await work();
    } catch (error) {
      const known = failed(error);
      if (known !== undefined) return known;
      onError(error);
      throw new Error('unexpected failure; nothing is known of its cause here');
    }
  }

  function describeFree(tool: FreeTool) {
    const of = tool.operations.map((name) => operations.get(name)!);
    const ages = of.flatMap(({ maxAge }) => maxAge ?? []);
    const age = ages.length === 0 ? 'Made anew each time' : `At most ${Math.max(...ages)} s old`;
    return {
      config: {
        title: tool.title,
        description: `${tool.description} Free. ${age}.`,
        inputSchema: schema<ToolArguments>(tool.input?.(of) ?? of[0]!.input),
        outputSchema: schema(withoutWords(tool.output?.(of) ?? of[0]!.output)),
        annotations: { readOnlyHint: true, openWorldHint: true },
      },
    };
  }

  function describePaid(tool: PaidTool) {
    const of = operations.get(tool.operation)!;
    const answer = withoutWords(tool.output?.(of) ?? of.output);
    // A client may check the invoice against this, too.
    const output = of.invoice === undefined ? answer : { type: 'object', anyOf: [answer, INVOICE] };
    const price = `Price: ${of.priceUsd ?? 'see the invoice'} USD (x402), only for an answer. Made when asked, from the newest facts.`;
    return {
      config: {
        title: tool.title,
        description: `${tool.description} ${price}`,
        inputSchema: schema<ToolArguments>(of.input),
        outputSchema: schema(output),
        // It spends money, and doing it twice costs twice.
        annotations: {
          readOnlyHint: false,
          destructiveHint: false,
          idempotentHint: false,
          openWorldHint: true,
        },
      },
    };
  }
}

const INSTRUCTIONS =
  'Tokenised vaults and risk grades. Begin with assay_vaults; assay_status says how fresh everything is. Amounts are strings of base units, rates are fractions, null is not known. Tools whose description names a price answer PaymentRequired (x402, version 2) until they are paid: sign accepts[0] and call again with the payment in _meta["x402/payment"].';

/** As far as a client needs it to tell an invoice from an answer; the invoice carries its own words. */
const INVOICE: JsonSchema = {
  type: 'object',
  properties: { x402Version: { const: 2 }, error: { type: 'string' }, accepts: { type: 'array' } },
  required: ['x402Version', 'accepts'],
};

/** Compiled once: there is a server for each request. */
function schema<Value>(of: JsonSchema): StandardSchemaWithJSON<Value, Value> {
  return fromJsonSchema<Value>(of as never);
}
