/** A response body that its route has already serialized as JSON. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** One page of a response; the Link header has the URL of the next. */
export class Page {
  readonly body: unknown;
  /** A relative URL; null on the last page. */
  readonly next: string | null;

  constructor(body: unknown, next: string | null) {
    this.body = body;
    this.next = next;
  }
}

/** A response with additional headers. */
export class Headed {
  /** Also a page. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: unknown, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

export function toJson(answer: unknown): string {
  if (answer instanceof Headed) return toJson(answer.body);
  if (answer instanceof Page) return toJson(answer.body);
  return answer instanceof JsonText ? answer.text : JSON.stringify(answer);
}
