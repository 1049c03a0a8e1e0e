/** Responses to revalidate, by URL. */
export interface CachedResponses {
  find(url: string): CachedResponse | undefined;
  keep(url: string, answer: CachedResponse): void;
}

export interface CachedResponse {
  readonly etag: string;
  /** Unparsed, because a caller can change the parsed value. */
  readonly text: string;
}

/** Maximum total size of the cached responses, in characters. */
const MAX_TEXT_LENGTH = 8_000_000;

export function createCachedResponses(most: number): CachedResponses {
  // Ordered by last use.
  const answers = new Map<string, CachedResponse>();
  let size = 0;
  return { find: (url) => answers.get(url), keep };

  function keep(url: string, answer: CachedResponse): void {
    drop(url);
    if (answer.text.length > MAX_TEXT_LENGTH) return;
    answers.set(url, answer);
    size += answer.text.length;
    for (const oldest of answers.keys()) {
      if (answers.size <= most && size <= MAX_TEXT_LENGTH) break;
      drop(oldest);
    }
  }

  function drop(url: string): void {
    size -= answers.get(url)?.text.length ?? 0;
    answers.delete(url);
  }
}
