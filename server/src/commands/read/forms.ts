import { type Screen, screenOf } from '../../terminal/screen.ts';
import { type Path, selectValues } from '../../terminal/select.ts';
import { plain } from '../../terminal/text.ts';
import type { Terminal } from '../command.ts';

export type Form = 'table' | 'json' | 'csv';

/** The three output formats of a response. */
export interface Forms {
  json(): unknown;
  csv(): readonly string[];
  show(screen: Screen): readonly string[];
}

/** The format to print, or the values to select from the JSON. */
export interface Printing {
  readonly form: Form;
  readonly select?: Path | undefined;
}

export function printForms(
  printing: Printing,
  terminal: Pick<Terminal, 'output' | 'env' | 'print'>,
  forms: Forms,
): void {
  const { form, select } = printing;
  if (select !== undefined) {
    const lines = selectedLines(forms.json(), select, form);
    if (lines.length > 0) terminal.print(lines.join('\n'));
  } else if (form === 'json') terminal.print(jsonText(forms.json(), 2));
  else if (form === 'csv') terminal.print(forms.csv().join('\n'));
  else terminal.print(forms.show(screenOf(terminal.output, terminal.env)).join('\n'));
}

/** Prints one value per line: text without quotes, unless JSON is requested. */
export function selectedLines(value: unknown, path: Path, form: Form): string[] {
  return selectValues(value, path).map((one) =>
    typeof one === 'string' && form !== 'json' ? plain(one) : jsonText(one),
  );
}

/** Removes control characters that a terminal would interpret. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return text.replace(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, (char) =>
    Array.from({ length: char.length }, (_, i) => escaped(char.charCodeAt(i))).join(''),
  );
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
