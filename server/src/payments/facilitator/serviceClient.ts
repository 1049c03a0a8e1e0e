import type { HeaderValues, ServiceRequest } from './headersCommand.ts';

export type ServicePath = 'verify' | 'settle' | 'supported';

/** A JSON object with any content. */
export interface ServiceAnswer {
  readonly ok: boolean;
  readonly body: Readonly<Record<string, unknown>>;
  /** The response's protocol extensions, by name. */
  readonly extensions: Readonly<Record<string, unknown>>;
}

export interface ServiceClient {
  /** Throws ServiceFailed, and the errors of `headersFor` before anything is sent. */
  request(path: ServicePath, timeoutMs: number, body?: object): Promise<ServiceAnswer>;
}

/** No readable response came. The message contains neither the response nor the URL. */
export class ServiceFailed extends Error {
  override readonly name = 'ServiceFailed';
  readonly reason: keyof typeof REASONS;

  constructor(reason: keyof typeof REASONS) {
    super(`the facilitator service ${REASONS[reason]}`);
    this.reason = reason;
  }

  get safeText(): string {
    return this.message;
  }
}

const REASONS = {
  late: 'did not answer in time',
  unreadable: 'gave no answer that can be read',
  redirect:
    'answered with a redirect, which is not followed because it would take your credentials elsewhere: set payments.facilitator.url to the final URL',
} as const;

const MAX_BYTES = 1024 * 1024;

/**
 * Sends HTTP requests to a service. Not the protocol's own client: that one reads responses of any size, prints a
 * service's text to standard output, and has one set of headers for all requests.
 */
export function createServiceClient(options: {
  readonly url: string;
  readonly headersFor: (request: ServiceRequest) => Promise<HeaderValues>;
}): ServiceClient {
  const base = options.url.replace(/\/+$/, '');
  return { request };

  async function request(
    path: ServicePath,
    timeoutMs: number,
    body?: object,
  ): Promise<ServiceAnswer> {
    const method = body === undefined ? 'GET' : 'POST';
    const url = `${base}/${path}`;
    const headers = {
      'content-type': 'application/json',
      ...(await options.headersFor({ method, url })),
    };
    const signal = AbortSignal.timeout(Math.ceil(timeoutMs));
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    try {
      const response = await fetch(url, { method, headers, signal, redirect: 'manual', ...sent });
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel();
        throw new ServiceFailed('redirect');
      }
      const text = await readText(response);
      return {
        ok: response.ok,
        body: objectIn(text),
        extensions: extensionsIn(response.headers.get('extension-responses')),
      };
    } catch (error) {
      if (error instanceof ServiceFailed) throw error;
      throw new ServiceFailed(signal.aborted ? 'late' : 'unreadable');
    }
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new ServiceFailed('unreadable');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes).toString();
}

function objectIn(json: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(json);
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new ServiceFailed('unreadable');
}

/** Nothing depends on extensions, so unreadable ones are ignored. */
function extensionsIn(header: string | null): Readonly<Record<string, unknown>> {
  if (header === null) return {};
  try {
    return objectIn(Buffer.from(header, 'base64').toString());
  } catch {
    return {};
  }
}
