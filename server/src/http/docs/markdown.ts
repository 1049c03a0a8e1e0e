import { code, type Html, html } from './html.ts';

/** Converts a link of the text to a link of the page. */
export type LinkTo = (target: string) => string;

interface Block {
  readonly kind: 'code' | 'table' | 'bullets' | 'numbers' | 'heading' | 'paragraph';
  readonly lines: string[];
}

/**
 * Renders the Markdown of the docs: headings, fenced code, tables, lists, and paragraphs, with code, bold text,
 * and links. Anything else is shown as escaped text.
 */
export function markdown(text: string, linkTo: LinkTo = (target) => target): Html[] {
  return blocksOf(text).map(({ kind, lines }) => {
    if (kind === 'code') return code(lines.join('\n'));
    if (kind === 'heading') return heading(lines[0]!, linkTo);
    if (kind === 'table') return table(lines, linkTo);
    if (kind === 'bullets') return html`<ul>${items(lines, linkTo)}</ul>`;
    if (kind === 'numbers') return html`<ol>${items(lines, linkTo)}</ol>`;
    return html`<p>${inline(lines.join('\n'), linkTo)}</p>`;
  });
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const line of text.trim().split('\n')) {
    if (open?.kind === 'code') {
      if (line === '```') open = undefined;
      else open.lines.push(line);
      continue;
    }
    const kind = kindOf(line);
    const goesOn = open && kind === 'paragraph' ? open.kind !== 'heading' : open?.kind === kind;
    if (line.trim() === '') open = undefined;
    else if (open && goesOn && kind !== 'heading') open.lines.push(line);
    else {
      open = { kind, lines: kind === 'code' ? [] : [line] };
      blocks.push(open);
    }
  }
  return blocks;
}

function kindOf(line: string): Block['kind'] {
  if (line.startsWith('```')) return 'code';
  if (line.startsWith('|')) return 'table';
  if (line.startsWith('- ')) return 'bullets';
  if (/^\d+\. /.test(line)) return 'numbers';
  return /^#{1,3} /.test(line) ? 'heading' : 'paragraph';
}

function heading(line: string, linkTo: LinkTo): Html {
  const [, marks, words] = /^(#+) (.*)$/.exec(line)!;
  const content = inline(words!, linkTo);
  const id = headingId(words!);
  if (marks === '#') return html`<h1 id="${id}">${content}</h1>`;
  if (marks === '##') return html`<h2 id="${id}">${content}</h2>`;
  return html`<h3 id="${id}">${content}</h3>`;
}

/** Creates the same heading ids as GitHub, so that links work in both places. */
export function headingId(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** A line that does not start an item continues the one before. */
function items(lines: readonly string[], linkTo: LinkTo): Html[] {
  const all: string[] = [];
  for (const line of lines) {
    const [mark] = /^(- |\d+\. )/.exec(line) ?? [];
    if (mark !== undefined) all.push(line.slice(mark.length));
    else all[all.length - 1] += `\n${line.trim()}`;
  }
  return all.map((item) => html`<li>${inline(item, linkTo)}</li>`);
}

function table(lines: readonly string[], linkTo: LinkTo): Html {
  const [head, , ...rows] = lines.map(cellsOf);
  // An empty corner cell is not a heading.
  const heads = head!.map((cell) =>
    cell === '' ? html`<td></td>` : html`<th>${inline(cell, linkTo)}</th>`,
  );
  const body = rows.map(
    (row) => html`<tr>${row.map((cell) => html`<td>${inline(cell, linkTo)}</td>`)}</tr>`,
  );
  return html`<div class="wide" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** A bar inside of code does not separate cells. */
function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\||\|$/g, '');
  return (inner.match(/(?:`[^`]*`|[^|])*\|?/g) ?? [])
    .filter((cell, index, all) => cell !== '' || index < all.length - 1)
    .map((cell) => cell.replace(/\|$/, '').trim());
}

/** Returns Markdown without its marks. */
export function plainText(text: string): string {
  return text
    .replaceAll(/^(?:```\w*|\|[-|]+\||#{1,3} |- |\d+\. )/gm, '')
    .replaceAll(INLINE, (_, code, bold, words) => code ?? bold ?? words)
    .replaceAll(/[`|]|\*\*/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g;
/** Allows only links to this server or to web pages, nothing that a browser would run. */
const SAFE = /^(?:https?:\/\/|(?!\/\/)[\w.#/-]+$)/;

function inline(text: string, linkTo: LinkTo): Html[] {
  const parts: Html[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, bold, words, target] = match;
    parts.push(html`${text.slice(from, match.index)}`);
    from = match.index + whole.length;
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (bold !== undefined) parts.push(html`<strong>${inline(bold, linkTo)}</strong>`);
    else if (!SAFE.test(target!)) parts.push(html`${whole}`);
    else parts.push(html`<a href="${linkTo(target!)}">${inline(words!, linkTo)}</a>`);
  }
  return [...parts, html`${text.slice(from)}`];
}
