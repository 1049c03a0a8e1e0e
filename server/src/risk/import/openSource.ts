import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { JSON_LIMITS } from './jsonItems.ts';

/** A document that can be read repeatedly. */
export interface SourceDocument {
  /** The file's name, or the host of the URL. */
  readonly name: string;
  readonly bytes: number;
  open(): AsyncIterable<Uint8Array>;
  /** Removes the downloaded file. */
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** Names only the host, because the rest of a URL may contain a key. */
export class SourceUnreachable extends Error {
  override readonly name = 'SourceUnreachable';

  constructor(host: string, reason: string) {
    super(`${host}: ${reason}; try again later, or download the file and name it instead`);
  }
}

export class SourceUnreadable extends Error {
  override readonly name = 'SourceUnreadable';
  readonly reason: string;

  constructor(file: string, reason: string) {
    super(`${file}: ${reason}`);
    this.reason = reason;
  }
}

const DEFAULTS = { timeoutMs: 120_000, maxBytes: JSON_LIMITS.maxDocumentBytes };

/** Opens a file, or downloads an http(s) URL completely: an incomplete list is never imported. */
export async function openSource(
  location: string,
  options: OpenOptions = {},
): Promise<SourceDocument> {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(location)) return openFile(location, options);
  if (!URL.canParse(location) || !/^https?:/i.test(location)) {
    throw new SourceUnreadable('the source', 'it is no http or https URL; check how it is written');
  }
  return download(new URL(location), options);
}

async function openFile(file: string, { maxBytes = DEFAULTS.maxBytes }: OpenOptions) {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new SourceUnreadable(file, unreadable(error.code));
  });
  if (!found.isFile()) throw new SourceUnreadable(file, 'this is no file; name a file');
  if (found.size > maxBytes) {
    throw new SourceUnreadable(file, `the file is over ${maxBytes} bytes; split it`);
  }
  return document(basename(file), found.size, file, async () => {});
}

async function download(url: URL, options: OpenOptions): Promise<SourceDocument> {
  const { timeoutMs = DEFAULTS.timeoutMs, maxBytes = DEFAULTS.maxBytes, signal } = options;
  const folder = await mkdtemp(join(tmpdir(), 'assay-risk-'));
  const close = () => rm(folder, { recursive: true, force: true });
  const file = join(folder, 'source');
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(url, {
      headers: { accept: 'application/json' },
      // Public lists move, so redirects are followed. The URL is not sent along, because it may contain a secret.
      redirect: 'follow',
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    });
    if (!answer.ok || answer.body === null) {
      throw new SourceUnreachable(url.host, `it answered ${answer.status}`);
    }
    await pipeline(
      Readable.fromWeb(answer.body as import('node:stream/web').ReadableStream),
      (chunks: AsyncIterable<Uint8Array>) => capped(chunks, maxBytes, url.host),
      createWriteStream(file),
    );
    return document(url.host, (await stat(file)).size, file, close);
  } catch (error) {
    await close();
    if (error instanceof SourceUnreachable) throw error;
    if (signal?.aborted) throw new SourceUnreachable(url.host, 'the download was stopped');
    const late = deadline.aborted;
    const reason = late ? `no whole answer within ${timeoutMs / 1000} s` : 'the connection failed';
    throw new SourceUnreachable(url.host, reason);
  }
}

async function* capped(chunks: AsyncIterable<Uint8Array>, maxBytes: number, host: string) {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new SourceUnreachable(host, `the answer is over ${maxBytes} bytes`);
    yield chunk;
  }
}

function document(
  name: string,
  bytes: number,
  file: string,
  close: () => Promise<void>,
): SourceDocument {
  return { name, bytes, open: () => createReadStream(file), close };
}

export function unreadable(code: string | undefined): string {
  if (code === 'ENOENT') return 'there is no such file or folder; check the path';
  if (code === 'EACCES') return 'it may not be read by this user; change its permissions';
  return `it cannot be read (${code ?? 'unknown reason'}); check the path`;
}
