import type { OpenApi, Operation } from '../openapiDocument.ts';
import type { SiteFile } from '../siteFiles.ts';
import { listFields } from './fields.ts';
import { type Group, groupsOf } from './groups.ts';
import { GUIDES, type Guide, guideText } from './guides.ts';
import { headingId, plainText } from './markdown.ts';

/** A place in the docs that search can find. */
export interface SearchEntry {
  readonly title: string;
  /** Title of the page. */
  readonly page: string;
  /** Relative to the root of the server. */
  readonly url: string;
  readonly text: string;
}

/** The index, which a page loads when its search gets the focus. */
export function searchFile(getDocument: () => OpenApi): SiteFile {
  return {
    path: '/docs/search.json',
    mediaType: 'application/json',
    make: async () => JSON.stringify(await searchIndex(groupsOf(getDocument()))),
  };
}

/** Lists every section of the guides and every operation of the reference. */
export async function searchIndex(groups: readonly Group[]): Promise<SearchEntry[]> {
  const guides = await Promise.all(
    GUIDES.map(async (guide) => sections(guide, await guideText(guide))),
  );
  return [...guides.flat(), ...groups.flatMap(operations)];
}

function sections({ name, title }: Guide, text: string): SearchEntry[] {
  return splitAtHeadings(text).map(({ heading, body }) => {
    const isPage = heading.startsWith('# ');
    const words = heading.replace(/^#+ /, '');
    return {
      title: isPage ? title : plainText(words),
      page: title,
      url: `docs/${name}${isPage ? '' : `#${headingId(words)}`}`,
      text: plainText(body),
    };
  });
}

/** A line of code can look like a heading. */
function splitAtHeadings(text: string): { heading: string; body: string }[] {
  const found: { heading: string; body: string }[] = [];
  let isCode = false;
  for (const line of text.trim().split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    if (!isCode && /^#{1,3} /.test(line)) found.push({ heading: line, body: '' });
    else if (found.length > 0) found.at(-1)!.body += `${line}\n`;
  }
  return found;
}

function operations({ name, title, operations }: Group): SearchEntry[] {
  return operations.map(({ path, get }) => ({
    title: `GET ${path}`,
    page: `${title} API`,
    url: `docs/reference/${name}#${get.operationId}`,
    text: [get.summary, get.description, ...namesOf(get)].join(' ').replaceAll('`', ''),
  }));
}

function namesOf({ parameters, responses }: Operation): string[] {
  const success = responses[200];
  const content = success && !('$ref' in success) ? Object.values(success.content ?? {}) : [];
  const fields = content.flatMap(({ schema }) => listFields(schema).map(({ path }) => path));
  return [...parameters.map((one) => one.name), ...fields].filter((one) => one !== '');
}
