import { type Client, getOffer, type Price } from '@assay/client';
import type { JsonSchema } from '../domain/jsonSchema.ts';
import { type AgentBudget, listSpend, readBudget, usdText } from './budget.ts';
import { schema } from './describe.ts';
import type { PaidTool } from './paidTools.ts';
import { NotSold } from './passThroughPayment.ts';
import type { ToolArguments } from './tool.ts';

const MAX_PAYMENTS = 100;

/** A tool about purchases that does not need the server's tools. */
export interface OwnTool {
  readonly name: `assay_${string}`;
  readonly config: ReturnType<typeof describe>;
  run(args: ToolArguments, signal: AbortSignal): Promise<object>;
}

function describe(title: string, description: string, input: JsonSchema) {
  return {
    title,
    description,
    inputSchema: schema<ToolArguments>({ type: 'object', additionalProperties: false, ...input }),
    annotations: { readOnlyHint: true },
  };
}

/** The current price of a paid call. */
export function quoteTool(
  client: Client,
  paid: readonly { readonly tool: PaidTool; readonly config: { readonly inputSchema: object } }[],
  budget: AgentBudget | undefined,
): OwnTool {
  return {
    name: 'assay_quote',
    config: describe(
      'Quote a paid tool',
      'Current price of a call of a paid tool, without paying. High volume can raise the price; nothing is paid above the caps.',
      {
        properties: {
          tool: { type: 'string', enum: paid.map(({ tool }) => tool.name) },
          arguments: { type: 'object', description: 'Arguments of that tool.' },
        },
        required: ['tool'],
      },
    ),
    async run({ tool: name, arguments: given = {} }, signal) {
      const { tool, config } = paid.find((one) => one.tool.name === name)!;
      const { maxAgeSeconds: _, ...args } = given as ToolArguments;
      checkArguments(config.inputSchema, args);
      const quoting = {
        async buy(url: string) {
          const data = await quote(url);
          return { data, answer: data, payment: null };
        },
      };
      const { data } = await tool.buy(client, quoting, args, signal);
      return data as object;

      async function quote(url: string): Promise<object> {
        const price = budget
          ? await budget.payer.quote(url, { signal })
          : ((await getOffer(client, url, { signal }))?.prices[0] ?? null);
        return presentPrice(tool.name, price);
      }
    },
  };
}

/** Only fields of the payment protocol, so that a server cannot add prose. */
function presentPrice(tool: string, price: Price | null) {
  if (price === null) return { tool, usd: '0.00', amount: '0' };
  const { amount, network, asset, payTo } = price;
  const isPlain =
    /^[a-z0-9-]{1,16}:[a-z0-9]{1,40}$/i.test(network) &&
    [asset, payTo].every((address) => /^0x[0-9a-f]{40}$/i.test(address));
  if (!isPlain) throw new NotSold("the server's invoice has an unsupported format");
  return { tool, usd: usdText(amount), amount: String(amount), network, asset, payTo };
}

function checkArguments(inputSchema: object, args: ToolArguments): void {
  const { validate } = (inputSchema as ReturnType<typeof schema>)['~standard'];
  const checked = validate(args) as { issues?: readonly { readonly message: string }[] };
  if (checked.issues === undefined) return;
  throw new NotSold(`arguments: ${checked.issues.map(({ message }) => message).join('; ')}`);
}

/** The operator's spend and budget. */
export function budgetTools(budget: AgentBudget, now: () => number): readonly OwnTool[] {
  return [
    {
      name: 'assay_budget',
      config: describe(
        'Read the budget',
        'Amount spent, amount left for today and for the next call, and open payments that can still be charged.',
        { properties: {} },
      ),
      run: () => readBudget(budget, now()),
    },
    {
      name: 'assay_spend',
      config: describe(
        'List payments',
        'Payments, newest first, with amount, recipient, outcome, and transaction.',
        {
          properties: { limit: { type: 'integer', minimum: 1, maximum: MAX_PAYMENTS } },
        },
      ),
      run: ({ limit }) => listSpend(budget, limit as number | undefined),
    },
  ];
}
