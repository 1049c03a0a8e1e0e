import type { Group } from './groups.ts';
import { GUIDES } from './guides.ts';
import { type Html, html } from './html.ts';

/** Lists all guides and pages of the reference, and the operations of the page `here`. */
export function contents(groups: readonly Group[], root: string, here: string): Html {
  const link = (path: string, words: string) =>
    path === here
      ? html`<a href="${root}${path}" aria-current="page">${words}</a>`
      : html`<a href="${root}${path}">${words}</a>`;
  const guides = GUIDES.map(({ name, title }) => html`<li>${link(`docs/${name}`, title)}</li>`);
  const pages = groups.map((group) => {
    const path = `docs/reference/${group.name}`;
    const inner = path === here ? [operationsOf(group)] : [];
    return html`<li>${link(path, group.title)}${inner}</li>`;
  });
  return html`<h2>Guides</h2><ul>${guides}</ul>
<h2>Reference</h2><ul><li>${link('docs', 'Overview')}</li>${pages}</ul>`;
}

function operationsOf({ operations }: Group): Html {
  return html`<ul>${operations.map(({ path, get }) => html`<li><a href="#${get.operationId}">${path}</a></li>`)}</ul>`;
}
