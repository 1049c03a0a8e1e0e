import { createHash } from 'node:crypto';
import { descriptionTags } from './headTags.ts';
import { Html, html } from './html.ts';
import { ICON } from './look.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

/** Style sheet and script are allowed by their hashes; the search index and the icon come from this server. */
export const CONTENT_SECURITY_POLICY = `default-src 'none'; script-src ${hashOf(SCRIPT)}; style-src ${hashOf(STYLE)}; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export interface Framed {
  readonly title: string;
  /** One or two sentences, for search engines and link previews. */
  readonly description: string;
  /** Path of the dashboard, relative to this page: ./, ../, and so on. */
  readonly root: string;
  /** URL of the server; empty if unknown. */
  readonly base: string;
  /** The contents of the guides and the reference. */
  readonly navigation: Html;
  readonly content: Html;
}

/** The pages of the dashboard, as in its header. */
const PAGES = [
  ['', 'Families'],
  ['wallet', 'Wallet'],
  ['risk', 'Risk'],
  ['alerts', 'Alerts'],
  ['status', 'Status'],
] as const;

/** Renders a complete page without external resources. */
export function framed(page: Framed): string {
  const { root, navigation, content } = page;
  const title = `${page.title} · Assay`;
  const rendered = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${descriptionTags({ ...page, title })}
<link rel="icon" href="${root}favicon.ico" sizes="48x48">
<style>${own(STYLE)}</style>
${SCRIPT_ELEMENT}
</head>
<body>
<a class="skip" href="#top">Skip to content</a>
<header class="top">
<a class="brand" href="${root}">${MARK}Assay</a>
<nav aria-label="Pages">${PAGES.map(([path, words]) => html`<a href="${root}${path}">${words}</a>`)}<a href="${root}docs" aria-current="true">Docs</a></nav>
<button class="quiet theme" type="button" title="Color scheme: system, light, or dark" hidden><svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><circle cx="8" cy="8" r="6.5" fill="none" stroke="currentcolor" stroke-width="1.5"/><path d="M8 1.5a6.5 6.5 0 0 1 0 13z" fill="currentcolor"/></svg><span class="sr">Color scheme: </span><b></b></button>
</header>
<aside class="side" aria-label="Find a page">
<div role="search" data-root="${root}" hidden>
<input type="search" aria-label="Search the docs" placeholder="Search the docs" autocomplete="off" spellcheck="false">
<p role="status"></p>
<ul></ul>
</div>
<input class="sr" type="checkbox" id="contents"><label for="contents">Contents</label>
<nav class="contents" aria-label="Contents">
${navigation}
</nav>
</aside>
<main id="top" tabindex="-1">
${content}
</main>
</body>
</html>
`;
  return rendered.text;
}

const SCRIPT_ELEMENT = own(`<script>${SCRIPT}</script>`);

const MARK = own(ICON.replace('<svg ', '<svg width="22" height="22" aria-hidden="true" '));

/** Our own text, as it is. */
function own(text: string): Html {
  return new Html(text);
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
