import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const PROGRAM = fileURLToPath(new URL('../bin/assay.mjs', import.meta.url));

/** A raw result of any method. */
export interface Result {
  readonly isError?: boolean;
  readonly content?: readonly { readonly type: string; readonly text?: string; uri?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly outputSchema?: object;
}

/** Common interface of both generations of the official client. */
export interface McpClient {
  readonly protocol: string | undefined;
  tools(): Promise<readonly Tool[]>;
  call(name: string, args: object, meta?: object): Promise<Result>;
  read(uri: string): Promise<{ mimeType?: string; text?: string }>;
  prompt(name: string, args: Record<string, string>): Promise<string>;
  close(): Promise<void>;
}

export interface StdioTarget {
  /** Arguments after `assay mcp`. */
  readonly args: readonly string[];
  /** Its working directory. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

export type Generation = 'of 2026' | 'of 2025';

/** Answers a form for the user. With it, the client declares support for forms. */
export type Elicited = (message: string) => {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, boolean>;
};

const INFO = { name: 'test', version: '1.0.0' };

/** Connects over stdio to the built `assay mcp` in its own process, or over HTTP to the given URL. */
export async function connectMcp(
  generation: Generation,
  to:
    | StdioTarget
    | { readonly url: string; readonly token?: string; readonly fetch?: typeof fetch },
  elicited?: Elicited,
): Promise<McpClient> {
  const headers: Record<string, string> =
    'token' in to ? { authorization: `Bearer ${to.token}` } : {};
  const options = {
    requestInit: { headers },
    ...('fetch' in to && to.fetch !== undefined && { fetch: to.fetch }),
  };
  const capabilities = elicited === undefined ? {} : { elicitation: { form: {} } };
  if (generation === 'of 2026') {
    const client = new Client(INFO, { versionNegotiation: { mode: 'auto' }, capabilities });
    if (elicited) {
      client.setRequestHandler('elicitation/create', ({ params }) => elicited(params.message));
    }
    await client.connect(
      'url' in to
        ? new StreamableHTTPClientTransport(new URL(to.url), options)
        : new StdioClientTransport(programOf(to)),
    );
    return wrap(client as never, client.getNegotiatedProtocolVersion());
  }
  const client = new OldClient(INFO, { capabilities });
  if (elicited) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicited(params.message));
  }
  const transport =
    'url' in to
      ? new OldHttpTransport(new URL(to.url), options)
      : new OldStdioTransport(programOf(to));
  await client.connect(transport as never);
  return wrap(client as never, (transport as OldHttpTransport).protocolVersion);
}

function programOf({ args, folder, env }: StdioTarget) {
  return {
    command: process.execPath,
    args: [PROGRAM, 'mcp', ...args],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...env },
  };
}

function wrap(client: OldClient, protocol: string | undefined): McpClient {
  return {
    protocol,
    tools: async () => (await client.listTools()).tools as readonly Tool[],
    call: (name, args, meta) =>
      client.callTool({
        name,
        arguments: { ...args },
        ...(meta && { _meta: { ...meta } }),
      }) as Promise<Result>,
    async read(uri) {
      const { contents } = await client.readResource({ uri });
      return contents[0] as { mimeType?: string; text?: string };
    },
    async prompt(name, args) {
      const { messages } = await client.getPrompt({ name, arguments: args });
      return (messages[0]!.content as { text: string }).text;
    },
    close: () => client.close(),
  };
}
