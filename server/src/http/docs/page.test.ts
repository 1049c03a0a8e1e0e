import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { committedDocument } from '../../../test/answers.ts';
import { REFUSAL_CODES } from '../../payments/gate/refusalCodes.ts';
import { closeServer, listen } from '../listen.ts';
import { createServer } from '../server.ts';
import { listFields } from './fields.ts';
import { CONTENT_SECURITY_POLICY } from './frame.ts';
import { html, prose } from './html.ts';
import { referencePage } from './page.ts';

describe('referencePage', () => {
  const document = committedDocument();
  const page = referencePage(document);

  test('default: every operation, parameter, field and status is there', () => {
    for (const [path, { get }] of Object.entries(document.paths)) {
      const start = page.indexOf(`<section id="${get.operationId}">`);
      expect(start).toBeGreaterThan(0);
      const section = page.slice(start, page.indexOf('</section>', start));
      expect(section).toContain(`<code>GET ${path}</code>`);
      for (const { name } of get.parameters) expect(section).toContain(`<code>${name}</code>`);
      for (const status of Object.keys(get.responses))
        expect(section).toContain(`<h4>${status}</h4>`);
      const success = get.responses[200];
      if (success === undefined || '$ref' in success) continue;
      for (const field of listFields(Object.values(success.content!)[0]!.schema)) {
        expect(section).toContain(`<code>${field.path}</code>`.replace('<code></code>', ''));
      }
    }
  });

  test('behavior: every error of a 402 is there', () => {
    for (const { code } of REFUSAL_CODES) expect(page).toContain(`<code>${code}</code>`);
    expect(page).not.toContain('|---|');
  });

  test('behavior: asks nobody for anything', () => {
    expect(page).not.toMatch(/<(script\s|link|img|iframe|object|form)\b/i);
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//i);
    expect(page).not.toMatch(/\sstyle=|\son\w+=/i);
    expect(page).not.toContain('@import');
    expect(CONTENT_SECURITY_POLICY).not.toContain('unsafe');
    // What is inline is allowed by its hash alone.
    for (const [, tag, text] of page.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)) {
      const hash = createHash('sha256').update(text!).digest('base64');
      expect(CONTENT_SECURITY_POLICY).toContain(`${tag}-src 'sha256-${hash}'`);
    }
  });

  test('behavior: every link inside the page has its target', () => {
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${id}"`);
  });
});

describe('html', () => {
  test('default: values are escaped', () => {
    expect(html`<p title="${'"'}">${'<b>&'}${html`<i>${1}</i>`}</p>`.text).toBe(
      '<p title="&#34;">&#60;b&#62;&#38;<i>1</i></p>',
    );
    const [first, second] = prose('one `<x>`\n\n- a\n- b');
    expect(first!.text).toBe('<p>one <code>&#60;x&#62;</code></p>');
    expect(second!.text).toBe('<ul><li>a</li><li>b</li></ul>');
  });
});

describe('GET /docs and /openapi.json', () => {
  let app: ReturnType<typeof createServer>;
  let url: string;
  beforeAll(async () => {
    app = createServer({
      version: '1',
      getChainStatuses: async () => [],
      onError: () => {},
      http: { publicUrl: 'https://api.example.com' },
    });
    const port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(() => closeServer(app, 1_000));

  test('default', async () => {
    const page = await fetch(`${url}/docs`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY);
    expect(page.headers.get('content-encoding')).toBe('gzip');
    expect(await page.text()).toContain('getStatus');
    const etag = page.headers.get('etag')!;
    expect((await fetch(`${url}/docs`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const json = await fetch(`${url}/openapi.json`);
    expect(json.headers.get('access-control-allow-origin')).toBe('*');
    expect(await json.json()).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'https://api.example.com' }],
    });
  });
});
