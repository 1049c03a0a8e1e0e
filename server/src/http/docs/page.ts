import { createHash } from 'node:crypto';
import type {
  ApiParameter,
  ApiResponse,
  JsonSchema,
  OpenApi,
  Operation,
} from '../openapiDocument.ts';
import { limitsOf, listFields } from './fields.ts';
import { Html, html, prose } from './html.ts';
import { markdown } from './markdown.ts';
import { STYLE } from './style.ts';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The page has no scripts and asks nobody for anything: its one style sheet is named by its hash. */
export const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The reference as one page that needs nothing else. */
export function referencePage(document: OpenApi): string {
  const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, get }));
  const groups = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ get }) => get.tags.includes(tag.name)),
  }));
  const shown = groups.filter((group) => group.operations.length > 0);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${String(document.info.title)}</title>
<style>${rawStyle()}</style>
</head>
<body>
<nav aria-label="Operations">
<p><a href="#top">${String(document.info.title)}</a></p>
${shown.map((group) => html`<h2>${group.name}</h2><ul>${group.operations.map(({ path, get }) => html`<li><a href="#${get.operationId}">${path}</a></li>`)}</ul>`)}
</nav>
<main id="top">
<h1>${String(document.info.title)} <small>${String(document.info.version)}</small></h1>
${prose(String(document.info.description))}
<p>For programs: <a href="openapi.json">openapi.json</a>.</p>
${shown.map((group) => html`<h2>${group.name}</h2>${markdown(group.description)}${group.operations.map(({ path, get }) => section(document, path, get))}`)}
</main>
</body>
</html>
`;
  return page.text;
}

/** How risk is graded, as a page: its own text in the frame of the reference. */
export function methodologyHtml(text: string): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>How risk is graded</title>
<style>${rawStyle()}</style>
</head>
<body>
<nav aria-label="Pages">
<p><a href="../docs">Reference</a></p>
<p><a href="../risk/methodology">This page as data</a></p>
</nav>
<main>
${markdown(text)}
</main>
</body>
</html>
`;
  return page.text;
}

function rawStyle(): Html {
  // Ours, and hashed as it stands.
  return new Html(STYLE);
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
