import type { Readable, Writable } from 'node:stream';
import type { Client, Payer } from '@assay/client';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type FlagValues, readWholeNumber } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { type ApiOperations, readOperations } from '../mcp/apiOperations.ts';
import { createMcp } from '../mcp/createMcp.ts';
import { serveMcpHttp } from '../mcp/serveHttp.ts';
import { defineCommand, type Terminal } from './command.ts';
import { BUDGET_FLAGS, type BudgetSettings, openBudget, readBudget } from './read/agentBudget.ts';
import type { ReadFailure } from './read/failures.ts';
import { describePaidFailure } from './read/paidFailures.ts';
import { openClient, READ_FLAGS, tell } from './read/readCommand.ts';

interface McpArgs {
  readonly url: string | undefined;
  /** Undefined: over stdio. */
  readonly http: number | undefined;
  /** Undefined: agents bring payments of their own. */
  readonly budget: BudgetSettings | undefined;
}

/** Shorter ones can be guessed. */
const LEAST_TOKEN = 16;

export const command = defineCommand<McpArgs>({
  usage: 'assay mcp [flags]',
  details: [
    'Serves tools over stdin and stdout, as agents start it themselves, or with --http over streamable HTTP, for this',
    'machine only. Paid tools ask for a payment (x402), or with --daily-usd spend the money of whoever runs this;',
    'over HTTP only for who sends the token of $ASSAY_MCP_TOKEN. docs/agents.md lists the tools.',
  ].join('\n'),
  examples: [
    'assay mcp --url https://api.example.com',
    'assay mcp --http 8090',
    'assay mcp --daily-usd 1 --max-usd 0.05',
  ],
  flags: {
    url: READ_FLAGS.url,
    http: { value: 'PORT', text: 'serve http://127.0.0.1:PORT/mcp instead of stdio' },
    ...BUDGET_FLAGS,
  },
  read(flags: FlagValues) {
    return {
      url: flags.get('url'),
      http: readWholeNumber(flags, 'http', { from: 0, to: 65_535 }),
      budget: readBudget(flags),
    };
  },
  async run({ url, http, budget }, terminal) {
    const client = openClient({ url, form: 'json' }, terminal);
    const token = budget && http !== undefined ? readToken(terminal) : undefined;
    let operations: ApiOperations;
    let payer: Payer | undefined;
    try {
      operations = await readOperations(client);
      payer = budget && (await openBudget(client, budget, terminal));
    } catch (error) {
      return tell(explain(error, client), terminal);
    }
    const onError = (error: unknown) => complain(terminal, error);
    const create = createMcp({ client, operations, version: terminal.version, onError });
    if (http === undefined) return serveOnce(terminal, () => create(payer), onError);
    const spending = payer && token !== undefined ? { payer, token } : undefined;
    const served = await serveMcpHttp({ port: http, create, budget: spending, onError });
    const ended = signalled();
    terminal.errors.write(`the tools are at ${served.url}\n`);
    await ended;
    await served.close();
    return 0;
  },
});

function readToken({ env }: Terminal): string {
  const token = env.ASSAY_MCP_TOKEN ?? '';
  if (token.length >= LEAST_TOKEN && /^\S+$/.test(token)) return token;
  throw new UsageError(
    `over HTTP money is spent only for who has a token: set ASSAY_MCP_TOKEN to ${LEAST_TOKEN} characters or more`,
  );
}

function explain(error: unknown, client: Client): ReadFailure {
  const known = describePaidFailure(error, client.url);
  if (known === undefined) throw error;
  return known;
}

/** Over stdio, until whoever started it hangs up. Only the protocol may be written to the output. */
async function serveOnce(
  { input, output }: Terminal,
  create: Parameters<typeof serveStdio>[0],
  onerror: (error: unknown) => void,
): Promise<number> {
  const transport = new StdioServerTransport(input as Readable, output as Writable);
  const ended = new Promise<void>((resolve) => input.once('end', resolve).once('close', resolve));
  const served = serveStdio(create, { transport, onerror });
  await Promise.race([ended, signalled()]);
  await served.close();
  return 0;
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

/** Of an error whose words are not our own, only the class is told. */
function complain({ errors }: Terminal, error: unknown): void {
  errors.write(`assay: ${error instanceof Error ? error.name : typeof error}\n`);
}
