import { type Html, html, prose } from './html.ts';

/** The Markdown of our own pages: headings, tables, lists and paragraphs. */
export function markdown(text: string): Html[] {
  return text
    .trim()
    .split(/\n\n+/)
    .flatMap((block) => {
      if (block.startsWith('# ')) return [html`<h1>${block.slice(2)}</h1>`];
      if (block.startsWith('## ')) return [html`<h2>${block.slice(3)}</h2>`];
      return block.startsWith('| ') ? [table(block.split('\n'))] : prose(block);
    });
}

function table(lines: readonly string[]): Html {
  const [head, , ...rows] = lines.map((line) => line.slice(1, -1).split('|'));
  const cells = (row: readonly string[], tag: 'th' | 'td') =>
    row.map((cell) => {
      const [content] = prose(cell.trim());
      return tag === 'th' ? html`<th>${content!}</th>` : html`<td>${content!}</td>`;
    });
  return html`<div class="wide" tabindex="0"><table><thead><tr>${cells(head!, 'th')}</tr></thead><tbody>${rows.map((row) => html`<tr>${cells(row, 'td')}</tr>`)}</tbody></table></div>`;
}
