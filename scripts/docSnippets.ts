import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Those whose snippets also pass the strictest check of types; the others are plain JavaScript. */
export const TYPED_PAGES = [
  'docs/quick-start.md',
  'docs/pay-for-a-grade.md',
  'docs/client.md',
  'client/README.md',
];

/** Pages whose commands and TypeScript run against the demo, in this order. */
export const PAGES = [
  ...TYPED_PAGES,
  'docs/command-line.md',
  'docs/numbers.md',
  'docs/own-vaults.md',
  'docs/operate.md',
  'docs/alerts.md',
  'docs/risk-facts.md',
  'docs/migration.md',
];

/** All snippets of a page, which belong together, as one program. */
export function programOf(page: string): string {
  return blocksOf(page, 'ts').join('\n');
}

/** What a page says to save, and under which name. */
export function savedFile(page: string): { readonly name: string; readonly text: string } {
  const [, name = 'snippet.mjs'] = /save (?:it|this|them) as `([\w.]+)`/i.exec(textOf(page)) ?? [];
  return { name, text: name.endsWith('.yaml') ? blocksOf(page, 'yaml')[0]! : programOf(page) };
}

/** One line of a terminal. */
export interface Command {
  readonly line: string;
  /** Set for this command alone. */
  readonly env: Readonly<Record<string, string>>;
  readonly program: string;
  readonly words: readonly string[];
}

/** What a page tells its reader to run; in `bash` are commands that need more than the demo, with tests of their own. */
export function commandsOf(page: string, language: 'sh' | 'bash' = 'sh'): Command[] {
  return blocksOf(page, language).flatMap((block) => block.trim().split('\n').map(readCommand));
}

function readCommand(line: string): Command {
  const all = line.split(' ');
  const start = all.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const env = Object.fromEntries(all.slice(0, start).map((word) => word.split('=', 2)));
  const [program, ...words] = all.slice(start);
  return { line, env, program: program!, words: words.map((word) => word.replace(/^'|'$/g, '')) };
}

/** A value as documented, and as its formula returns it. */
export interface WorkedExample {
  readonly name: string;
  readonly served: string;
  readonly computed: string;
}

/** Pairs of lines as docs/numbers.md prints them: a figure, and below it its formula with the same result. */
export function readExamples(text: string): WorkedExample[] {
  return [...text.matchAll(/^(.+): (\S+)\n {2}.+ = (\S+)$/gm)].map(([, name, served, computed]) => {
    return { name: name!, served: served!, computed: computed! };
  });
}

/** The examples that a page shows. */
export function shownExamples(page: string): WorkedExample[] {
  return readExamples(blocksOf(page, 'text').join('\n'));
}

/** Whole numbers and letters must be the same; a fraction may differ where a float ends. */
export function agrees({ served, computed }: WorkedExample): boolean {
  if (served === computed) return true;
  if (!served.includes('.')) return false;
  return Math.abs(Number(served) - Number(computed)) <= Math.abs(Number(served)) * 1e-9;
}

export function blocksOf(page: string, language: string): string[] {
  const fences = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm');
  return [...textOf(page).matchAll(fences)].map(([, block]) => block!);
}

function textOf(page: string): string {
  return readFileSync(fileURLToPath(new URL(`../${page}`, import.meta.url)), 'utf8');
}
