import http from 'node:http';
import https from 'node:https';
import { createGunzip } from 'node:zlib';
import { createSemaphore } from '../runtime/semaphore.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly retryAfterSeconds: number | null;
  readonly body: string;
}

/** Why no complete response came; does not contain the URL. */
export class PostFailed extends Error {
  readonly reason: 'connection' | 'timeout' | 'garbage' | 'oversized' | 'aborted';

  constructor(reason: PostFailed['reason']) {
    super(reason);
    this.name = 'PostFailed';
    this.reason = reason;
  }
}

export interface HttpPost {
  send(body: string, signal?: AbortSignal): Promise<HttpAnswer>;
  close(): void;
}

/**
 * POSTs JSON to one URL over kept-alive sockets. node:http rather than fetch: 140 µs of CPU per small request against
 * 640. At most `sockets` requests are in flight; the timeout of a waiting one does not run.
 */
export function createHttpPost(options: {
  url: string;
  timeoutMs: number;
  maxBodyBytes: number;
  sockets: number;
}): HttpPost {
  const url = new URL(options.url);
  const secure = url.protocol === 'https:';
  const transport = secure ? https : http;
  const agent = new transport.Agent({ keepAlive: true, maxSockets: options.sockets });
  const target = {
    agent,
    method: 'POST',
    // URL keeps the brackets of an IPv6 host; sockets need it without them.
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
  };
  const headers: http.OutgoingHttpHeaders = {
    'content-type': 'application/json',
    accept: 'application/json',
    // Compression is worthwhile over a network, not over a local socket.
    ...(secure ? { 'accept-encoding': 'gzip' } : {}),
    ...authorization(url),
  };
  const stops = new Set<() => void>();
  let closed = false;
  const posts = createSemaphore({ atOnce: options.sockets });

  return {
    send: (body, signal) => posts.run(() => post(Buffer.from(body), signal, true)),
    close,
  };

  function post(
    body: Buffer,
    signal: AbortSignal | undefined,
    again: boolean,
  ): Promise<HttpAnswer> {
    if (closed || signal?.aborted) {
      return Promise.reject(new PostFailed('aborted'));
    }
    return new Promise<HttpAnswer>((resolve, reject) => {
      const request = transport.request({
        ...target,
        headers: { ...headers, 'content-length': body.length },
      });
      const timer = setTimeout(() => stop('timeout'), options.timeoutMs);
      const abort = () => stop('aborted');
      signal?.addEventListener('abort', abort, { once: true });
      stops.add(abort);
      let final = false;

      request.on('response', (response) => {
        final = true;
        readBody(response, options.maxBodyBytes).then(
          (text) => {
            finish();
            resolve({
              status: response.statusCode ?? 0,
              retryAfterSeconds: retryAfter(response.headers['retry-after']),
              body: text,
            });
          },
          (error) => stop(error instanceof PostFailed ? error.reason : 'connection'),
        );
      });
      request.on('error', () => {
        finish();
        // The server may close an idle socket as it is reused; reads are safe to send again.
        if (again && !final && request.reusedSocket) resolve(post(body, signal, false));
        else reject(new PostFailed('connection'));
      });
      request.end(body);

      function finish(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        stops.delete(abort);
      }

      function stop(reason: PostFailed['reason']): void {
        final = true;
        finish();
        reject(new PostFailed(reason));
        request.destroy();
      }
    });
  }

  function close(): void {
    closed = true;
    for (const stop of [...stops]) stop();
    agent.destroy();
  }
}

async function readBody(response: http.IncomingMessage, maxBytes: number): Promise<string> {
  const zipped = response.headers['content-encoding'] === 'gzip';
  const stream = zipped ? response.pipe(createGunzip()) : response;
  if (zipped) response.on('error', (error) => stream.destroy(error));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) reject(new PostFailed('oversized'));
      else chunks.push(chunk);
    });
    stream.on('end', () => resolve(Buffer.concat(chunks, bytes).toString()));
    stream.on('error', () => reject(new PostFailed(zipped ? 'garbage' : 'connection')));
  });
}

/** fetch and node:http reject or drop `user:pass@`, which is in many providers' URLs. */
function authorization(url: URL): http.OutgoingHttpHeaders {
  if (url.username === '' && url.password === '') return {};
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

export function retryAfter(header: string | undefined): number | null {
  if (header === undefined) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds) && seconds >= 0) return Math.ceil(seconds);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
