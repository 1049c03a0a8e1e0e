import { type Html, html } from './html.ts';

export const PREVIEW = { path: 'preview.png', width: 1200, height: 630 } as const;

export interface Described {
  readonly title: string;
  readonly description: string;
  /** URL of the server without a slash at the end: previews need complete URLs. Empty if unknown. */
  readonly base: string;
}

/** What search engines and link previews show of a page. */
export function descriptionTags({ title, description, base }: Described): Html {
  return html`<meta name="description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Assay">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:image" content="${base}/${PREVIEW.path}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${PREVIEW.width}">
<meta property="og:image:height" content="${PREVIEW.height}">
<meta property="og:image:alt" content="Assay: a line that rises above the logo">
<meta name="twitter:card" content="summary_large_image">`;
}

const LONGEST = 180;

/** Shortens a text to whole words. */
export function shortened(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  if (plain.length <= LONGEST) return plain;
  return `${plain.slice(0, plain.lastIndexOf(' ', LONGEST - 1)).replace(/[,;:.]$/, '')}…`;
}
