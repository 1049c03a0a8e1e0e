import type { CallOptions } from '../read/action.ts';
import type { Client } from '../read/client.ts';
import { isAssayError } from '../wire/errors.ts';
import { isBusy, pause } from '../wire/retry.ts';

export interface WatchOptions {
  /** Interval between reads, in milliseconds. Default: `5000`. */
  readonly intervalMs?: number;
}

type Read<Asked, Answer> = (client: Client, asked: Asked) => Promise<Answer>;

/**
 * Yields the result of a read, and again whenever it changes. If the client caches responses (`keep`), the server does
 * not send an unchanged response again. Abort the request's signal to stop. While the server is unreachable or busy,
 * reads are retried; every other error is thrown.
 *
 * @example
 * const signal = AbortSignal.timeout(20_000);
 * for await (const { stats } of watch(client, getVault, { slug: 'svcusd', signal })) {
 *   console.log(stats.tvl);
 *   break;
 * }
 */
export async function* watch<Asked extends CallOptions, Answer>(
  client: Client,
  read: Read<Asked, Answer>,
  asked: Asked,
  { intervalMs = 5_000 }: WatchOptions = {},
): AsyncGenerator<Answer, void, undefined> {
  const { signal } = asked;
  let last: string | undefined;
  while (!signal?.aborted) {
    try {
      const answer = await read(client, asked);
      const text = textOf(answer);
      if (text !== last) {
        last = text;
        yield answer;
      }
    } catch (error) {
      if (isAssayError(error, 'aborted') && signal?.aborted) return;
      if (!isPassing(error)) throw error;
    }
    await pause(intervalMs, signal).catch(() => {});
  }
}

function isPassing(error: unknown): boolean {
  return isBusy(error) || isAssayError(error, 'network') || isAssayError(error, 'timeout');
}

function textOf(answer: unknown): string {
  return JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}
