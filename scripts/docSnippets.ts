import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Pages whose TypeScript runs against the demo. */
export const PAGES = [
  'docs/quick-start.md',
  'docs/pay-for-a-grade.md',
  'docs/client.md',
  'client/README.md',
];

/** The page whose commands run against the demo. */
export const COMMAND_PAGE = 'docs/command-line.md';

/** What follows `npx assay` on a page, line by line. */
export function commandsOf(page: string): string[][] {
  return [...textOf(page).matchAll(/^npx assay (.*)$/gm)].map(([, words]) => words!.split(' '));
}

/** All snippets of a page, which belong together, as one program. */
export function programOf(page: string): string {
  return [...textOf(page).matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code).join('\n');
}

function textOf(page: string): string {
  return readFileSync(fileURLToPath(new URL(`../${page}`, import.meta.url)), 'utf8');
}
