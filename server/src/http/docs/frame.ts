import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';
import { STYLE } from './style.ts';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** A page has no scripts and asks nobody for anything: its one style sheet is named by its hash. */
export const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export interface Framed {
  readonly title: string;
  readonly navigation: Html;
  readonly content: Html;
}

/** A whole page that needs nothing else. */
export function framed({ title, navigation, content }: Framed): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${ownStyle()}</style>
</head>
<body>
<nav aria-label="Pages">
${navigation}
</nav>
<main id="top">
${content}
</main>
</body>
</html>
`;
  return page.text;
}

function ownStyle(): Html {
  // Ours, and hashed as it stands.
  return new Html(STYLE);
}
