/** A number of a JSON text, as it is written there. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MARK = '$number';

/** JSON.parse, except that numbers keep every digit. Throws a SyntaxError as JSON.parse does. */
export function parseExactJson(text: string): unknown {
  // What is not JSON must be refused before it is rewritten: `1.2.3` would become two numbers.
  JSON.parse(text);
  const marked = text.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') ? token : `{"${MARK}":"${token}"}`,
  );
  return JSON.parse(marked, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !(MARK in value)) return value;
    return typeof value[MARK] === 'string' ? new JsonNumber(value[MARK]) : value;
  });
}
