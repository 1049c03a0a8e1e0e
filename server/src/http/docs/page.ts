import type {
  ApiParameter,
  ApiResponse,
  JsonSchema,
  OpenApi,
  Operation,
} from '../openapiDocument.ts';
import { limitsOf, listFields } from './fields.ts';
import { framed } from './frame.ts';
import { guideList } from './guides.ts';
import { type Html, html, prose } from './html.ts';
import { markdown } from './markdown.ts';

/** The reference as one page that needs nothing else. */
export function referencePage(document: OpenApi): string {
  const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, get }));
  const groups = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ get }) => get.tags.includes(tag.name)),
  }));
  const shown = groups.filter((group) => group.operations.length > 0);
  const title = String(document.info.title);
  return framed({
    title,
    root: './',
    navigation: html`<p><a href="#top">${title}</a></p>
${guideList('docs/')}
${shown.map((group) => html`<h2>${group.name}</h2><ul>${group.operations.map(({ path, get }) => html`<li><a href="#${get.operationId}">${path}</a></li>`)}</ul>`)}`,
    content: html`<h1>${title} <small>${String(document.info.version)}</small></h1>
${prose(String(document.info.description))}
<p>For programs: <a href="openapi.json">openapi.json</a>.</p>
${shown.map((group) => html`<h2>${group.name}</h2>${markdown(group.description)}${group.operations.map(({ path, get }) => section(document, path, get))}`)}`,
  });
}

function section(document: OpenApi, path: string, operation: Operation): Html {
  const example = exampleUrl(path, operation.parameters);
  return html`<section id="${operation.operationId}">
<h3><code>GET ${path}</code></h3>
<p><strong>${operation.summary}</strong></p>
${prose(operation.description)}
<p>Try it: <a href="${example.slice(1)}"><code>${example}</code></a></p>
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
  return html`<h4>Parameters</h4><div class="wide" tabindex="0"><table><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function answer(document: OpenApi, status: string, response: Operation['responses'][string]): Html {
  const found = resolve(document, response);
  const [type, content] = Object.entries(found.content ?? {})[0] ?? [];
  if (content === undefined) return html`<h4>${status}</h4>${prose(found.description)}`;
  const example = html`<details><summary>Example (${type!})</summary><pre tabindex="0">${JSON.stringify(content.example, null, 2)}</pre></details>`;
  if (status !== '200') return html`<h4>${status}</h4>${prose(found.description)}${example}`;
  return html`<h4>${status}</h4>${prose(found.description)}${fieldTable(content.schema)}${example}`;
}

function resolve(document: OpenApi, response: Operation['responses'][string]): ApiResponse {
  if (!('$ref' in response)) return response;
  return document.components.responses[response.$ref.split('/').at(-1)!]!;
}

function fieldTable(schema: JsonSchema): Html {
  const rows = listFields(schema).map(({ path, type, description }) => {
    const name = path === '' ? html`<em>the answer</em>` : html`<code>${path}</code>`;
    return html`<tr><td>${name}</td><td>${type}</td><td>${prose(description)}</td></tr>`;
  });
  return html`<div class="wide" tabindex="0"><table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
