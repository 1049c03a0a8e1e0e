import type {
  ApiParameter,
  ApiResponse,
  JsonSchema,
  OpenApi,
  Operation,
} from '../openapiDocument.ts';
import { contents } from './contents.ts';
import { limitsOf, listFields } from './fields.ts';
import { framed } from './frame.ts';
import { type Group, groupsOf } from './groups.ts';
import { code, type Html, html, prose } from './html.ts';
import { markdown } from './markdown.ts';

/** What every page of the docs needs besides its own content. */
export interface Shell {
  readonly groups: readonly Group[];
  /** URL of the server; empty if unknown. */
  readonly base: string;
}

export function shellOf(document: OpenApi, base: string): Shell {
  return { groups: groupsOf(document), base };
}

/** Renders the start of the docs: the rules of the API, and a list of all operations. */
export function overviewPage({ info }: OpenApi, { groups, base }: Shell): string {
  const title = String(info.title);
  return framed({
    title,
    description: 'Guides and the reference of the API: every operation, parameter, and field.',
    root: './',
    base,
    navigation: contents(groups, './', 'docs'),
    content: html`<h1>${title} <small>${String(info.version)}</small></h1>
${prose(String(info.description))}
<p>For programs: <a href="openapi.json">openapi.json</a>.</p>
${groups.map(listed)}`,
  });
}

/** Each operation keeps the anchor that it had when the reference was one page. */
function listed({ name, title, operations }: Group): Html {
  const page = `docs/reference/${name}`;
  const rows = operations.map(
    ({ path, get }) =>
      html`<li class="moved" id="${get.operationId}"><a href="${page}#${get.operationId}"><code>GET ${path}</code></a>${get.summary}</li>`,
  );
  return html`<h2><a href="${page}">${title}</a></h2><ul class="operations">${rows}</ul>`;
}

/** Renders the operations of a group. */
export function groupPage(document: OpenApi, group: Group, { groups, base }: Shell): string {
  const [first] = group.description.split(/\n\n|(?<=\.)\s/);
  return framed({
    title: `${group.title} API`,
    description: `${first} ${group.operations.length} operations with their parameters, fields, and examples.`,
    root: '../../',
    base,
    navigation: contents(groups, '../../', `docs/reference/${group.name}`),
    content: html`<h1>${group.title}</h1>
${markdown(group.description)}
${group.operations.map(({ path, get }) => section(document, path, get))}`,
  });
}

function section(document: OpenApi, path: string, operation: Operation): Html {
  const example = exampleUrl(path, operation.parameters);
  return html`<section id="${operation.operationId}">
<h2><code>GET ${path}</code></h2>
<p><strong>${operation.summary}</strong></p>
${prose(operation.description)}
<p>Try it: <a href="../..${example}"><code>${example}</code></a></p>
${operation.parameters.length === 0 ? [] : [parameterTable(operation.parameters)]}
${Object.entries(operation.responses).map(([status, response]) => answer(document, status, response))}
</section>
`;
}

function exampleUrl(path: string, parameters: readonly ApiParameter[]): string {
  const place = (name: string) =>
    String(parameters.find((one) => one.name === name)?.example ?? name);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(place(name)),
  );
  const required = parameters.filter((one) => one.in === 'query' && one.required);
  const query = required.map(({ name, example }) => `${name}=${encodeURIComponent(example)}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function parameterTable(parameters: readonly ApiParameter[]): Html {
  const rows = parameters.map((parameter) => {
    const place = `${parameter.in}, ${parameter.required ? 'required' : 'optional'}`;
    return html`<tr><td><code>${parameter.name}</code><br><small>${place}</small></td><td>${limitsOf(parameter.schema)}</td><td>${prose(parameter.description)}<p><small>Example: <code>${parameter.example}</code></small></p></td></tr>`;
  });
  return html`<h3>Parameters</h3><div class="wide" tabindex="0"><table><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function answer(document: OpenApi, status: string, response: Operation['responses'][string]): Html {
  const found = resolve(document, response);
  const [type, content] = Object.entries(found.content ?? {})[0] ?? [];
  if (content === undefined) return html`<h3>${status}</h3>${prose(found.description)}`;
  const example = html`<details><summary>Example (${type!})</summary>${code(JSON.stringify(content.example, null, 2))}</details>`;
  if (status !== '200') return html`<h3>${status}</h3>${prose(found.description)}${example}`;
  return html`<h3>${status}</h3>${prose(found.description)}${fieldTable(content.schema)}${example}`;
}

function resolve(document: OpenApi, response: Operation['responses'][string]): ApiResponse {
  if (!('$ref' in response)) return response;
  return document.components.responses[response.$ref.split('/').at(-1)!]!;
}

function fieldTable(schema: JsonSchema): Html {
  const rows = listFields(schema).map(({ path, type, description }) => {
    const name = path === '' ? html`<em>the response</em>` : html`<code>${path}</code>`;
    return html`<tr><td>${name}</td><td>${type}</td><td>${prose(description)}</td></tr>`;
  });
  return html`<div class="wide" tabindex="0"><table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
