import type { HeaderValues, ServiceRequest } from './headersCommand.ts';

export type ServicePath = 'verify' | 'settle' | 'supported';

/** A JSON object, whatever it says. */
export interface ServiceAnswer {
  readonly ok: boolean;
  readonly body: Readonly<Record<string, unknown>>;
  /** What it says of the protocol's extensions, by their names. */
  readonly extensions: Readonly<Record<string, unknown>>;
}

export interface ServiceClient {
  /** Throws ServiceFailed, and whatever `headersFor` throws, before anything is sent. */
  ask(path: ServicePath, timeoutMs: number, body?: object): Promise<ServiceAnswer>;
}

/** No answer that can be read came; says nothing of what came instead, or from where. */
export class ServiceFailed extends Error {
  override readonly name = 'ServiceFailed';
  readonly timedOut: boolean;

  constructor(timedOut: boolean) {
    super(timedOut ? 'it did not answer in time' : 'it gave no answer that can be read');
    this.timedOut = timedOut;
  }
}

const MOST_BYTES = 1024 * 1024;

/**
 * HTTP requests to a service. Not the protocol's own client: that one reads answers of any size, prints what a service
 * says to standard output, and knows one set of headers for all requests.
 */
export function createServiceClient(options: {
  readonly url: string;
  readonly headersFor: (request: ServiceRequest) => Promise<HeaderValues>;
}): ServiceClient {
  const base = options.url.replace(/\/+$/, '');
  return { ask };

  async function ask(path: ServicePath, timeoutMs: number, body?: object): Promise<ServiceAnswer> {
    const method = body === undefined ? 'GET' : 'POST';
    const url = `${base}/${path}`;
    const headers = {
      'content-type': 'application/json',
      ...(await options.headersFor({ method, url })),
    };
    const signal = AbortSignal.timeout(Math.ceil(timeoutMs));
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    try {
      const response = await fetch(url, { method, headers, signal, ...sent });
      const text = await readText(response);
      return {
        ok: response.ok,
        body: objectIn(text),
        extensions: extensionsIn(response.headers.get('extension-responses')),
      };
    } catch {
      throw new ServiceFailed(signal.aborted);
    }
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new ServiceFailed(false);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes).toString();
}

function objectIn(json: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(json);
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new ServiceFailed(false);
}

/** Nobody depends on them, so what cannot be read is left out. */
function extensionsIn(header: string | null): Readonly<Record<string, unknown>> {
  if (header === null) return {};
  try {
    return objectIn(Buffer.from(header, 'base64').toString());
  } catch {
    return {};
  }
}
