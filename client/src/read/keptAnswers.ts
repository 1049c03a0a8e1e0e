/** Answers that a server may call unchanged, by URL. */
export interface KeptAnswers {
  find(url: string): KeptAnswer | undefined;
  keep(url: string, answer: KeptAnswer): void;
}

export interface KeptAnswer {
  readonly etag: string;
  /** Not what was parsed: who gets that may change it. */
  readonly text: string;
}

/** Characters of all answers together. */
const MOST_TEXT = 8_000_000;

export function createKeptAnswers(most: number): KeptAnswers {
  // In the order of their last use.
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
