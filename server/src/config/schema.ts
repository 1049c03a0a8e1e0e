import { type Static, Type } from 'typebox';
import { family } from './familySchema.ts';
import { payments, privateKey } from './paymentsSchema.ts';
import { risk } from './riskSchema.ts';
import {
  address,
  block,
  chainId,
  mapping,
  marketDataId,
  pattern,
  seconds,
  whole,
} from './schemaFields.ts';

/**
 * The configuration file, described once: the loader checks files against it, and docs/assay.schema.json is
 * made from it. `errorMessage` finishes the sentence "<key> …" and says what is right; `examples[0]` is offered
 * when a key is missing; `writeOnly` marks what must never be printed.
 */

export const DEFAULTS = {
  host: '127.0.0.1',
  port: 8080,
  adminPort: 9464,
  requestsPerSecond: 50,
  requestBurst: 100,
  storeFolder: '.assay/store',
  finality: 'finalized',
  pollSeconds: 2,
  timeoutSeconds: 10,
  logRange: 2000,
  concurrency: 8,
  multicall: '0xcA11bde05977b3631167028862bE2a173976CA11',
  liveSeconds: 300,
  backfillSeconds: 3600,
  maxAgeSeconds: 86_400,
  marketDataPollSeconds: 60,
} as const;

/** `${NAME}` and `${NAME:-default}`, resolved before the file is checked. */
export const REFERENCE_PATTERN = '\\$\\{[A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?\\}';

const OCTET = '(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])';
/** IPv4 with a prefix of 0 to 32, or what looks like IPv6 with one of 0 to 128; consistency.ts looks closer. */
const ADDRESS_RANGE = `^(${OCTET}(\\.${OCTET}){3}(/(3[0-2]|[12]?[0-9]))?|[0-9a-fA-F:]*:[0-9a-fA-F:.]*(/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))?)$`;

const rateLimit = mapping(
  {
    perSecond: Type.Optional(
      whole(0, 1_000_000, {
        description: 'Requests per second that a client may send for long. 0 turns the limit off.',
        default: DEFAULTS.requestsPerSecond,
      }),
    ),
    burst: Type.Optional(
      whole(1, 1_000_000, {
        description: 'Requests that a client may send at once.',
        default: DEFAULTS.requestBurst,
      }),
    ),
    loopback: Type.Optional(
      Type.Boolean({
        description: 'Whether clients on this machine are limited too.',
        errorMessage: 'must be true or false',
        default: false,
      }),
    ),
    trustedProxies: Type.Optional(
      Type.Array(
        pattern(ADDRESS_RANGE, {
          description: 'An IP address or a range of them.',
          errorMessage: 'must be an IP address or a range such as 10.0.0.0/8',
          examples: ['10.0.0.0/8'],
        }),
        {
          description:
            'Proxies in front of the API: only behind these does X-Forwarded-For tell who the client is.',
          errorMessage: 'must be a list of IP addresses or ranges, such as ["10.0.0.0/8"]',
        },
      ),
    ),
  },
  'How many requests to the vault data API one client address may send; more are answered 429. A large answer counts as several, unless it is kept from an earlier request.',
);

const http = mapping(
  {
    host: Type.Optional(
      pattern('^[A-Za-z0-9.:_-]+$', {
        description: 'Where the API listens. The environment variable HOST wins.',
        errorMessage: 'must be a host name or an IP address',
        default: DEFAULTS.host,
      }),
    ),
    port: Type.Optional(
      whole(0, 65_535, {
        description: 'Port of the API. The environment variable PORT wins. 0 takes any free port.',
        default: DEFAULTS.port,
      }),
    ),
    adminPort: Type.Optional(
      whole(0, 65_535, {
        description:
          "Port of metrics and of the operator's commands, on 127.0.0.1 only. The environment variable ADMIN_PORT wins.",
        default: DEFAULTS.adminPort,
      }),
    ),
    metricsPort: Type.Optional(
      whole(0, 65_535, {
        description:
          'Another port for metrics alone, on the host of the API, for a Prometheus on another machine; keep it from the public. The environment variable METRICS_PORT wins. Left out, metrics are on the admin port only.',
        examples: [9465],
      }),
    ),
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s/?#@]+[^\\s?#]*$',
        format: 'uri',
        description:
          'How clients reach the API; answers then name URLs in full. Left out, they name paths, and payments need a publicUrl of their own unless the server listens on loopback.',
        errorMessage: 'must be a URL that starts with http:// or https://, without ? and #',
        examples: ['https://api.example.com'],
      }),
    ),
    rateLimit: Type.Optional(rateLimit),
  },
  'Where the server listens.',
);

const store = mapping(
  {
    folder: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Folder of the embedded database, relative to the working directory. Not used when DATABASE_URL is set.',
        errorMessage: 'must be the path of a folder',
        default: DEFAULTS.storeFolder,
      }),
    ),
  },
  'Where data is kept. A PostgreSQL server is named by DATABASE_URL (and DATABASE_REPLICA_URL for reads) in the environment.',
);

const ticks = mapping(
  {
    liveSeconds: Type.Optional(
      whole(1, 86_400, {
        description: 'Seconds between ticks near the head.',
        default: DEFAULTS.liveSeconds,
      }),
    ),
    backfillSeconds: Type.Optional(
      whole(1, 86_400, {
        description: 'Seconds between ticks of the past.',
        default: DEFAULTS.backfillSeconds,
      }),
    ),
  },
  'How often the state of a family is recorded.',
);

const acceptGaps = (options: { readonly description: string; readonly default?: boolean }) =>
  Type.Optional(Type.Boolean({ errorMessage: 'must be true or false', ...options }));

const chain = mapping(
  {
    id: chainId('The chain id, as EIP-155 defines it.'),
    name: pattern('^[a-z][a-z0-9-]*$', {
      description: "The network's name in lower case.",
      errorMessage: 'must be a name in lower-case letters, digits and dashes, such as base',
      examples: ['base'],
    }),
    rpc: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^((https?|wss?)://[^\\s/?#]+\\S*)?$',
          format: 'optional-uri',
          writeOnly: true,
          description: `An empty entry is left out, so "\${BASE_RPC_URL:-}" makes a chain optional.`,
          errorMessage: 'must be a URL that starts with http://, https://, ws:// or wss://',
        }),
        {
          description:
            'JSON-RPC URLs, the preferred one first. Over ws:// and wss:// new blocks are also told by subscription, and the chain is polled less. Without any the chain is "unconfigured" and nothing is read from it.',
          errorMessage: `must be a list of URLs, such as ["\${BASE_RPC_URL}"]`,
        },
      ),
    ),
    finality: Type.Optional(
      Type.Union(
        [
          Type.Enum(['finalized', 'safe']),
          Type.Object(
            { depth: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) },
            { additionalProperties: false },
          ),
        ],
        {
          description:
            "Which blocks cannot be reorganised: the node's own tag, or a depth below its head.",
          errorMessage: 'must be finalized, safe or a depth such as { depth: 64 }',
          default: DEFAULTS.finality,
        },
      ),
    ),
    pollSeconds: Type.Optional(
      seconds({
        description:
          'Seconds between polls of the head while a block is due. While none can be expected a pause is up to five times as long.',
        default: DEFAULTS.pollSeconds,
      }),
    ),
    timeoutSeconds: Type.Optional(
      seconds({
        description: 'Seconds before a request counts as unanswered.',
        default: DEFAULTS.timeoutSeconds,
      }),
    ),
    callsPerDay: Type.Optional(
      whole(1_000, 10_000_000_000, {
        description:
          'Calls to its nodes in a day that indexers keep to, all processes together and over restarts: reading the past slows down in time, nothing else does. None by default.',
      }),
    ),
    callsPerSecond: Type.Optional(
      whole(1, 100_000, {
        description:
          'Calls a second to each of its URLs that an indexer keeps to. By default it learns from refusals how many a URL allows.',
      }),
    ),
    logRange: Type.Optional(
      whole(1, 10_000_000, {
        description: 'The widest block range of a log request to start with; it adapts.',
        default: DEFAULTS.logRange,
      }),
    ),
    concurrency: Type.Optional(
      whole(1, 256, {
        description: 'Requests under way at once while backfilling.',
        default: DEFAULTS.concurrency,
      }),
    ),
    multicall: Type.Optional(
      Type.String({ ...address('Multicall3 on this chain.'), default: DEFAULTS.multicall }),
    ),
    acceptGaps: acceptGaps({
      description: 'Overrides acceptGaps at the top of the file for this chain.',
    }),
  },
  'A chain that families, feeds or pools live on.',
);

const feed = mapping(
  {
    aggregator: Type.Optional(address('A Chainlink-shaped price aggregator; needs `chain`.')),
    chain: Type.Optional(chainId('The chain of the aggregator.')),
    startBlock: Type.Optional(block('First block of the aggregator worth reading.')),
    marketDataId: Type.Optional(marketDataId('The id at the market-data provider.')),
  },
  'A price in USD: an on-chain aggregator, or an id at the market-data provider.',
);

const marketData = mapping(
  {
    url: Type.String({
      pattern: '^https?://[^\\s/?#]+\\S*$',
      format: 'uri',
      writeOnly: true,
      description: 'Base URL of a CoinGecko-shaped API.',
      errorMessage: 'must be a URL that starts with http:// or https://',
      examples: ['https://api.coingecko.com/api/v3'],
    }),
    apiKey: Type.Optional(
      mapping(
        {
          header: pattern("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", {
            description: 'Name of the header that carries the key.',
            errorMessage: 'must be the name of an HTTP header, such as x-cg-pro-api-key',
            examples: ['x-cg-pro-api-key'],
          }),
          value: Type.String({
            pattern: '^[\\x21-\\x7e]+$',
            writeOnly: true,
            description: 'The key; best an environment reference.',
            errorMessage: 'must be a key of visible ASCII characters without spaces',
            examples: [`\${MARKET_DATA_KEY}`],
          }),
        },
        'Sent with every request to the provider.',
      ),
    ),
    pollSeconds: Type.Optional(
      seconds({
        description: 'Seconds between requests for current prices.',
        default: DEFAULTS.marketDataPollSeconds,
      }),
    ),
  },
  'A market-data provider over HTTP.',
);

const prices = mapping(
  {
    maxAgeSeconds: Type.Optional(
      whole(1, 31_536_000, {
        description: 'A price older than this at an instant does not count at that instant.',
        default: DEFAULTS.maxAgeSeconds,
      }),
    ),
    feeds: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' }),
        feed,
        // Also for editors: without it any other name would pass unseen.
        {
          additionalProperties: false,
          description: 'Price feeds by name.',
          errorMessage: 'must be a name in lower-case letters, digits and dashes, such as usdc-usd',
        },
      ),
    ),
    marketData: Type.Optional(marketData),
  },
  'Prices of base assets in USD.',
);

const previousApi = mapping(
  {
    until: Type.String({
      format: 'date',
      description:
        'The last day on which it is answered, in UTC; from the next on it is 410 again.',
      errorMessage: 'must be a date that exists, written as 2027-03-31',
      examples: ['2027-03-31'],
    }),
  },
  'Answers the routes of the previous API in their own shapes for a while. Without this key they are 410 and name their successors.',
);

const demo = mapping(
  {
    walletKey: Type.String({
      ...privateKey,
      writeOnly: true,
      description: 'A private key of the demo that the dashboard pays with.',
    }),
  },
  'This is a demo on local chains: the dashboard hands out a wallet to pay with, to this machine only, and refuses all others. The server must then listen on loopback.',
);

export const fileSchema = Type.Object(
  {
    http: Type.Optional(http),
    store: Type.Optional(store),
    ticks: Type.Optional(ticks),
    chains: Type.Array(chain, {
      minItems: 1,
      description: 'The chains.',
      errorMessage: 'must be a list of at least one chain',
      examples: [[{ id: 8453, name: 'base' }]],
    }),
    acceptGaps: acceptGaps({
      description:
        'Whether a new store becomes ready although its initial backfill has gaps: blocks for which no RPC URL returned contract state or logs. By default /health/ready stays 503 until they are filled.',
      default: false,
    }),
    prices: Type.Optional(prices),
    risk: Type.Optional(risk),
    payments: Type.Optional(payments),
    previousApi: Type.Optional(previousApi),
    demo: Type.Optional(demo),
    families: Type.Array(family, {
      description: 'The vault families.',
      errorMessage: 'must be a list of families',
    }),
  },
  { additionalProperties: false, title: 'Assay configuration' },
);

/** The file after environment references are resolved, once it has no mistakes. */
export type ConfigFile = Static<typeof fileSchema>;
