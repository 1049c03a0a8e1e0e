import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { createCsv, csvHeader } from '../../export/cells.ts';
import type { TableQuery } from '../../export/readTable.ts';
import { pause } from '../../runtime/pause.ts';
import { chooseEncoding, type Encoding } from '../compression.ts';
import { requestIdHeader } from '../exchange.ts';
import { CORS_HEADERS, SECURITY_HEADERS } from '../headers.ts';
import type { OnError } from '../httpServer.ts';
import { NotReady, TooMany } from '../problem.ts';

interface Opening {
  readonly query: TableQuery;
  /** Lines of the pages; see readTable. */
  readonly lines: AsyncGenerator<string>;
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
}

/** Streams of whole tables. */
export interface ExportStreams {
  /** Sends a table. If it can't, it throws before the response begins. */
  open(opening: Opening): Promise<void>;
  /** Cuts all streams, so that clients continue at another server. */
  close(): void;
}

const MAX_EXPORTS = 2;
/** One client must not keep the others out. */
const MAX_EXPORTS_PER_CLIENT = 1;
const MAX_RESTS = 8;
const MAX_REST_MS = 200;

/**
 * How long an export rests after a page, because other requests come first: for as long as the page took, and the busier
 * the event loop was since the page before (0 to 1), the longer, up to `MAX_RESTS` times.
 */
export function restMs(pageMs: number, utilization: number): number {
  return Math.min(MAX_REST_MS, pageMs * (1 + (MAX_RESTS - 1) * utilization));
}

interface ExportStreamsDeps {
  readonly onError: OnError;
  /** Undefined: this client is not counted. */
  readonly clientOf: (request: IncomingMessage) => string | undefined;
}

export function createExportStreams({ onError, clientOf }: ExportStreamsDeps): ExportStreams {
  const open = new Map<ServerResponse, string | undefined>();
  let isClosed = false;
  return {
    async open({ query, lines, raw, response }) {
      if (isClosed) throw new NotReady('The server is stopping. Connect again.');
      if (open.size >= MAX_EXPORTS) {
        throw new TooMany(`${MAX_EXPORTS} exports are in progress; try again when one has ended`);
      }
      const client = clientOf(raw);
      const own = [...open.values()].filter((one) => one === client).length;
      if (client !== undefined && own >= MAX_EXPORTS_PER_CLIENT) {
        throw new TooMany(
          'Another export to this address is in progress; try again when it has ended',
        );
      }
      open.set(response, client);
      response.once('close', () => open.delete(response));
      try {
        // The first page shows whether the rows can be read.
        const first = raw.method === 'HEAD' ? undefined : await lines.next();
        const encoding = encodingOf(raw);
        response.writeHead(200, {
          ...SECURITY_HEADERS,
          ...CORS_HEADERS.open,
          ...requestIdHeader(response),
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${query.table.name}.csv"`,
          'cache-control': 'no-store',
          vary: 'accept-encoding',
          ...(encoding !== 'identity' && { 'content-encoding': encoding }),
        });
        if (first === undefined) response.end();
        else void send(query, first, lines, response, encoding);
      } catch (error) {
        open.delete(response);
        throw error;
      }
    },
    close() {
      isClosed = true;
      for (const response of open.keys()) response.destroy();
    },
  };

  async function send(
    { table, cursor }: TableQuery,
    first: IteratorResult<string>,
    lines: AsyncGenerator<string>,
    response: ServerResponse,
    encoding: Encoding,
  ): Promise<void> {
    const left = new AbortController();
    // The client may have left during the first page.
    if (response.destroyed) left.abort();
    response.once('close', () => left.abort());
    const { signal } = left;
    const out = compressInto(response, encoding);
    const toCsv = createCsv(table.columns);
    let before = performance.eventLoopUtilization();
    try {
      // Who continues has the header.
      if (cursor === undefined) await write(out, csvHeader(table.columns), signal);
      for (let page = first; !page.done && !signal.aborted; ) {
        await write(out, toCsv(page.value), signal);
        const start = performance.now();
        page = await lines.next();
        const { utilization } = performance.eventLoopUtilization(before);
        before = performance.eventLoopUtilization();
        await pause(restMs(performance.now() - start, utilization), signal);
      }
      if (!signal.aborted) out.end();
    } catch (error) {
      // A response that is cut is not taken for the whole table.
      if (!signal.aborted) onError(error);
      response.destroy();
    } finally {
      if (signal.aborted) out.destroy();
      await lines.return(undefined);
    }
  }
}

function compressInto(response: ServerResponse, encoding: Encoding): Writable {
  if (encoding === 'identity') return response;
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 1 };
  const compressed =
    encoding === 'br' ? createBrotliCompress({ params: quality }) : createGzip({ level: 1 });
  compressed.pipe(response);
  response.once('close', () => compressed.destroy());
  return compressed;
}

/** Waits until the client has read enough. */
async function write(out: Writable, data: string | Buffer, signal: AbortSignal): Promise<void> {
  if (!out.write(data)) await once(out, 'drain', { signal });
}

function encodingOf({ headers }: IncomingMessage): Encoding {
  const value = headers['accept-encoding'];
  return chooseEncoding(Array.isArray(value) ? value.join(',') : value);
}
