import { type Static, Type } from 'typebox';
import { LEGACY_API_REMOVAL } from '../domain/legacyApi.ts';
import { MIN_RAW_DAYS } from '../domain/series/retention.ts';
import { alerts } from './alertsSchema.ts';
import { backup } from './backupSchema.ts';
import { computeUnits } from './computeUnitsSchema.ts';
import { embed } from './embedSchema.ts';
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
import { webhooks } from './webhookSchema.ts';

/**
 * The schema of the configuration file: the loader validates files against it, and docs/assay.schema.json is
 * generated from it. `errorMessage` completes the sentence "<key> …" and states what is right; `examples[0]` is
 * suggested for a missing key; `writeOnly` marks secrets, which are never printed.
 */

export const DEFAULTS = {
  host: '127.0.0.1',
  port: 8080,
  adminPort: 9464,
  requestsPerSecond: 50,
  requestBurst: 100,
  connections: 500,
  storeFolder: '.assay/store',
  maxStaleSeconds: 300,
  minFreeBytes: 268_435_456,
  /** Default with PostgreSQL, where other servers can take over; the embedded database has one process. */
  drainSeconds: 10,
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

/** `${NAME}` and `${NAME:-default}`, resolved before validation. */
export const REFERENCE_PATTERN = '\\$\\{[A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?\\}';

const OCTET = '(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])';
/** IPv4 with a prefix of 0 to 32, or text that looks like IPv6 with one of 0 to 128; consistency/proxies.ts validates it. */
const ADDRESS_RANGE = `^(${OCTET}(\\.${OCTET}){3}(/(3[0-2]|[12]?[0-9]))?|[0-9a-fA-F:]*:[0-9a-fA-F:.]*(/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))?)$`;

const rateLimit = mapping(
  {
    perSecond: Type.Optional(
      whole(0, 1_000_000, {
        description: 'Sustained requests per second per client. 0 turns the limit off.',
        default: DEFAULTS.requestsPerSecond,
      }),
    ),
    burst: Type.Optional(
      whole(1, 1_000_000, {
        description: 'Maximum burst of requests per client.',
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
    connections: Type.Optional(
      whole(0, 1_000_000, {
        description:
          'Maximum open connections per client; more are closed. Trusted proxies have no limit. 0 turns the limit off.',
        default: DEFAULTS.connections,
      }),
    ),
    trustedProxies: Type.Optional(
      Type.Array(
        pattern(ADDRESS_RANGE, {
          description: 'An IP address or a range.',
          errorMessage: 'must be an IP address or a range such as 10.0.0.0/8',
          examples: ['10.0.0.0/8'],
        }),
        {
          description:
            'Trusted proxies in front of the API: X-Forwarded-For is used only for requests from them.',
          errorMessage: 'must be a list of IP addresses or ranges, such as ["10.0.0.0/8"]',
        },
      ),
    ),
  },
  'Rate limit of the vault data API per client address; above it, 429. A large response counts as several requests, unless it is cached. An IPv6 client is its /64.',
);

const http = mapping(
  {
    host: Type.Optional(
      pattern('^[A-Za-z0-9.:_-]+$', {
        description: 'Host that the API listens on. The environment variable HOST overrides it.',
        errorMessage: 'must be a host name or an IP address',
        default: DEFAULTS.host,
      }),
    ),
    port: Type.Optional(
      whole(0, 65_535, {
        description:
          'Port of the API. The environment variable PORT overrides it. 0 uses any free port.',
        default: DEFAULTS.port,
      }),
    ),
    adminPort: Type.Optional(
      whole(0, 65_535, {
        description:
          "Port of metrics and of the operator's commands, only on 127.0.0.1. The environment variable ADMIN_PORT overrides it.",
        default: DEFAULTS.adminPort,
      }),
    ),
    metricsPort: Type.Optional(
      whole(0, 65_535, {
        description:
          'An additional port that serves only metrics, on the host of the API, for a Prometheus on another machine. Do not expose it to the public. The environment variable METRICS_PORT overrides it. Default: metrics are only on the admin port.',
        examples: [9465],
      }),
    ),
    accessLog: Type.Optional(
      Type.Boolean({
        description:
          'Whether to log one line per request of the API, at level info. The environment variable ACCESS_LOG overrides it.',
        errorMessage: 'must be true or false',
        default: false,
      }),
    ),
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s/?#@]+[^\\s?#]*$',
        format: 'uri',
        description:
          'Public URL of the API; responses then contain complete URLs. Without it, they contain paths, and payments need their own publicUrl unless the server listens on loopback.',
        errorMessage: 'must be a URL that starts with http:// or https://, without ? and #',
        examples: ['https://api.example.com'],
      }),
    ),
    drainSeconds: Type.Optional(
      whole(0, 3_600, {
        description: `Seconds that the server continues to serve after SIGTERM or SIGINT while /health/ready returns 503, so that a load balancer stops sending requests before the port closes. The environment variable DRAIN_SECONDS overrides it. Default: ${DEFAULTS.drainSeconds} with DATABASE_URL, and 0 with the embedded database.`,
        examples: [DEFAULTS.drainSeconds],
      }),
    ),
    rateLimit: Type.Optional(rateLimit),
  },
  'The addresses, ports, and limits of the server.',
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
    maxStaleSeconds: Type.Optional(
      whole(0, 86_400, {
        description:
          'Seconds for which free routes are served from DATABASE_REPLICA_URL while the primary is unavailable, with an Age header. After that, and with 0, they return 503. Paid routes always return 503.',
        default: DEFAULTS.maxStaleSeconds,
      }),
    ),
    minFreeBytes: Type.Optional(
      whole(0, Number.MAX_SAFE_INTEGER, {
        description:
          'Minimum free bytes on the disk of the folder. Below it, nothing is indexed or sold until there is space again, and reads are still served. A full disk would stop the embedded database. 0 turns the check off.',
        default: DEFAULTS.minFreeBytes,
      }),
    ),
  },
  'Where data is stored. To use PostgreSQL, set the environment variable DATABASE_URL (and DATABASE_REPLICA_URL for reads).',
);

const ticks = mapping(
  {
    liveSeconds: Type.Optional(
      whole(1, 86_400, {
        description: 'Seconds between data points near the head.',
        default: DEFAULTS.liveSeconds,
      }),
    ),
    backfillSeconds: Type.Optional(
      whole(1, 86_400, {
        description: 'Seconds between data points of the backfill.',
        default: DEFAULTS.backfillSeconds,
      }),
    ),
  },
  'How often the state of a family is recorded.',
);

const duration = (words: { readonly description: string; readonly examples: readonly string[] }) =>
  pattern('^[1-9][0-9]{0,4}[dy]$', {
    errorMessage: 'must be a number of days or years, such as 90d or 2y',
    ...words,
  });

const events = mapping(
  {
    ticks: Type.Optional(
      Type.Boolean({
        description: 'Whether the ticks of every family are events too.',
        errorMessage: 'must be true or false',
        default: false,
      }),
    ),
    keepDays: Type.Optional(
      whole(1, 36_500, {
        description:
          'Days after which events are removed from the feed. The rows that they are about stay. Default: without limit.',
        examples: [90],
      }),
    ),
  },
  'The feed of events.',
);

const retention = mapping(
  {
    raw: duration({
      description: `How long every data point is kept, at least ${MIN_RAW_DAYS}d. Older ones are reduced to the last of each hour.`,
      examples: ['90d'],
    }),
    hour: Type.Optional(
      duration({
        description:
          'How long one data point per hour is kept. Older ones are reduced to the last of each day. Default: forever.',
        examples: ['2y'],
      }),
    ),
  },
  'Deletes old data points. Hourly and daily series are unaffected within these ages. Events, positions, and payments are never deleted. Without this key, every data point is kept.',
);

const acceptGaps = (options: { readonly description: string; readonly default?: boolean }) =>
  Type.Optional(Type.Boolean({ errorMessage: 'must be true or false', ...options }));

const chain = mapping(
  {
    id: chainId('EIP-155 chain id.'),
    name: pattern('^[a-z][a-z0-9-]*$', {
      description: 'Network name in lower case.',
      errorMessage: 'must be a name in lower-case letters, digits and dashes, such as base',
      examples: ['base'],
    }),
    rpc: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^((https?|wss?)://[^\\s/?#]+\\S*)?$',
          format: 'optional-uri',
          writeOnly: true,
          description: `An empty entry is ignored, so "\${BASE_RPC_URL:-}" makes a chain optional.`,
          errorMessage: 'must be a URL that starts with http://, https://, ws:// or wss://',
        }),
        {
          description:
            'JSON-RPC URLs, the preferred one first. Over ws:// and wss://, new blocks are also received by subscription, and the chain is polled less often. Without any, the chain is "unconfigured", and nothing is read from it.',
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
            "Which blocks count as final: the RPC endpoint's own tag, or a depth below its head.",
          errorMessage: 'must be finalized, safe or a depth such as { depth: 64 }',
          default: DEFAULTS.finality,
        },
      ),
    ),
    pollSeconds: Type.Optional(
      seconds({
        description:
          'Seconds between polls of the head while a block is due. Otherwise up to five times as long.',
        default: DEFAULTS.pollSeconds,
      }),
    ),
    timeoutSeconds: Type.Optional(
      seconds({
        description: 'Seconds before a request times out.',
        default: DEFAULTS.timeoutSeconds,
      }),
    ),
    callsPerDay: Type.Optional(
      whole(1_000, 10_000_000_000, {
        description:
          'Maximum RPC calls per day, for all processes together and across restarts: the backfill slows down in time, nothing else does. Default: no limit.',
      }),
    ),
    callsPerSecond: Type.Optional(
      whole(1, 100_000, {
        description:
          'Maximum calls per second to each of its URLs while indexing. By default, it is learned from rejected calls.',
      }),
    ),
    computeUnits: Type.Optional(computeUnits),
    logRange: Type.Optional(
      whole(1, 10_000_000, {
        description: 'Widest block range of a log request to start with; it adapts.',
        default: DEFAULTS.logRange,
      }),
    ),
    concurrency: Type.Optional(
      whole(1, 256, {
        description: 'Concurrent requests during backfill.',
        default: DEFAULTS.concurrency,
      }),
    ),
    multicall: Type.Optional(
      Type.String({
        ...address('Address of Multicall3 on this chain.'),
        default: DEFAULTS.multicall,
      }),
    ),
    acceptGaps: acceptGaps({
      description: 'Overrides acceptGaps at the top of the file for this chain.',
    }),
  },
  'A chain of families, feeds, or pools.',
);

const feed = mapping(
  {
    aggregator: Type.Optional(
      address('A price aggregator with the Chainlink interface; needs `chain`.'),
    ),
    chain: Type.Optional(chainId('The chain of the aggregator.')),
    startBlock: Type.Optional(block('First block of the aggregator to read.')),
    marketDataId: Type.Optional(marketDataId('Id at the market-data provider.')),
  },
  'A price in USD: an on-chain aggregator, or an id at the market-data provider.',
);

const marketData = mapping(
  {
    url: Type.String({
      pattern: '^https?://[^\\s/?#]+\\S*$',
      format: 'uri',
      writeOnly: true,
      description: "Base URL of an API in CoinGecko's format.",
      errorMessage: 'must be a URL that starts with http:// or https://',
      examples: ['https://api.coingecko.com/api/v3'],
    }),
    apiKey: Type.Optional(
      mapping(
        {
          header: pattern("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", {
            description: 'Name of the header with the key.',
            errorMessage: 'must be the name of an HTTP header, such as x-cg-pro-api-key',
            examples: ['x-cg-pro-api-key'],
          }),
          value: Type.String({
            pattern: '^[\\x21-\\x7e]+$',
            writeOnly: true,
            description: 'The key, preferably an environment reference.',
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
        description: 'Maximum age of a price. An older price is not used.',
        default: DEFAULTS.maxAgeSeconds,
      }),
    ),
    feeds: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' }),
        feed,
        // Also for editors: without it, any other name would pass.
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

const legacyApi = mapping(
  {
    until: Type.String({
      format: 'date',
      description: `The last day on which it is served, in UTC; after it, the routes return 410. At most ${LEGACY_API_REMOVAL}.`,
      errorMessage: `must be a date that exists, written as ${LEGACY_API_REMOVAL}`,
      examples: [LEGACY_API_REMOVAL],
    }),
  },
  `Serves the routes of the legacy API in their old format for a while. Without this key, they return 410 with their successors. Assay drops the key after ${LEGACY_API_REMOVAL}.`,
);

const demo = mapping(
  {
    walletKey: Type.String({
      ...privateKey,
      writeOnly: true,
      description: 'The private key of a demo wallet that the dashboard pays with.',
    }),
  },
  'Marks a demo on local chains: the dashboard gets a wallet to pay with, only on this machine, and rejects all others. The server must listen on loopback.',
);

export const fileSchema = Type.Object(
  {
    http: Type.Optional(http),
    store: Type.Optional(store),
    backup: Type.Optional(backup),
    ticks: Type.Optional(ticks),
    retention: Type.Optional(retention),
    events: Type.Optional(events),
    chains: Type.Array(chain, {
      minItems: 1,
      description: 'The chains.',
      errorMessage: 'must be a list of at least one chain',
      examples: [[{ id: 8453, name: 'base' }]],
    }),
    acceptGaps: acceptGaps({
      description:
        'Whether a new store becomes ready although its initial backfill has gaps: blocks for which no RPC URL returned contract state or logs. By default, /health/ready returns 503 until they are filled.',
      default: false,
    }),
    prices: Type.Optional(prices),
    risk: Type.Optional(risk),
    webhooks: Type.Optional(webhooks),
    alerts: Type.Optional(alerts),
    payments: Type.Optional(payments),
    legacyApi: Type.Optional(legacyApi),
    embed: Type.Optional(embed),
    demo: Type.Optional(demo),
    families: Type.Array(family, {
      description: 'The vault families.',
      errorMessage: 'must be a list of families',
    }),
  },
  { additionalProperties: false, title: 'Assay configuration' },
);

/** The file after environment references are resolved and validation succeeded. */
export type ConfigFile = Static<typeof fileSchema>;
