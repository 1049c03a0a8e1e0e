/** An answer that its route has written as JSON already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** One page of an answer; the Link header names the next. */
export class Page {
  readonly body: unknown;
  /** A relative URL; null on the last page. */
  readonly next: string | null;

  constructor(body: unknown, next: string | null) {
    this.body = body;
    this.next = next;
  }
}

export function toJson(answer: unknown): string {
  if (answer instanceof Page) return toJson(answer.body);
  return answer instanceof JsonText ? answer.text : JSON.stringify(answer);
}
