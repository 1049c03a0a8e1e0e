import type { Readable, Writable } from 'node:stream';
import { type Client, createClient, isAssayError } from '@assay/client';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type FlagValues, readWholeNumber } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { type ApiOperations, readOperations } from '../mcp/apiOperations.ts';
import { createMcp } from '../mcp/createMcp.ts';
import { serveMcpHttp } from '../mcp/serveHttp.ts';
import { defineCommand, type Terminal } from './command.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';

interface McpArgs {
  readonly url: string;
  /** Undefined: over stdio. */
  readonly http: number | undefined;
}

export const command = defineCommand<McpArgs>({
  usage: 'assay mcp [--url URL] [--http PORT]',
  details: [
    'Serves tools over stdin and stdout, as agents start it themselves, or with --http over streamable HTTP at',
    'http://127.0.0.1:PORT/mcp, for this machine only. docs/agents.md lists the tools.',
  ].join('\n'),
  flags: {
    url: { value: 'URL', text: `the Assay server (default ${DEFAULT_URL})` },
    http: { value: 'PORT', text: 'serve HTTP on this port instead of stdio' },
  },
  read(flags: FlagValues) {
    return {
      url: readUrl(flags.get('url') ?? DEFAULT_URL),
      http: readWholeNumber(flags, 'http', { from: 0, to: 65_535 }),
    };
  },
  async run({ url, http }, terminal) {
    const client = createClient({ url });
    const onError = (error: unknown) => tell(terminal, error);
    const operations = await load(client);
    const create = createMcp({ client, operations, version: terminal.version, onError });
    if (http === undefined) return serveOnce(terminal, () => create(undefined), onError);
    const served = await serveMcpHttp({ port: http, create, budget: undefined, onError });
    terminal.errors.write(`the tools are at ${served.url}\n`);
    await signalled();
    await served.close();
    return 0;
  },
});

function readUrl(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new UsageError(`--url must be the address of a server, such as ${DEFAULT_URL}`);
}

async function load(client: Client): Promise<ApiOperations> {
  try {
    return await readOperations(client);
  } catch (error) {
    if (!isAssayError(error)) throw error;
    throw new UsageError(
      `no Assay server answers at ${client.url}; start one there, or name another with --url`,
    );
  }
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
function tell({ errors }: Terminal, error: unknown): void {
  errors.write(`assay: ${error instanceof Error ? error.name : typeof error}\n`);
}
