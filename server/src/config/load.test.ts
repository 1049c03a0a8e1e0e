import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { FULL } from '../../../scripts/test/extents.mjs';
import { loadConfig, parseConfig } from './load.ts';
import { ConfigError } from './problem.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MINIMAL = `chains:
  - { id: 8453, name: base, rpc: ["http://127.0.0.1:8545"] }
families:
  - slug: svcusd
    name: Vault USD
    address: "0x1111111111111111111111111111111111111111"
    adapter: erc4626
    base: { marketDataId: usd-coin }
    share: { marketDataId: svcusd }
    chains:
      - { chain: 8453, role: settlement }
`;

function parse(text: string, env: Record<string, string> = {}) {
  return parseConfig({ file: 'assay.yaml', text, env });
}

/** Returns the message of every mistake, one per line. */
function mistakes(text: string, env: Record<string, string> = {}): string[] {
  try {
    parse(text, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}

/** Returns MINIMAL with one change. */
function changed(from: string, to: string): string {
  if (!MINIMAL.includes(from)) throw new Error(`no ${from} to change`);
  return MINIMAL.replace(from, () => to);
}

describe('parseConfig', () => {
  test('default', () => {
    expect(parse(MINIMAL)).toMatchInlineSnapshot(`
      {
        "chains": [
          {
            "chainId": 8453,
            "concurrency": 8,
            "finality": "finalized",
            "logRange": 2000,
            "multicall": "0xca11bde05977b3631167028862be2a173976ca11",
            "name": "base",
            "pollSeconds": 2,
            "rpcUrls": [
              "http://127.0.0.1:8545",
            ],
            "timeoutSeconds": 10,
          },
        ],
        "families": [
          {
            "adapter": "erc4626",
            "address": "0x1111111111111111111111111111111111111111",
            "baseAsset": {
              "marketDataId": "usd-coin",
            },
            "bindingDeclarationAddress": "0x1111111111111111111111111111111111111111",
            "chains": [
              {
                "address": "0x1111111111111111111111111111111111111111",
                "chainId": 8453,
                "custody": [],
                "role": "settlement",
                "routers": [],
                "startBlock": 0,
                "vaults": [],
              },
            ],
            "feederOf": null,
            "name": "Vault USD",
            "pools": [],
            "priceFeed": null,
            "shareAsset": {
              "marketDataId": "svcusd",
            },
            "slug": "svcusd",
          },
        ],
        "file": "assay.yaml",
        "http": {
          "adminPort": 9464,
          "drainSeconds": 0,
          "host": "127.0.0.1",
          "port": 8080,
          "rateLimit": {
            "burst": 100,
            "connections": 500,
            "loopback": false,
            "perSecond": 50,
            "trustedProxies": [],
          },
        },
        "prices": {
          "feeds": [],
          "maxAgeSeconds": 86400,
        },
        "risk": {
          "refreshHours": 24,
          "sources": {},
        },
        "store": {
          "folder": ".assay/store",
          "minFreeBytes": 268435456,
        },
        "ticks": {
          "backfillSeconds": 3600,
          "liveSeconds": 300,
        },
      }
    `);
  });

  const count = FULL ? 1_000 : 100;
  test(`behavior: a file of any length: ${count} families on 3 chains with 10 pools`, () => {
    const address = (number: number) => `"0x${number.toString(16).padStart(40, '0')}"`;
    const family = (number: number) => `  - slug: family-${number}
    name: Family ${number}
    address: ${address(number + 1)}
    adapter: erc4626
    base: *usdc
    share: { symbol: F${number}, name: Family ${number}, marketDataId: family-${number} }
    feederOf: ${number === 0 ? 'null' : 'family-0'}
    chains:
${[1, 10, 8453].map((id) => `      - { chain: ${id}, role: settlement, startBlock: 1 }`).join('\n')}
    pools:
${Array.from({ length: 10 }, (_, pool) => {
  return `      - offchainId: ${number}-${pool}
        name: Pool ${pool}
        protocol: A protocol
        url: https://pool.example/${number}/${pool}
        description: What it does, in a sentence of a length that such texts have
        composition: [{ kind: underlying, chain: 1, address: ${address(number + 1)}, symbol: A, share: 1 }]`;
}).join('\n')}
`;
    const text = `chains:
${[1, 10, 8453].map((id) => `  - { id: ${id}, name: chain-${id}, rpc: ["http://127.0.0.1:${id}"] }`).join('\n')}
families:
${Array.from({ length: count }, (_, number) => family(number)).join('')}`;
    const file = text.replace(
      '*usdc',
      '&usdc { symbol: USDC, name: USD Coin, marketDataId: usd-coin }',
    );
    const { families } = parse(file);
    expect(families.length).toBe(count);
    expect(families.every(({ pools, chains }) => pools.length === 10 && chains.length === 3)).toBe(
      true,
    );
    expect(families.at(-1)?.baseAsset).toEqual(families[0]?.baseAsset);
  });

  test('behavior: the result cannot be changed anywhere', () => {
    const config = parse(MINIMAL);
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.families[0]?.chains[0]?.routers)).toBe(true);
  });

  test('behavior: addresses become lower-case, unquoted ones keep their digits', () => {
    const text = changed(
      '"0x1111111111111111111111111111111111111111"',
      '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    );
    expect(parse(text).families[0]?.address).toBe('0x833589fcd6edb6e08f4c7c32d4f71b54bda02913');
  });

  test('behavior: the environment wins over the file', () => {
    const env = {
      HOST: '0.0.0.0',
      PORT: '9000',
      ADMIN_PORT: '9001',
      METRICS_PORT: '9002',
      DATABASE_URL: 'postgres://a/b',
      DATABASE_REPLICA_URL: 'postgresql://c/d',
    };
    const config = parse(`http: { host: 127.0.0.2, port: 1, adminPort: 2 }\n${MINIMAL}`, env);
    const ports = { port: 9000, adminPort: 9001, metricsPort: 9002 };
    expect(config.http).toMatchObject({ host: '0.0.0.0', ...ports });
    expect(config.store.databaseUrl).toBe('postgres://a/b');
    expect(config.store.replicaUrl).toBe('postgresql://c/d');
  });

  test('behavior: a server on PostgreSQL drains by default', () => {
    const env = { DATABASE_URL: 'postgres://u:p%2F@a:1,b:2/c?sslmode=require' };
    const drain = (text: string, more = {}) => parse(text, { ...env, ...more }).http.drainSeconds;
    expect(parse(MINIMAL).http.drainSeconds).toBe(0);
    expect(drain(MINIMAL)).toBe(10);
    expect(drain(`http: { drainSeconds: 0 }\n${MINIMAL}`)).toBe(0);
    expect(drain(`http: { drainSeconds: 1 }\n${MINIMAL}`, { DRAIN_SECONDS: '30' })).toBe(30);
    expect(() => drain(MINIMAL, { DRAIN_SECONDS: '1h' })).toThrow(
      /DRAIN_SECONDS must be an integer/,
    );
  });

  test.each(['postgres://u:a/b@h:5432/d', 'postgres://u@a:1,b:99999/d', 'postgres://u@a b/d'])(
    'error: %s is not a URL',
    (text) => {
      expect(() => parse(MINIMAL, { DATABASE_URL: text })).toThrow(
        /DATABASE_URL must be a valid URL; check host and port/,
      );
    },
  );

  test('behavior: the access log is off unless the file or the environment turns it on', () => {
    const on = `http: { accessLog: true }\n${MINIMAL}`;
    expect(parse(MINIMAL).http.accessLog).toBeUndefined();
    expect(parse(on).http.accessLog).toBe(true);
    expect(parse(MINIMAL, { ACCESS_LOG: 'true' }).http.accessLog).toBe(true);
    expect(parse(on, { ACCESS_LOG: 'false' }).http.accessLog).toBeUndefined();
    expect(() => parse(MINIMAL, { ACCESS_LOG: 'yes' })).toThrow(/ACCESS_LOG must be true or false/);
  });

  test('error: a metrics port that is already used', () => {
    const of = (port: number) => () => parse(`http: { metricsPort: ${port} }\n${MINIMAL}`);
    expect(of(9465)().http.metricsPort).toBe(9465);
    for (const port of [8080, 9464])
      expect(of(port)).toThrow(/http\.metricsPort is .* a different one/);
  });

  test('behavior: the public URL and the rate limit', () => {
    const limit = 'rateLimit: { perSecond: 0, trustedProxies: [10.0.0.0/8, "fd00::/8"] }';
    const text = `http: { publicUrl: "https://api.example.com/", ${limit} }\n${MINIMAL}`;
    expect(parse(text).http).toMatchObject({
      publicUrl: 'https://api.example.com',
      rateLimit: { perSecond: 0, burst: 100, trustedProxies: ['10.0.0.0/8', 'fd00::/8'] },
    });
  });

  test('behavior: retention in seconds, or none', () => {
    const { retention } = parse(`retention: { raw: 90d, hour: 2y }\n${MINIMAL}`);
    expect(retention).toEqual({ raw: 90 * 86_400, hour: 730 * 86_400 });
    expect(parse(`retention: { raw: 35d }\n${MINIMAL}`).retention).toEqual({ raw: 35 * 86_400 });
    expect(parse(MINIMAL).retention).toBeUndefined();
  });

  test('behavior: the legacy API is served until the end of a day in UTC', () => {
    const { legacyApi } = parse(`legacyApi: { until: 2027-03-31 }\n${MINIMAL}`);
    expect(legacyApi).toEqual({ until: Date.parse('2027-03-31T23:59:59Z') / 1000 });
    expect(parse(MINIMAL).legacyApi).toBeUndefined();
  });

  test('behavior: gaps are accepted for all chains, for one, or for all but one', () => {
    const accepted = (text: string) => parse(text).chains.map(({ acceptGaps }) => acceptGaps);
    const ofChain = (value: string) => changed('name: base,', `name: base, acceptGaps: ${value},`);
    expect(accepted(MINIMAL)).toEqual([undefined]);
    expect(accepted(`acceptGaps: true\n${MINIMAL}`)).toEqual([true]);
    expect(accepted(ofChain('true'))).toEqual([true]);
    expect(accepted(`acceptGaps: true\n${ofChain('false')}`)).toEqual([undefined]);
    expect(mistakes(ofChain('1')).join()).toContain('must be true or false');
  });

  test('option: a rate in compute units, with weights of Alchemy or of the file', () => {
    const unitsOf = (text: string) =>
      parse(changed('name: base,', `name: base, computeUnits: ${text},`)).chains[0]?.computeUnits;
    expect(unitsOf('{ perSecond: 500 }')).toEqual({
      perSecond: 500,
      methods: {
        ...{ eth_getLogs: 60, eth_call: 26, eth_getBlockByNumber: 20 },
        ...{ eth_getCode: 26, eth_getStorageAt: 26, eth_chainId: 0 },
      },
    });
    const infura = '{ eth_getLogs: 255, eth_call: 80, eth_getBlockByNumber: 80, eth_getCode: 90 }';
    expect(unitsOf(`{ perSecond: 500, methods: ${infura} }`)?.methods).toMatchObject({
      ...{ eth_getLogs: 255, eth_getCode: 90, eth_getStorageAt: 80, eth_chainId: 80 },
    });
  });

  test('behavior: a demo exposes a key, so it listens on loopback only', () => {
    const walletKey = `0x${'11'.repeat(32)}`;
    const demo = `demo: { walletKey: "${walletKey}" }\n${MINIMAL}`;
    expect(parse(demo).demo).toEqual({ walletKey });
    expect(() => parse(`http: { host: 0.0.0.0 }\n${demo}`)).toThrow(
      'demo gives out a private key, and the server listens on 0.0.0.0',
    );
  });

  test.each(['10.0.0.0/33', '256.1.1.1', '"fd00::/129"', '":::"', 'localhost'])(
    'error: %s is not a proxy',
    (proxy) => {
      const text = `http: { rateLimit: { trustedProxies: [${proxy}] } }\n${MINIMAL}`;
      expect(mistakes(text).join()).toContain('must be an IP address or a range such as');
    },
  );

  test('behavior: references to the environment, with defaults and numbers', () => {
    const text = changed('rpc: ["http://127.0.0.1:8545"]', `rpc: ["\${RPC}", "\${RPC_2:-}"]`);
    const ticks = `ticks: { liveSeconds: "\${LIVE:-60}", backfillSeconds: "\${BACKFILL}" }\n`;
    const config = parse(ticks + text, { RPC: 'https://rpc.example/key', BACKFILL: '7200' });
    expect(config.chains[0]?.rpcUrls).toEqual(['https://rpc.example/key']);
    expect(config.ticks).toEqual({ liveSeconds: 60, backfillSeconds: 7200 });
  });

  test('behavior: a chain without a URL is unconfigured', () => {
    const text = changed('rpc: ["http://127.0.0.1:8545"]', `rpc: ["\${RPC:-}"]`);
    expect(parse(text).chains[0]?.rpcUrls).toEqual([]);
  });

  test(`behavior: $\${ is a literal`, () => {
    expect(parse(changed('Vault USD', `Vault $\${X}`)).families[0]?.name).toBe(`Vault \${X}`);
  });

  test('behavior: anchors may be used', () => {
    const text = changed('share: { marketDataId: svcusd }', 'share: *base').replace(
      'base: {',
      'base: &base {',
    );
    expect(parse(text).families[0]?.shareAsset.marketDataId).toBe('usd-coin');
  });

  test('behavior: feeds of both kinds, and finality by depth', () => {
    const text = `prices:
  feeds:
    usdc-usd: { aggregator: "0x2222222222222222222222222222222222222222", chain: 8453, startBlock: 7 }
    eur-usd: { marketDataId: euro-coin }
  marketData: { url: "https://prices.example/v3", apiKey: { header: x-key, value: secret } }
${changed('name: base,', 'name: base, finality: { depth: 64 },')}`;
    const config = parse(text);
    expect(config.chains[0]?.finality).toEqual({ depth: 64 });
    expect(config.prices).toMatchInlineSnapshot(`
      {
        "feeds": [
          {
            "address": "0x2222222222222222222222222222222222222222",
            "chainId": 8453,
            "kind": "aggregator",
            "name": "usdc-usd",
            "startBlock": 7,
          },
          {
            "kind": "market-data",
            "marketDataId": "euro-coin",
            "name": "eur-usd",
          },
        ],
        "marketData": {
          "apiKey": {
            "header": "x-key",
            "value": "secret",
          },
          "pollSeconds": 60,
          "url": "https://prices.example/v3",
        },
        "maxAgeSeconds": 86400,
      }
    `);
  });

  test('error: all mistakes at once, in the order of the file', () => {
    const text = MINIMAL.replace('id: 8453', 'id: -1')
      .replace('adapter: erc4626', 'adaptor: erc4626')
      .replace('role: settlement', 'role: exec');
    expect(mistakes(text)).toMatchInlineSnapshot(`
      [
        "assay.yaml:2: chains[0].id must be an integer of 1 or more, not -1",
        "assay.yaml:7: families[0].adaptor is not a known key; did you mean adapter?",
        "assay.yaml:11: families[0].chains[0].role must be settlement or execution, not "exec"",
      ]
    `);
  });

  test('error: messages contain no secrets', () => {
    const secret = 'hunter2';
    const texts = [
      changed('http://127.0.0.1:8545', `ftp://user:${secret}@rpc.example`),
      changed('http://127.0.0.1:8545', `https://${secret}@:80:80`),
      changed('["http://127.0.0.1:8545"]', `https://rpc.example/${secret}`),
      changed('name: base', `name: https://rpc.example/${secret}`),
      changed('name: base', `name: "\${SECRET}"`),
      changed('role: settlement', `role: "\${SECRET}"`),
      `${MINIMAL}    priceFeed: "\${SECRET}"\n`,
      `${MINIMAL}prices: { marketData: { url: "x", apiKey: { header: k, value: "${secret} x" } } }\n`,
      `${MINIMAL}"${secret}\n`,
      `"https://u:${secret}@h": 1\n${MINIMAL}`,
      `${MINIMAL}    priceFeed: "https://u:${secret}@h"\n`,
    ];
    for (const text of texts) {
      const found = mistakes(text, { SECRET: `A ${secret}` });
      expect(found).not.toEqual([]);
      expect(found.join('\n')).not.toContain(secret);
    }
  });
});

const ADDRESS = '0x1111111111111111111111111111111111111111';
const FAMILY = MINIMAL.slice(MINIMAL.indexOf('  - slug'));
const POOL = `    pools:
      - { offchainId: "base:lending:a", name: A, protocol: P, url: "https://a.example" }
`;

describe('parseConfig rejects', () => {
  const cases: Record<string, [text: string, env?: Record<string, string>]> = {
    'not YAML': ['chains: [\nfamilies: }'],
    'tab indentation': ['chains:\n\t- { id: 1, name: a }\nfamilies: []\n'],
    'key twice': [`${MINIMAL}families: []\n`],
    'two documents': [`${MINIMAL}---\n${MINIMAL}`],
    'unknown alias': [changed('{ marketDataId: svcusd }', '*nowhere')],
    'empty file': [''],
    'only comments': ['# nothing\n'],
    'a list': ['- 1\n'],
    'a word': ['hello\n'],
    'unknown key with a near one': [changed('adapter:', 'adaptor:')],
    'unknown key without a near one': [`wallets: []\n${MINIMAL}`],
    'key over two lines': [`"a\\nb": 1\n${MINIMAL}`],
    'merge key': [changed('base: {', 'base: { <<: {},')],
    __proto__: [`__proto__: { a: 1 }\n${MINIMAL}`],
    'missing key': [changed('    name: Vault USD\n', '')],
    'missing mapping': [changed('    base: { marketDataId: usd-coin }\n', '')],
    'missing top keys': ['http: {}\n'],
    'key without value': [changed('name: Vault USD', 'name:')],
    'number for text': [changed('name: Vault USD', 'name: 12')],
    'text for number': [changed('id: 8453', 'id: base')],
    'mapping for list': [changed('rpc: ["http://127.0.0.1:8545"]', 'rpc: { a: 1 }')],
    'list for mapping': [changed('{ marketDataId: usd-coin }', '[usd-coin]')],
    'empty chains': ['chains: []\nfamilies: []\n'],
    'short address': [changed(ADDRESS, '0x1111')],
    'wrong checksum': [changed(ADDRESS, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914')],
    'day that does not exist': [`legacyApi: { until: 2027-02-30 }\n${MINIMAL}`],
    'legacy API after its removal': [`legacyApi: { until: 2027-04-01 }\n${MINIMAL}`],
    'no last day': [`legacyApi: {}\n${MINIMAL}`],
    'retention without its unit': [`retention: { raw: 90 }\n${MINIMAL}`],
    'retention shorter than yields look back': [`retention: { raw: 34d }\n${MINIMAL}`],
    'retention of hours shorter than in full': [`retention: { raw: 2y, hour: 90d }\n${MINIMAL}`],
    'retention of hours alone': [`retention: { hour: 90d }\n${MINIMAL}`],
    'unknown role': [changed('role: settlement', 'role: exec')],
    'unknown adapter': [changed('adapter: erc4626', 'adapter: erc20')],
    'slug in capitals': [changed('slug: svcusd', 'slug: SvcUSD')],
    'slug twice': [MINIMAL + FAMILY.replace(ADDRESS, ADDRESS.replaceAll('1', '2'))],
    'vault twice': [MINIMAL + FAMILY.replace('slug: svcusd', 'slug: other')],
    'chain twice': [changed('families:', '  - { id: 8453, name: other }\nfamilies:')],
    'chain name twice': [changed('families:', '  - { id: 1, name: base }\nfamilies:')],
    'family chain twice': [`${MINIMAL}      - { chain: 8453, role: execution }\n`],
    'pool twice': [MINIMAL + POOL + POOL.split('\n')[1]],
    'unknown chain': [changed('chain: 8453', 'chain: 8543')],
    'no settlement chain': [changed('role: settlement', 'role: execution')],
    'feeder of nothing': [`${MINIMAL}    feederOf: svcusdt\n`],
    'feeder of itself': [`${MINIMAL}    feederOf: svcusd\n`],
    'feeders in a circle': [
      `${MINIMAL}    feederOf: other\n${FAMILY.replace('slug: svcusd', 'slug: other').replace(ADDRESS, ADDRESS.replaceAll('1', '2'))}    feederOf: svcusd\n`,
    ],
    'unknown feed': [`${MINIMAL}    priceFeed: usdc-usd\n`],
    'feed on unknown chain': [
      `${MINIMAL}prices: { feeds: { a: { aggregator: "${ADDRESS}", chain: 5 } } }\n`,
    ],
    'aggregator without chain': [
      `${MINIMAL}prices: { feeds: { a: { aggregator: "${ADDRESS}" } } }\n`,
    ],
    'feed of both kinds': [
      `${MINIMAL}prices: { feeds: { a: { aggregator: "${ADDRESS}", chain: 8453, marketDataId: a } } }\n`,
    ],
    'feed of no kind': [`${MINIMAL}prices: { feeds: { a: {} } }\n`],
    'feed without provider': [`${MINIMAL}prices: { feeds: { a: { marketDataId: a } } }\n`],
    'feed name': [`${MINIMAL}prices: { feeds: { "A B": { marketDataId: a } } }\n`],
    'shares above 1': [
      `${MINIMAL}${POOL.replace(' }', `, composition: [{ kind: underlying, chain: 8453, address: "${ADDRESS}", symbol: A, share: 0.7 }, { kind: underlying, chain: 8453, address: "${ADDRESS}", symbol: B, share: 0.4 }] }`)}`,
    ],
    'one share above 1': [
      `${MINIMAL}${POOL.replace(' }', `, composition: [{ kind: underlying, chain: 8453, address: "${ADDRESS}", symbol: A, share: 1.5 }] }`)}`,
    ],
    'negative number': [changed('role: settlement', 'role: settlement, startBlock: -1')],
    'fractional number': [changed('role: settlement', 'role: settlement, startBlock: 1.5')],
    'number beyond exact integers': [
      changed('role: settlement', 'role: settlement, startBlock: 9007199254740993'),
    ],
    'zero seconds': [changed('name: base', 'name: base, pollSeconds: 0')],
    'not a number': [changed('name: base', 'name: base, pollSeconds: .nan')],
    'two rates': [
      changed('name: base', 'name: base, callsPerSecond: 25, computeUnits: { perSecond: 500 }'),
    ],
    'units of an unknown method': [
      changed(
        'name: base',
        'name: base, computeUnits: { perSecond: 500, methods: { eth_getLogs: 60, eth_call: 26, eth_getBlockByNumber: 20, eth_getlogs: 1 } }',
      ),
    ],
    'units of some methods only': [
      changed(
        'name: base',
        'name: base, computeUnits: { perSecond: 500, methods: { eth_call: 26 } }',
      ),
    ],
    'finality depth': [changed('name: base', 'name: base, finality: { depth: -1 }')],
    'port out of range': [`http: { port: 65536 }\n${MINIMAL}`],
    'one port for both': [`http: { port: 9464 }\n${MINIMAL}`],
    'admin host': [`http: { adminHost: 0.0.0.0 }\n${MINIMAL}`],
    'URL of another scheme': [changed('http://127.0.0.1:8545', 'ftp://127.0.0.1:8545')],
    'pool URL': [`${MINIMAL}${POOL.replace('https://a.example', 'a.example')}`],
    'unset variable': [changed('http://127.0.0.1:8545', `\${RPC}`)],
    'empty variable': [changed('http://127.0.0.1:8545', `\${RPC}`), { RPC: '' }],
    'broken reference': [changed('http://127.0.0.1:8545', `\${RPC`)],
    'PORT in the environment': [MINIMAL, { PORT: '80a' }],
    'DATABASE_URL in the environment': [MINIMAL, { DATABASE_URL: 'mysql://u:p@h/d' }],
    'replica without primary': [MINIMAL, { DATABASE_REPLICA_URL: 'postgres://u:p@h/d' }],
    'alias bomb': [
      `a: &a [1,1,1,1,1,1,1,1,1,1]\n${['b', 'c', 'd', 'e', 'f', 'g']
        .map((name, i) => `${name}: &${name} [${Array(10).fill(`*${'abcdef'[i]}`).join(',')}]`)
        .join('\n')}\n`,
    ],
    'alias of itself': ['chains: &a [*a]\nfamilies: []\n'],
    'deep nesting': [`chains: ${'['.repeat(5_000)}${']'.repeat(5_000)}\n`],
    'endless nesting': [`chains: ${'['.repeat(20_000)}\n`],
  };

  test.each(Object.entries(cases))('error: %s', (_, [text, env]) => {
    const found = mistakes(text, env);
    expect(found).toMatchSnapshot();
    expect(found).not.toEqual([]);
    // The position comes first; each message is one line, with a fix after the semicolon or question mark.
    for (const line of found) expect(line).toMatch(/^assay\.yaml(:\d+)?: .+([;,?]|must|may hold)/);
  });
});

describe('parseConfig of a damaged file', () => {
  const example = readFileSync(
    new URL('../../../docs/assay.example.yaml', import.meta.url),
    'utf8',
  );
  const FACILITATOR_KEY = `0x${'ab'.repeat(32)}`;
  const env = {
    BASE_RPC_URL: 'http://127.0.0.1:1',
    MARKET_DATA_KEY: 'hunter2',
    FACILITATOR_KEY,
    WEBHOOK_SECRET: `whsec_${'ab'.repeat(16)}`,
  };

  test('behavior: either loads or reports each mistake on one line', () => {
    const damage = fc.record({
      at: fc.nat(example.length - 1),
      length: fc.nat(30),
      put: fc.oneof(
        fc.constantFrom('', '\t', '{', ']', '"', ': ', '- ', '&a ', '*a', '${', '!!x ', '|', '0x'),
        fc.string({ maxLength: 5, unit: 'binary' }),
      ),
    });
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (damages) => {
        let text = example;
        for (const { at, length, put } of damages) {
          text = text.slice(0, at) + put + text.slice(at + length);
        }
        for (const line of mistakes(text, env)) {
          expect(line).toMatch(/^assay\.yaml(:\d+)?: \S/);
          expect(line).not.toContain('hunter2');
          expect(line).not.toContain('abababab');
        }
      }),
      { numRuns: FULL ? 40 : 10 },
    );
  }, 30_000);
});

describe('loadConfig', () => {
  test('default', () => {
    const file = join(folder, 'assay.yaml');
    writeFileSync(file, `\uFEFF${MINIMAL.replaceAll('\n', '\r\n')}`);
    expect(loadConfig({ file, env: {} }).families[0]?.slug).toBe('svcusd');
  });

  test('behavior: the documented example loads', () => {
    const file = new URL('../../../docs/assay.example.yaml', import.meta.url).pathname;
    const FACILITATOR_KEY = `0x${'ab'.repeat(32)}`;
    const env = {
      ...{ BASE_RPC_URL: 'http://127.0.0.1:1', MARKET_DATA_KEY: 'key', FACILITATOR_KEY },
      ...{ SLACK_WEBHOOK_URL: 'https://a.example/1', DISCORD_WEBHOOK_URL: 'https://a.example/2' },
      TELEGRAM_TOKEN: '1:a',
      WEBHOOK_SECRET: `whsec_${'ab'.repeat(16)}`,
    };
    const config = loadConfig({ file, env });
    expect(config.payments).toMatchObject({
      prices: { schema: 1_000n, search: 1_000n, node: 50_000n, dependencies: 1_000_000n },
      facilitator: { kind: 'embedded', keys: [FACILITATOR_KEY], maxFeePerGas: 50_000_000_000n },
    });
    expect(config.families.map((family) => family.slug)).toEqual([
      'svcusd',
      'svcusd-edge',
      'credit',
    ]);
    // Without an oracle, an indexed chain would delay its family.
    const read = config.chains.filter(({ rpcUrls }) => rpcUrls.length > 0);
    const queues = config.families.filter(({ adapter }) => adapter === 'receiver-queue');
    for (const { chains, slug } of queues) {
      for (const { chainId, oracle } of chains) {
        if (read.some((chain) => chain.chainId === chainId)) expect(oracle, slug).toBeDefined();
      }
    }
    expect(readFileSync(file, 'utf8')).toContain('$schema=./assay.schema.json');
  });

  test('error: no such file', () => {
    expect(() => loadConfig({ file: 'nowhere.yaml', env: {} })).toThrowErrorMatchingInlineSnapshot(
      `[ConfigError: nowhere.yaml: there is no such file; create it, or name another with --config]`,
    );
  });

  test('error: not text', () => {
    const file = join(folder, 'binary.yaml');
    writeFileSync(file, Buffer.from([0x61, 0xff, 0xfe]));
    expect(() => loadConfig({ file, env: {} })).toThrow(/: the file is not UTF-8 text; save it/);
  });
});
