import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Pages whose TypeScript runs against the demo. */
export const PAGES = [
  'docs/quick-start.md',
  'docs/pay-for-a-grade.md',
  'docs/client.md',
  'client/README.md',
];

/** All snippets of a page, which belong together, as one program. */
export function programOf(page: string): string {
  const text = readFileSync(fileURLToPath(new URL(`../${page}`, import.meta.url)), 'utf8');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code).join('\n');
}
