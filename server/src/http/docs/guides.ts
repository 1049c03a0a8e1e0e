import { readFile } from 'node:fs/promises';
import { methodology } from '../../risk/methodology/methodology.ts';
import { methodologyPage } from '../../risk/methodology/methodologyPage.ts';
import { contents } from './contents.ts';
import { docsFile } from './docsFile.ts';
import { framed } from './frame.ts';
import { shortened } from './headTags.ts';
import { html } from './html.ts';
import { markdown, plainText } from './markdown.ts';
import type { Shell } from './page.ts';

/** A page of docs/ that the server serves under /docs. */
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
  guide('own-vaults', 'Your own vaults'),
  guide('pay-for-a-grade', 'Pay for a grade'),
  guide('command-line', 'Command line'),
  guide('agents', 'AI agents (MCP)'),
  guide('client', 'Client library'),
  guide('events', 'Follow changes'),
  guide('alerts', 'Alerts'),
  guide('numbers', 'Numbers explained'),
  guide('accounting', 'Accounting'),
  guide('as-of', 'As of a past time'),
  guide('export', 'Export data'),
  guide('operate', 'Operations'),
  guide('replication', 'Replicate to another database'),
  guide('vaults', 'Vault kinds'),
  guide('methodology', 'How risk is graded'),
  guide('risk-facts', 'Your own risk facts'),
  guide('migration', 'Migration from the legacy API'),
  { name: 'example', title: 'Configuration reference', file: 'assay.example.yaml' },
];

function guide(name: string, title: string): Guide {
  return { name, title, file: `${name}.md` };
}

export async function guidePage(guide: Guide, { groups, base }: Shell): Promise<string> {
  const { name, title } = guide;
  const text = await guideText(guide);
  return framed({
    title,
    description: summaryOf(text) ?? `${title} of Assay, with every key and its default.`,
    root: '../',
    base,
    navigation: html`${contents(groups, '../', `docs/${name}`)}
${name === 'methodology' ? [html`<p><a href="../risk/methodology">This page as data</a></p>`] : []}`,
    content: html`${markdown(text, linkTo)}`,
  });
}

/** Converts links between files of docs/ to links between pages, and links to the served skill. */
function linkTo(target: string): string {
  if (target === '../server/SKILL.md') return '../SKILL.md';
  const [file, place] = target.split('#');
  const found = GUIDES.find((one) => one.file === file);
  if (found === undefined) return target;
  return place === undefined ? found.name : `${found.name}#${place}`;
}

/** Returns a guide as Markdown. */
export async function guideText({ name, title, file }: Guide): Promise<string> {
  // Link to the route itself instead of the file.
  if (name === 'methodology') return methodologyPage(methodology());
  const text = await readFile(docsFile(file), 'utf8');
  return file.endsWith('.md') ? text : `# ${title}\n\n\`\`\`yaml\n${text}\`\`\`\n`;
}

/** Returns the first paragraph. */
function summaryOf(text: string): string | undefined {
  const first = text.split('\n\n').find((block) => /^[\w`*]/.test(block));
  return first && shortened(plainText(first)).replace(/:$/, '.');
}
