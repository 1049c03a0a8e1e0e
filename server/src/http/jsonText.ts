/** An answer that its route has written as JSON already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function toJson(answer: unknown): string {
  return answer instanceof JsonText ? answer.text : JSON.stringify(answer);
}
