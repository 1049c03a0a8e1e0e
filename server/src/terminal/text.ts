export { plain } from '../domain/plainText.ts';

const ASCII = /^[\x20-\x7e]*$/;
const NO_WIDTH = /^[\p{Mn}\p{Me}]$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;
/** Two columns wide by the East Asian rules: scripts, and signs made to fit among them. */
const WIDE =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u;

/** Columns that a text takes. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const char of text) width += widthOfChar(char);
  return width;
}

/** The text in at most so many columns, with an ellipsis where something is left out. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let [kept, width] = ['', 0];
  for (const char of text) {
    width += widthOfChar(char);
    if (width > columns - 1) break;
    kept += char;
  }
  return columns < 1 ? '' : `${kept}…`;
}

/** Leaves out the middle: what tells addresses and hashes apart stands at both ends. */
export function cutMiddle(text: string, columns: number): string {
  if (text.length <= columns || !ASCII.test(text)) return cut(text, columns);
  const tail = Math.floor((columns - 1) / 3);
  return `${text.slice(0, columns - 1 - tail)}…${text.slice(text.length - tail)}`;
}

export function pad(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, columns - widthOf(text)));
  return side === 'left' ? text + space : space + text;
}

/** Lines of at most so many columns; a word that is longer is broken. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((one) => one !== '')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (widthOf(joined) <= columns) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (widthOf(line) > columns) {
      const head = takeColumns(line, columns);
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** At least one character, so that whoever takes them by turns gets on. */
function takeColumns(text: string, columns: number): string {
  let [taken, width] = ['', 0];
  for (const char of text) {
    width += widthOfChar(char);
    if (width > columns && taken !== '') break;
    taken += char;
  }
  return taken;
}

function widthOfChar(char: string): number {
  if (ASCII.test(char)) return 1;
  if (NO_WIDTH.test(char)) return 0;
  return WIDE.test(char) || EMOJI.test(char) ? 2 : 1;
}
