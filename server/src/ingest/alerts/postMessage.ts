import type { TargetRequest } from './targetRequest.ts';

/** Result of sending a message. Never contains the URL, which is a secret. */
export interface PostResult {
  readonly ok: boolean;
  /** For example "HTTP 500" or "ECONNREFUSED". */
  readonly reason: string;
  /** Seconds that the service asked to wait; null: none. */
  readonly retryAfter: number | null;
}

/** Sends one message. */
export type PostMessage = (request: TargetRequest, signal: AbortSignal) => Promise<PostResult>;
