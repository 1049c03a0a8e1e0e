import type { Screen } from '../../terminal/screen.ts';
import { plain } from '../../terminal/text.ts';

/** Colors a grade by its meaning. */
export function paintGrade(grade: string, { style }: Pick<Screen, 'style'>): string {
  const text = plain(grade);
  const paint = /^[AB]$/.test(text) ? style.green : /^[CD]$/.test(text) ? style.yellow : style.red;
  return style.bold(paint(text));
}
