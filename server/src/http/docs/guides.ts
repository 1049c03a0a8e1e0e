import { readFile } from 'node:fs/promises';
import { methodology } from '../../domain/risk/grade/methodology.ts';
import { methodologyPage } from '../../domain/risk/grade/methodologyPage.ts';
import { docsFile } from './docsFile.ts';
import { framed } from './frame.ts';
import { type Html, html } from './html.ts';
import { markdown } from './markdown.ts';

/** A page of docs/ that the server shows under /docs. */
export interface Guide {
  /** In the URL. */
  readonly name: string;
  /** In the navigation. */
  readonly title: string;
  /** In docs/. */
  readonly file: string;
}

/** In the order of the navigation. */
export const GUIDES: readonly Guide[] = [
  guide('quick-start', 'Quick start'),
  guide('own-vaults', 'Run it for your own vaults'),
  guide('pay-for-a-grade', 'Pay for a grade'),
  guide('command-line', 'The command line'),
  guide('agents', 'The way in for agents'),
  guide('client', 'The client'),
  guide('numbers', 'The numbers explained'),
  guide('operate', 'Operate it'),
  guide('vaults', 'Kinds of vaults'),
  guide('methodology', 'How risk is graded'),
  guide('risk-facts', 'Risk facts of your own'),
  guide('migration', 'From the previous API'),
  { name: 'example', title: 'Every setting', file: 'assay.example.yaml' },
];

function guide(name: string, title: string): Guide {
  return { name, title, file: `${name}.md` };
}

export async function guidePage({ name, title, file }: Guide): Promise<string> {
  return framed({
    title,
    root: '../',
    navigation: html`<p><a href="../docs">Reference</a></p>
${guideList('', name)}
${name === 'methodology' ? [html`<p><a href="../risk/methodology">This page as data</a></p>`] : []}`,
    content: html`${markdown(await textOf({ name, title, file }), linkTo)}`,
  });
}

/** The guides, as seen from a page from which they are under `base`. */
export function guideList(base: string, current?: string): Html {
  const items = GUIDES.map(({ name, title }) =>
    name === current
      ? html`<li><a href="${base}${name}" aria-current="page">${title}</a></li>`
      : html`<li><a href="${base}${name}">${title}</a></li>`,
  );
  return html`<h2>Guides</h2><ul>${items}</ul>`;
}

/** Links between files of docs/ lead from page to page, and to the skill that is served too. */
function linkTo(target: string): string {
  if (target === '../server/SKILL.md') return '../SKILL.md';
  const [file, place] = target.split('#');
  const found = GUIDES.find((one) => one.file === file);
  if (found === undefined) return target;
  return place === undefined ? found.name : `${found.name}#${place}`;
}

async function textOf({ name, title, file }: Guide): Promise<string> {
  // What the server does itself, not what a file says of it.
  if (name === 'methodology') return methodologyPage(methodology());
  const text = await readFile(docsFile(file), 'utf8');
  return file.endsWith('.md') ? text : `# ${title}\n\n\`\`\`yaml\n${text}\`\`\`\n`;
}
