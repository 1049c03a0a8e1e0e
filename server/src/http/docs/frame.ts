import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';
import { STYLE } from './style.ts';

/** The colours that the reader chose on the dashboard (dashboard/src/state/theme.ts); without it, the system's. */
const SCRIPT = `try { const chosen = localStorage.getItem('assay-theme'); if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen; } catch {}`;

const SCRIPT_ELEMENT = `<script>${SCRIPT}</script>`;

/** A page asks nobody for anything: its one style sheet and its one line of script are named by their hashes. */
export const CONTENT_SECURITY_POLICY = `default-src 'none'; script-src ${hashOf(SCRIPT)}; style-src ${hashOf(STYLE)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export interface Framed {
  readonly title: string;
  /** Where the dashboard is, as seen from this page. */
  readonly root: './' | '../';
  readonly navigation: Html;
  readonly content: Html;
}

/** The pages of the dashboard, as its own header has them. */
const PAGES = [
  ['', 'Families'],
  ['wallet', 'Wallet'],
  ['risk', 'Risk'],
  ['status', 'Status'],
] as const;

/** A whole page that needs nothing else. */
export function framed({ title, root, navigation, content }: Framed): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Assay</title>
<style>${own(STYLE)}</style>
${own(SCRIPT_ELEMENT)}
</head>
<body>
<a class="skip" href="#top">Skip to content</a>
<header class="head">
<a class="brand" href="${root}">${own(MARK)}Assay</a>
<nav aria-label="Pages">${PAGES.map(([path, words]) => html`<a href="${root}${path}">${words}</a>`)}<a href="${root}docs" aria-current="true">API</a></nav>
</header>
<nav class="contents" aria-label="Contents">
${navigation}
</nav>
<main id="top" tabindex="-1">
${content}
</main>
</body>
</html>
`;
  return page.text;
}

const MARK =
  '<svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#14202b"/><path d="M7 22 14 8h4l7 14h-4.2l-4.8-10-4.8 10z" fill="#e9c46a"/><path d="M6 25h20" stroke="#7db0ff" stroke-width="2"/></svg>';

/** Ours, and hashed as it stands. */
function own(text: string): Html {
  return new Html(text);
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
