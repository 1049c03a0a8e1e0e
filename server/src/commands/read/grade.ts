import type { Screen } from '../../terminal/screen.ts';
import { plain } from '../../terminal/text.ts';

/** A letter in the colour of what it means. */
export function paintGrade(grade: string, { style }: Pick<Screen, 'style'>): string {
  const text = plain(grade);
  const paint = /^[AB]$/.test(text) ? style.green : /^[CD]$/.test(text) ? style.yellow : style.red;
  return style.bold(paint(text));
}
