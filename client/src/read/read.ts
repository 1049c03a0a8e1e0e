import { failure } from '../wire/errors.ts';
import { problemOf } from '../wire/problem.ts';
import { retrying } from '../wire/retry.ts';
import { send } from '../wire/send.ts';
import type { Client } from './client.ts';

/** The JSON at a URL, parsed; from what is kept where the server calls it unchanged. */
export async function read(
  { wire, kept }: Client,
  url: string,
  signal: AbortSignal | undefined,
  onNext?: (cursor: string) => void,
): Promise<unknown> {
  const known = kept?.find(url);
  const headers = known && { 'if-none-match': known.etag };
  return retrying(wire, signal, () => send(wire, url, { headers, signal }, readAnswer));

  async function readAnswer(response: Response): Promise<unknown> {
    const { status } = response;
    const next = onNext && nextCursor(response.headers.get('link'), url);
    if (next) onNext?.(next);
    if (status === 304 && known) {
      kept?.keep(url, known);
      return JSON.parse(known.text);
    }
    const text = await response.text();
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
    throw failure('malformed', `the answer (${status}) is not JSON`, { status }, error);
  }
}

/** The cursor in `<…>; rel="next"` (RFC 8288). Nothing else of the URL is followed, wherever it leads. */
function nextCursor(link: string | null, url: string): string | undefined {
  const [, target] = link?.match(/<([^>]*)>[^,<]*;\s*rel="?next"?/) ?? [];
  if (target === undefined || !URL.canParse(target, url)) return undefined;
  return new URL(target, url).searchParams.get('cursor') ?? undefined;
}
