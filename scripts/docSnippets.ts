import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Pages whose snippets also pass the strictest type check; the others contain plain JavaScript. */
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

/** Joins all snippets of a page into one program. */
export function programOf(page: string): string {
  return blocksOf(page, 'ts').join('\n');
}

/** A file that a page asks the reader to save, with its name. */
export function savedFile(page: string): { readonly name: string; readonly text: string } {
  const [, name = 'snippet.mjs'] = /save (?:it|this|them) as `([\w.]+)`/i.exec(textOf(page)) ?? [];
  return { name, text: name.endsWith('.yaml') ? blocksOf(page, 'yaml')[0]! : programOf(page) };
}

/** One command line. */
export interface Command {
  readonly line: string;
  /** Environment variables of this command only. */
  readonly env: Readonly<Record<string, string>>;
  readonly program: string;
  readonly words: readonly string[];
}

/** Returns the commands of a page. Those marked `bash` need more than the demo, and have tests of their own. */
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

/** A documented value, and the result of its formula. */
export interface WorkedExample {
  readonly name: string;
  readonly served: string;
  readonly computed: string;
}

/** Finds pairs of lines in docs/numbers.md: a value, followed by its formula with the same result. */
export function readExamples(text: string): WorkedExample[] {
  return [...text.matchAll(/^(.+): (\S+)\n {2}.+ = (\S+)$/gm)].map(([, name, served, computed]) => {
    return { name: name!, served: served!, computed: computed! };
  });
}

/** Returns the examples of a page. */
export function shownExamples(page: string): WorkedExample[] {
  return readExamples(blocksOf(page, 'text').join('\n'));
}

/** Integers and letters must be equal; a fraction may differ within the precision of a float. */
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
