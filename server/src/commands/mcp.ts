import type { Readable, Writable } from 'node:stream';
import type { Client } from '@assay/client';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type FlagValues, readWholeNumber } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { type ApiOperations, readOperations, readOwnDocument } from '../mcp/apiOperations.ts';
import type { AgentBudget } from '../mcp/budget.ts';
import { createMcp } from '../mcp/createMcp.ts';
import { serveMcpHttp } from '../mcp/serveHttp.ts';
import { defineCommand, type Terminal } from './command.ts';
import { BUDGET_FLAGS, type BudgetSettings, openBudget, readBudget } from './read/agentBudget.ts';
import type { ReadFailure } from './read/failures.ts';
import { describePaidFailure } from './read/paidFailures.ts';
import { openClient, printFailure, READ_FLAGS } from './read/readCommand.ts';
import { readSecret } from './readSecret.ts';

interface McpArgs {
  readonly url: string | undefined;
  /** Undefined: serve over stdio. */
  readonly http: number | undefined;
  /** The URL at which a proxy serves it to other machines. */
  readonly publicUrl: URL | undefined;
  /** Undefined: agents bring their own payments. */
  readonly budget: BudgetSettings | undefined;
}

/** Shorter tokens can be guessed. */
const MIN_TOKEN = 16;

export const command = defineCommand<McpArgs>({
  usage: 'assay mcp [flags]',
  details: [
    'Serves MCP tools over stdin and stdout, or with --http over streamable HTTP on',
    'this machine. With --public-url, a proxy can serve them to clients with a token',
    '($ASSAY_MCP_TOKEN). Paid tools return a payment request (x402), or pay with your',
    'key up to --daily-usd. Over HTTP, that requires a token. See docs/agents.md.',
  ].join('\n'),
  examples: [
    'assay mcp --url https://api.example.com',
    'assay mcp --http 8090',
    'assay mcp --daily-usd 1 --max-usd 0.05',
  ],
  flags: {
    url: READ_FLAGS.url,
    http: { value: 'PORT', text: 'Serve http://127.0.0.1:PORT/mcp instead of stdio' },
    'public-url': { value: 'URL', text: 'https URL at which a proxy serves it; needs tokens' },
    ...BUDGET_FLAGS,
  },
  read(flags: FlagValues) {
    return {
      url: flags.get('url'),
      http: readWholeNumber(flags, 'http', { from: 0, to: 65_535 }),
      publicUrl: readPublicUrl(flags),
      budget: readBudget(flags),
    };
  },
  async run({ url, http, publicUrl, budget: settings }, terminal) {
    const client = openClient({ url }, terminal);
    const isOpen = http === undefined || (settings === undefined && publicUrl === undefined);
    const tokens = isOpen ? [] : readTokens(terminal);
    let operations: ApiOperations;
    let budget: AgentBudget | undefined;
    try {
      operations = await readOperations(client, await readOwnDocument());
      budget = settings && (await openBudget(client, settings, terminal));
    } catch (error) {
      return printFailure(explain(error, client), terminal);
    }
    const onError = (error: unknown) => complain(terminal, error);
    const create = createMcp({ client, operations, version: terminal.version, budget, onError });
    if (http === undefined) return serveOnce(terminal, () => create({ maySpend: true }), onError);
    const served = await serveMcpHttp({ port: http, create, tokens, publicUrl, onError });
    const ended = signalled();
    terminal.errors.write(`the MCP tools are at ${served.url}\n`);
    await ended;
    await served.close();
    return 0;
  },
});

/** Tokens are separated by white space, for example one per machine on its own line. */
function readTokens({ env }: Terminal): readonly string[] {
  const tokens = (readSecret(env, 'ASSAY_MCP_TOKEN') ?? '').split(/\s+/).filter((token) => token);
  if (tokens.length > 0 && tokens.every(({ length }) => length >= MIN_TOKEN)) return tokens;
  throw new UsageError(
    `--http with --daily-usd or --public-url needs tokens: set ASSAY_MCP_TOKEN or ASSAY_MCP_TOKEN_FILE to one or more tokens of at least ${MIN_TOKEN} characters`,
  );
}

function readPublicUrl(flags: FlagValues): URL | undefined {
  const text = flags.get('public-url');
  if (text === undefined) return undefined;
  if (!flags.has('http')) throw new UsageError('--public-url needs HTTP: add --http PORT');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' && url.username === '') return url;
  throw new UsageError('--public-url must be an https URL, such as https://mcp.example.com/mcp');
}

function explain(error: unknown, client: Client): ReadFailure {
  const known = describePaidFailure(error, client.url);
  if (known === undefined) throw error;
  return known;
}

/** Serves over stdio until the client closes the stream. Only the protocol may be written to standard output. */
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

/** Prints only the class of a third-party error, because its message may contain secrets. */
function complain({ errors }: Terminal, error: unknown): void {
  errors.write(`assay: ${error instanceof Error ? error.name : typeof error}\n`);
}
