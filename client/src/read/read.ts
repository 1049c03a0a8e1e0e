import { failure } from '../wire/errors.ts';
import { problemOf } from '../wire/problem.ts';
import { readText } from '../wire/readText.ts';
import { retrying } from '../wire/retry.ts';
import { type SendOptions, send, wireFor } from '../wire/send.ts';
import type { Client } from './client.ts';

/** Returns the parsed JSON at a URL, from the cache if the server reports it unchanged. */
export async function read(
  client: Client,
  url: string,
  options: SendOptions,
  onNext?: (cursor: string) => void,
): Promise<unknown> {
  const { signal } = options;
  const wire = wireFor(client.wire, options);
  // Other headers can change the response, so it is not cached.
  const kept = options.headers ? undefined : client.kept;
  const known = kept?.find(url);
  const headers = known ? { 'if-none-match': known.etag } : options.headers;
  return retrying(wire, signal, () => send(wire, url, { headers, signal }, readAnswer));

  async function readAnswer(response: Response): Promise<unknown> {
    const { status } = response;
    const next = onNext && nextCursor(response.headers.get('link'), url);
    if (next) onNext?.(next);
    if (status === 304 && known) {
      kept?.keep(url, known);
      return JSON.parse(known.text);
    }
    const text = await readText(response);
    if (!response.ok) throw problemOf(response, text);
    const answer = parseJson(text, status);
    const etag = kept && response.headers.get('etag');
    if (etag) kept.keep(url, { etag, text });
    return answer;
  }
}

function parseJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw failure('malformed', `The response (${status}) is not JSON.`, { status }, error);
  }
}

/** Returns the cursor from `<…>; rel="next"` (RFC 8288). The rest of the URL is ignored. */
function nextCursor(link: string | null, url: string): string | undefined {
  const [, target] = link?.match(/<([^>]*)>[^,<]*;\s*rel="?next"?/) ?? [];
  if (target === undefined || !URL.canParse(target, url)) return undefined;
  return new URL(target, url).searchParams.get('cursor') ?? undefined;
}
