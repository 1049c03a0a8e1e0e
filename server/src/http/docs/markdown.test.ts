import { describe, expect, test } from 'vitest';
import { markdown } from './markdown.ts';

const show = (text: string, linkTo?: (target: string) => string) =>
  markdown(text, linkTo)
    .map((piece) => piece.text)
    .join('');

describe('markdown', () => {
  test('default', () => {
    expect(show('# A\n\n## B <i>\n\ntext with `code`\n\n- one\n- two\n  lines\n\n1. first')).toBe(
      '<h1 id="a">A</h1><h2 id="b-i">B &#60;i&#62;</h2><p>text with <code>code</code></p><ul><li>one</li><li>two\nlines</li></ul><ol><li>first</li></ol>',
    );
  });

  test('behavior: tables', () => {
    expect(show('| a | b |\n|---|---|\n| `1|2` | <2 |\n| | x |')).toBe(
      '<div class="wide" tabindex="0"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>1|2</code></td><td>&#60;2</td></tr><tr><td></td><td>x</td></tr></tbody></table></div>',
    );
  });

  test('behavior: code is shown unchanged', () => {
    expect(show('before\n```sh\n# <a>\n\n| b **c** `d`\n```\nafter')).toBe(
      '<p>before</p><div class="code"><pre tabindex="0"><code># &#60;a&#62;\n\n| b **c** `d`</code></pre></div><p>after</p>',
    );
  });

  test('behavior: links are rewritten, and script URLs are dropped', () => {
    const linkTo = (target: string) => target.replace('.md', '');
    expect(show('**see [`a`](b.md#c)**', linkTo)).toBe(
      '<p><strong>see <a href="b#c"><code>a</code></a></strong></p>',
    );
    expect(show('[a](https://example.com/x?y=1)')).toContain('href="https://example.com/x?y=1"');
    for (const target of ['javascript:alert', 'data:text/html,x', '"onclick=x', '//x.example']) {
      expect(show(`[a](${target})`), target).not.toContain('<a');
    }
  });
});
