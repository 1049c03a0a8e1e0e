import type { TargetRequest } from './targetRequest.ts';

/** Result of sending a message. Never contains the URL, which is a secret. */
export interface PostResult {
  readonly ok: boolean;
  /** For example "HTTP 500" or "ECONNREFUSED". */
  readonly reason: string;
  /** Seconds that the service asked to wait; null: none. */
  readonly retryAfter: number | null;
}

/** Sends one message. Replace it to check the address that is connected to. */
export type PostMessage = (request: TargetRequest, signal: AbortSignal) => Promise<PostResult>;

const TIMEOUT_MS = 10_000;

/** Sends with `fetch`. A redirect is an error: it could lead to another host with the message. */
export const postMessage: PostMessage = async ({ url, body }, signal) => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    const after = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      ok: response.ok,
      reason: `HTTP ${response.status}`,
      retryAfter: Number.isFinite(after) && after > 0 ? Math.ceil(after) : null,
    };
  } catch (error) {
    return { ok: false, reason: codeOf(error), retryAfter: null };
  }
};

/** The message of an error can contain the URL; its code does not. */
function codeOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : name;
}
