import { describe, expect, test } from 'vitest';
import { methodology } from '../../domain/risk/grade/methodology.ts';
import { methodologyPage } from '../../domain/risk/grade/methodologyPage.ts';
import { markdown } from './markdown.ts';
import { methodologyHtml } from './page.ts';

const show = (text: string) =>
  markdown(text)
    .map((piece) => piece.text)
    .join('');

describe('markdown', () => {
  test('default', () => {
    expect(show('# A\n\n## B <i>\n\ntext with `code`\n\n- one\n- two')).toBe(
      '<h1>A</h1><h2>B &#60;i&#62;</h2><p>text with <code>code</code></p><ul><li>one</li><li>two</li></ul>',
    );
  });

  test('behavior: tables', () => {
    expect(show('| a | b |\n|---|---|\n| `1` | <2 |')).toBe(
      '<div class="wide" tabindex="0"><table><thead><tr><th><p>a</p></th><th><p>b</p></th></tr></thead><tbody><tr><td><p><code>1</code></p></td><td><p>&#60;2</p></td></tr></tbody></table></div>',
    );
  });

  test('behavior: the whole method becomes a page that asks nobody for anything', () => {
    const page = methodologyHtml(methodologyPage(methodology()));
    expect(page).toContain('<h1>How risk is graded</h1>');
    expect(page).not.toContain('|---|');
    expect(page).not.toMatch(/<(script|link|img|iframe|object|form)\b|\sstyle=/i);
  });
});
