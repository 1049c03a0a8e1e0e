/** A piece of HTML; anything else is text and gets escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Html[];

/** A template whose values are escaped unless they are HTML already. */
export function html(texts: TemplateStringsArray, ...values: readonly Part[]): Html {
  const parts = values.map((value, index) => render(value) + texts[index + 1]);
  return new Html(texts[0] + parts.join(''));
}

function render(value: Part): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return String(value).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Renders text with `code` in backquotes; a blank line separates paragraphs, a dash starts an item. */
export function prose(text: string): Html[] {
  return text.split(/\n\n+/).map((block) => {
    const lines = block.split('\n');
    if (!lines.every((line) => line.startsWith('- '))) return html`<p>${codes(block)}</p>`;
    return html`<ul>${lines.map((line) => html`<li>${codes(line.slice(2))}</li>`)}</ul>`;
  });
}

function codes(text: string): Html[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/** A block of code; the script of the page adds a copy button. */
export function code(text: string): Html {
  return html`<div class="code"><pre tabindex="0"><code>${text}</code></pre></div>`;
}
