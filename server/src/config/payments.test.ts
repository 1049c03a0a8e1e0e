import { describe, expect, test } from 'vitest';
import { MAX_NAMED_BYTES } from './clashes.ts';
import { parseConfig } from './load.ts';
import { ConfigError } from './problem.ts';

const ADDRESS = '"0x1111111111111111111111111111111111111111"';
const KEY = `"0x${'ab'.repeat(32)}"`;

function parse(payments: string, http = '{}', env: Record<string, string> = {}) {
  const text = `chains: [{ id: 8453, name: base }]\nfamilies: []\nhttp: ${http}\npayments: ${payments}\n`;
  return parseConfig({ file: 'assay.yaml', text, env }).payments;
}

function mistake(...given: Parameters<typeof parse>): string {
  try {
    parse(...given);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('it loads');
}

const least = `chain: 8453, asset: ${ADDRESS}, payTo: ${ADDRESS}`;
const keys = `facilitator: { keys: [${KEY}] }`;

describe('payments', () => {
  test('default', () => {
    expect(parse(`{ ${least}, ${keys} }`)).toEqual({
      chainId: 8453,
      asset: '0x1111111111111111111111111111111111111111',
      assetName: 'USD Coin',
      assetVersion: '2',
      payTo: '0x1111111111111111111111111111111111111111',
      // The prices of the specified routes; other routes can have prices too.
      prices: expect.objectContaining({
        schema: 1_000n,
        search: 1_000n,
        node: 50_000n,
        dependencies: 1_000_000n,
      }),
      escalation: { firstStepCalls: 1_000, factor: 5, maxFactor: 25 },
      rateLimit: { perSecond: 10, burst: 20 },
      addressLimit: { perSecond: 50, burst: 100 },
      newPayers: { perSecond: 25, burst: 50 },
      gas: {
        nativePrice: null,
        priceShare: 1_000_000n,
        payerPerHour: 100_000_000n,
        lostPerHour: 20_000_000n,
        plainLostPerHour: 2_000_000n,
        waitSeconds: 60,
        maxWaitSeconds: 3_600,
      },
      blocked: [],
      maxTimeoutSeconds: 120,
      keepAnswersSeconds: 86_400,
      lossLimit: { payments: 5, seconds: 86_400 },
      facilitator: {
        kind: 'embedded',
        keys: [KEY.slice(1, -1)],
        maxFeePerGas: 50_000_000_000n,
        lowBalance: 1_000_000_000_000_000n,
        factories: [],
      },
    });
  });

  test('behavior: prices are exact, without float rounding', () => {
    const prices =
      'prices: { schema: 0.000001, search: 0.29, node: 1.1, dependencies: 999999.999999 }';
    expect(parse(`{ ${least}, ${keys}, ${prices} }`)?.prices).toMatchObject({
      schema: 1n,
      search: 290_000n,
      node: 1_100_000n,
      dependencies: 999_999_999_999n,
    });
  });

  test('behavior: limits of gas', () => {
    const gas =
      'gas: { nativeUsd: 3000.5, maxCostRatio: 0.25, payerPerHour: 0, maxFailedGasPerHour: 7, plainLostPerHour: 6, waitSeconds: 5, maxWaitSeconds: 6 }';
    expect(parse(`{ ${least}, ${keys}, ${gas}, addressLimit: { perSecond: 0 } }`)).toMatchObject({
      addressLimit: { perSecond: 0, burst: 100 },
      gas: {
        nativePrice: 3_000_500_000n,
        priceShare: 250_000n,
        payerPerHour: 0n,
        lostPerHour: 7n,
        plainLostPerHour: 6n,
        waitSeconds: 5,
        maxWaitSeconds: 6,
      },
    });
  });

  test('behavior: a facilitator service, and no escalation', () => {
    const url =
      'facilitator: { url: "https://pay.example/v2", headers: { Authorization: Bearer x } }';
    expect(parse(`{ ${least}, ${url}, escalation: { enabled: false } }`)).toMatchObject({
      escalation: null,
      facilitator: {
        kind: 'remote',
        url: 'https://pay.example/v2',
        headers: { Authorization: 'Bearer x' },
        timeoutSeconds: 30,
        confirm: 'chain',
      },
    });
  });

  test('behavior: a facilitator service that is trusted, and another loss limit', () => {
    const service = 'facilitator: { url: "https://pay.example", confirm: service }';
    expect(parse(`{ ${least}, ${service}, lossLimit: { payments: 0, hours: 2 } }`)).toMatchObject({
      lossLimit: { payments: 0, seconds: 7_200 },
      facilitator: { kind: 'remote', confirm: 'service' },
    });
  });

  test.each([
    [
      'a chain that is not listed',
      `{ ${least.replace('8453', '10')}, ${keys} }`,
      'payments.chain is 10',
    ],
    ['no facilitator', `{ ${least} }`, 'payments.facilitator is missing'],
    [
      'an unknown way to confirm settlements',
      `{ ${least}, facilitator: { url: "https://pay.example", confirm: none } }`,
      'must be chain or service',
    ],
    ['neither keys nor url', `{ ${least}, facilitator: {} }`, 'must have either keys or url'],
    [
      'both keys and url',
      `{ ${least}, facilitator: { keys: [${KEY}], url: "https://pay.example" } }`,
      'must have either keys or url',
    ],
    [
      'a price too fine',
      `{ ${least}, ${keys}, prices: { node: 0.0000015 } }`,
      'more than 6 decimals',
    ],
    [
      'a price of nothing',
      `{ ${least}, ${keys}, prices: { node: 0 } }`,
      'must be an amount in USD',
    ],
    [
      'a share of prices without the value of a coin',
      `{ ${least}, ${keys}, gas: { maxCostRatio: 0.5 } }`,
      'payments.gas.maxCostRatio has no effect without the value of a coin',
    ],
    [
      'the worth of a coin too fine',
      `{ ${least}, ${keys}, gas: { nativeUsd: 0.0000015 } }`,
      'payments.gas.nativeUsd has more than 6 decimals',
    ],
    [
      'a share of nothing',
      `{ ${least}, ${keys}, gas: { nativeUsd: 1, maxCostRatio: 0 } }`,
      'must be a number above 0',
    ],
    [
      'a key too short',
      `{ ${least}, facilitator: { keys: ["0xabcdef"] } }`,
      'must be a private key',
    ],
  ])('error: %s', (_, payments, words) => {
    const message = mistake(payments);
    expect(message).toContain(words);
    expect(message).not.toContain('abab');
    expect(message).not.toContain('abcdef');
  });

  test('behavior: a facilitator service can have a program for its headers', () => {
    const service = 'url: "https://facilitator.example.com"';
    const command = '["/usr/local/bin/token", "--for", "us"]';
    const read = parse(`{ ${least}, facilitator: { ${service}, headersCommand: ${command} } }`);
    expect(read?.facilitator).toMatchObject({
      kind: 'remote',
      headersCommand: ['/usr/local/bin/token', '--for', 'us'],
    });
    const wrong = mistake(`{ ${least}, facilitator: { ${service}, headersCommand: token } }`);
    expect(wrong).toContain('must be a list of a program and its arguments');
  });

  describe('publicUrl', () => {
    const settings = `{ ${least}, ${keys} }`;
    const advice = 'add the public URL of the API, here or as http.publicUrl';

    test.each(['0.0.0.0', '"::"', '192.168.1.7', 'vault.internal'])(
      'error: missing where the server listens on %s',
      (host) => {
        expect(mistake(settings, `{ host: ${host} }`)).toContain(
          `assay.yaml:4: payments.publicUrl is missing: the server listens on ${host.replaceAll('"', '')}, and invoices would contain that address, which payers cannot reach; ${advice}`,
        );
      },
    );

    test('error: the same if the environment sets the host', () => {
      expect(mistake(settings, '{}', { HOST: '0.0.0.0' })).toContain('listens on 0.0.0.0');
    });

    test.each(['127.0.0.1', 'localhost', '"::1"'])('behavior: not needed on %s', (host) => {
      expect(parse(settings, `{ host: ${host} }`)).not.toHaveProperty('publicUrl');
    });

    test('behavior: either of the two is enough', () => {
      const own = `{ ${least}, ${keys}, publicUrl: "https://risk.example.com/" }`;
      expect(parse(own, '{ host: 0.0.0.0 }')?.publicUrl).toBe('https://risk.example.com');
      parse(settings, '{ host: 0.0.0.0, publicUrl: "https://api.example.com" }');
    });

    test.each(['payments', 'http'])('error: %s.publicUrl leaves no room in invoices', (part) => {
      const names = 'USD Coin2'.length;
      const read = (length: number) => {
        const url = `publicUrl: "${'https://'.padEnd(length, 'a')}"`;
        const own = part === 'payments' ? `{ ${least}, ${keys}, ${url} }` : settings;
        return [own, part === 'http' ? `{ ${url} }` : '{}'] as const;
      };
      parse(...read(MAX_NAMED_BYTES - names));
      expect(mistake(...read(MAX_NAMED_BYTES - names + 1))).toContain(
        `${part}.publicUrl is too long for invoices, which proxies drop if their headers exceed 4 KB: with assetName and assetVersion it has 135 bytes, and the maximum is 134; use a shorter URL`,
      );
    });

    test('behavior: without payments it may have any length', () => {
      const url = 'https://'.padEnd(500, 'a');
      const text = `chains: [{ id: 8453, name: base }]\nfamilies: []\nhttp: { publicUrl: "${url}" }\n`;
      expect(parseConfig({ file: 'assay.yaml', text, env: {} }).http.publicUrl).toBe(url);
    });
  });
});
