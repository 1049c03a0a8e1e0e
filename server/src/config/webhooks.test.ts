import { describe, expect, test } from 'vitest';
import { parseConfig } from './load.ts';
import { ConfigError } from './problem.ts';

const HMAC = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const ED25519 = `whsk_${Buffer.alloc(32, 1).toString('base64')}`;

function parse(webhooks: string, env: Record<string, string> = {}) {
  const text = `chains: [{ id: 8453, name: base }]
families:
  - slug: alpha
    name: Alpha
    address: "0x${'11'.repeat(20)}"
    adapter: erc4626
    base: { marketDataId: usd-coin }
    share: { marketDataId: alpha }
    chains: [{ chain: 8453, role: settlement }]
${webhooks}
`;
  return parseConfig({ file: 'assay.yaml', text, env }).webhooks;
}

function mistakes(entry: string, env: Record<string, string> = {}): string {
  try {
    parse(`webhooks:\n${entry}`, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

const hook = (fields: string) => `  - { name: one, ${fields} }`;

describe('webhooks', () => {
  test('default', () => {
    expect(parse('')).toBeUndefined();
    const url = 'https://hooks.example.com/assay';
    const entry = `  - { name: one, url: "${url}", secrets: ["\${SECRET}", "${ED25519}"] }`;
    expect(parse(`webhooks:\n${entry}`, { SECRET: HMAC })).toEqual([
      { name: 'one', url, secrets: [HMAC, ED25519], delivery: 'applied', allowPrivate: false },
    ]);
  });

  test('behavior: filters, the time of delivery, and an endpoint in a private network', () => {
    const fields = `url: "http://10.0.0.1/", secrets: ["${HMAC}"], allowPrivate: true`;
    const chosen = 'types: [pool], families: [alpha], delivery: final';
    expect(parse(`webhooks:\n${hook(`${fields}, ${chosen}`)}`)).toMatchObject([
      { types: ['pool'], families: ['alpha'], delivery: 'final', allowPrivate: true },
    ]);
  });

  test('error: each mistake with its line', () => {
    const valid = `url: "https://a.example", secrets: ["${HMAC}"]`;
    expect(mistakes(`${hook(valid)}\n${hook(valid)}`)).toBe(
      'assay.yaml:12: webhooks[1].name is the same name as webhooks[0] (line 11); remove one of the two or change its name',
    );
    expect(mistakes(hook(`${valid}, types: [swap]`))).toBe(
      'assay.yaml:11: webhooks[0].types[0] must be one of history, share-price, pool, tick, price-outage, state, grade, governance, alert, payment, not "swap"',
    );
    expect(mistakes(hook(`${valid}, types: [pool, payment], families: [alpha]`))).toBe(
      'assay.yaml:11: webhooks[0].types includes payment, but payments are of no family; use another endpoint without families for them',
    );
    expect(mistakes(hook(`${valid}, families: [alfa]`))).toBe(
      'assay.yaml:11: webhooks[0].families[0] is "alfa", which is not a family; known are alpha',
    );
    expect(mistakes(hook(`${valid}, delivery: now`))).toContain('must be applied or final');
    expect(mistakes(hook('secrets: []'))).toContain('url is missing');
    expect(mistakes(hook('url: "https://a.example"'))).toContain(
      `secrets is missing; add it, for example secrets: ["\${WEBHOOK_SECRET}"]`,
    );
  });

  test('error: plain http, which others can read', () => {
    const fields = `url: "http://a.example/key", secrets: ["${HMAC}"]`;
    expect(mistakes(hook(fields))).toBe(
      'assay.yaml:11: webhooks[0].url is not encrypted; use https://, or set allowPrivate for an endpoint in your own network',
    );
  });

  test.each(['hunter2', 'whsec_hunter2', `${HMAC}!`, 'whsk_AAAA', 'ftp://hunter2'])(
    'error: %s is never printed',
    (secret) => {
      const text = mistakes(hook(`url: "https://a.example", secrets: ["${secret}"]`));
      expect(text).toContain('webhooks[0].secrets[0] must be whsec_ and 24 to 64 bytes in base64');
      expect(text).not.toContain(secret);
      const url = mistakes(hook(`url: "hunter2/k3y", secrets: ["${HMAC}"]`));
      expect(url).toContain('must be a URL');
      expect(url).not.toContain('k3y');
    },
  );
});
