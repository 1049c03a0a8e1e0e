/** Responses to revalidate, by URL. */
export interface KeptAnswers {
  find(url: string): KeptAnswer | undefined;
  keep(url: string, answer: KeptAnswer): void;
}

export interface KeptAnswer {
  readonly etag: string;
  /** Unparsed, because a caller can change the parsed value. */
  readonly text: string;
}

/** Maximum total size of the cached responses, in characters. */
const MOST_TEXT = 8_000_000;

export function createKeptAnswers(most: number): KeptAnswers {
  // Ordered by last use.
  const answers = new Map<string, KeptAnswer>();
  let size = 0;
  return { find: (url) => answers.get(url), keep };

  function keep(url: string, answer: KeptAnswer): void {
    drop(url);
    if (answer.text.length > MOST_TEXT) return;
    answers.set(url, answer);
    size += answer.text.length;
    for (const oldest of answers.keys()) {
      if (answers.size <= most && size <= MOST_TEXT) break;
      drop(oldest);
    }
  }

  function drop(url: string): void {
    size -= answers.get(url)?.text.length ?? 0;
    answers.delete(url);
  }
}
