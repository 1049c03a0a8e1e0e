import { type Static, Type } from 'typebox';
import { address, chainId, mapping, pattern, seconds, text, whole } from './schemaFields.ts';

export const PAYMENT_DEFAULTS = {
  assetName: 'USD Coin',
  assetVersion: '2',
  maxTimeoutSeconds: 120,
  keepAnswersHours: 24,
  perSecond: 10,
  burst: 20,
  addressPerSecond: 50,
  addressBurst: 100,
  escalationAfter: 100,
  escalationFactor: 5,
  escalationMost: 25,
  remoteTimeoutSeconds: 30,
  maxFeeGwei: 50,
  lowBalanceGwei: 1_000_000,
  gasPriceShare: 1,
  gasPayerPerHour: 100_000_000,
  gasLostPerHour: 20_000_000,
  gasWaitSeconds: 60,
  gasMaxWaitSeconds: 3_600,
} as const;

/** In USD, by what is sold: a new line is a new key of the file. */
export const DEFAULT_PRICES = {
  schema: 0.001,
  search: 0.001,
  node: 0.05,
  dependencies: 1,
} as const;

/** What has a price. */
export type Priced = keyof typeof DEFAULT_PRICES;

/** Something for each of them. */
export function forEachPriced<T>(make: (priced: Priced) => T): Record<Priced, T> {
  const names = Object.keys(DEFAULT_PRICES) as Priced[];
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Priced, T>;
}

const price = (priced: Priced) =>
  Type.Optional(
    Type.Number({
      minimum: 0.000001,
      maximum: 1_000_000,
      description: `Price of one ${priced} query in USD.`,
      errorMessage: 'must be an amount in USD from 0.000001 to 1000000, with at most 6 decimals',
      default: DEFAULT_PRICES[priced],
    }),
  );

export const privateKey = pattern('^0x[0-9a-fA-F]{64}$', {
  description: 'A private key; best an environment reference.',
  errorMessage: 'must be a private key: 0x and 64 hexadecimal digits',
  examples: [`\${FACILITATOR_KEY}`],
});

const facilitator = mapping(
  {
    keys: Type.Optional(
      Type.Array(Type.String({ ...privateKey, writeOnly: true }), {
        minItems: 1,
        description:
          'Keys that bring payments on chain and pay the gas; several settle side by side. Either these or `url`.',
        errorMessage: `must be a list of private keys, such as ["\${FACILITATOR_KEY}"]`,
      }),
    ),
    maxFeeGwei: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1_000_000,
        description: 'The most that is paid for a unit of gas.',
        errorMessage: 'must be a number of gwei above 0',
        default: PAYMENT_DEFAULTS.maxFeeGwei,
      }),
    ),
    lowBalanceGwei: Type.Optional(
      whole(0, Number.MAX_SAFE_INTEGER, {
        description: 'A key with less gas money than this is warned about in the log.',
        default: PAYMENT_DEFAULTS.lowBalanceGwei,
      }),
    ),
    factories: Type.Optional(
      Type.Array(address('A factory of smart wallets.'), {
        description:
          'Factories whose wallets may pay before they are deployed (EIP-6492); without any, such payments are refused.',
        errorMessage: 'must be a list of addresses',
      }),
    ),
    url: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s/?#]+\\S*$',
        format: 'uri',
        writeOnly: true,
        description: 'A facilitator service (x402, version 2). Either this or `keys`.',
        errorMessage: 'must be a URL that starts with http:// or https://',
      }),
    ),
    headers: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z0-9-]+$' }),
        Type.String({
          pattern: '^[\\x20-\\x7e]+$',
          writeOnly: true,
          errorMessage: 'must be a header value of visible ASCII characters',
        }),
        {
          additionalProperties: false,
          description: 'Headers by which the service knows us, such as Authorization.',
          errorMessage: 'must be the name of an HTTP header',
        },
      ),
    ),
    headersCommand: Type.Optional(
      Type.Array(Type.String({ minLength: 1, writeOnly: true }), {
        minItems: 1,
        description:
          'For a service that wants a token of its own for each request: a program and its arguments, run without a shell for every request, which prints the headers, one `Name: value` on a line. It finds the request in FACILITATOR_METHOD and FACILITATOR_URL, has 10 seconds, and wins over `headers`.',
        errorMessage:
          'must be a list of a program and its arguments, such as ["/usr/local/bin/facilitator-token"]',
      }),
    ),
    timeoutSeconds: Type.Optional(
      seconds({
        description:
          'Seconds before the service counts as unanswering; a settlement that fails is tried again within them.',
        default: PAYMENT_DEFAULTS.remoteTimeoutSeconds,
      }),
    ),
  },
  'Who checks payments and brings them on chain: keys of our own, or a service.',
);

const gas = mapping(
  {
    nativeUsd: Type.Optional(
      Type.Number({
        minimum: 0.000001,
        maximum: 10_000_000,
        description:
          "What a whole coin of the payment chain is worth in USD. Without it gas is not weighed against prices, and a wallet's code can make a settlement cost more than it brings.",
        errorMessage: 'must be an amount in USD from 0.000001 to 10000000, with at most 6 decimals',
        examples: [3_000],
      }),
    ),
    priceShare: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1_000,
        description:
          'How much of a price its settlement may cost in gas: 1 is all of it. Needs nativeUsd; what a rollup asks for data comes on top.',
        errorMessage: 'must be a number above 0 and at most 1000, such as 0.5',
        default: PAYMENT_DEFAULTS.gasPriceShare,
      }),
    ),
    payerPerHour: Type.Optional(
      whole(0, Number.MAX_SAFE_INTEGER, {
        description:
          'Units of gas that one payer may cost in an hour; then it is answered 429. Settled payments by plain keys do not count: rateLimit bounds these.',
        default: PAYMENT_DEFAULTS.gasPayerPerHour,
      }),
    ),
    lostPerHour: Type.Optional(
      whole(0, Number.MAX_SAFE_INTEGER, {
        description:
          'Units of gas that failed settlements of all payers may cost in an hour; then accounts with code (smart wallets, EIP-7702) are answered 503. What is in flight for these counts as lost, so 0 serves none of them.',
        default: PAYMENT_DEFAULTS.gasLostPerHour,
      }),
    ),
    waitSeconds: Type.Optional(
      whole(0, 86_400, {
        description:
          'How long a payer waits after a settlement of its failed on chain, four times as long after each further one of the same day.',
        default: PAYMENT_DEFAULTS.gasWaitSeconds,
      }),
    ),
    maxWaitSeconds: Type.Optional(
      whole(0, 86_400, {
        description: 'The longest wait.',
        default: PAYMENT_DEFAULTS.gasMaxWaitSeconds,
      }),
    ),
  },
  'What keys of our own may spend on gas. Has no meaning with a service.',
);

export const payments = mapping(
  {
    chain: chainId('The chain on which is paid; it must be listed under chains.'),
    asset: address('The stablecoin; it must have EIP-3009 authorizations and 6 decimals.'),
    assetName: Type.Optional(
      Type.String({
        ...text("Name in the asset's EIP-712 domain.", 'USD Coin'),
        default: PAYMENT_DEFAULTS.assetName,
      }),
    ),
    assetVersion: Type.Optional(
      Type.String({
        ...text("Version in the asset's EIP-712 domain.", '2'),
        default: PAYMENT_DEFAULTS.assetVersion,
      }),
    ),
    payTo: address('Who is paid.'),
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s/?#@]+[^\\s?#]*$',
        format: 'uri',
        description:
          'How payers reach the API: invoices name resources under it. Left out, it is http.publicUrl. With neither, invoices name where the server listens, so it must listen on loopback (127.0.0.1, localhost, ::1) and only clients on the same machine can pay; on any other host one of the two is required.',
        errorMessage: 'must be a URL that starts with http:// or https://, without ? and #',
        examples: ['https://risk.example.com'],
      }),
    ),
    prices: Type.Optional(mapping(forEachPriced(price), 'What each query costs.')),
    escalation: Type.Optional(
      mapping(
        {
          off: Type.Optional(
            Type.Boolean({
              description: 'Every payer pays the base price, however much it asks.',
              errorMessage: 'must be true or false',
              default: false,
            }),
          ),
          after: Type.Optional(
            whole(1, 1_000_000_000, {
              description:
                'Settled calls of a payer to count from: ten times as many raise the price once, a hundred times twice.',
              default: PAYMENT_DEFAULTS.escalationAfter,
            }),
          ),
          factor: Type.Optional(
            whole(2, 1_000, {
              description: 'What the price is multiplied by each time.',
              default: PAYMENT_DEFAULTS.escalationFactor,
            }),
          ),
          most: Type.Optional(
            whole(1, 1_000_000, {
              description: 'The most that the base price is multiplied by.',
              default: PAYMENT_DEFAULTS.escalationMost,
            }),
          ),
        },
        'How the price grows with heavy use.',
      ),
    ),
    rateLimit: Type.Optional(
      mapping(
        {
          perSecond: Type.Optional(
            whole(0, 1_000_000, {
              description: 'Paid requests per second of one payer; 0 turns the limit off.',
              default: PAYMENT_DEFAULTS.perSecond,
            }),
          ),
          burst: Type.Optional(
            whole(1, 1_000_000, {
              description: 'Paid requests that a payer may send at once.',
              default: PAYMENT_DEFAULTS.burst,
            }),
          ),
        },
        'How many paid requests one payer may send; more are answered 429.',
      ),
    ),
    addressLimit: Type.Optional(
      mapping(
        {
          perSecond: Type.Optional(
            whole(0, 1_000_000, {
              description:
                'Requests per second of one client address that end unpaid; 0 turns the limit off.',
              default: PAYMENT_DEFAULTS.addressPerSecond,
            }),
          ),
          burst: Type.Optional(
            whole(1, 1_000_000, {
              description: 'Such requests that a client address may send at once.',
              default: PAYMENT_DEFAULTS.addressBurst,
            }),
          ),
        },
        'How many requests one client address may send to paid routes without paying; more are answered 429. Clients on this machine and trusted proxies are as in http.rateLimit.',
      ),
    ),
    gas: Type.Optional(gas),
    blocked: Type.Optional(
      Type.Array(address('A payer.'), {
        description: 'Payers that are not served; they are answered 403.',
        errorMessage: 'must be a list of addresses',
      }),
    ),
    maxTimeoutSeconds: Type.Optional(
      whole(30, 3_600, {
        description: 'How long an authorization may be valid; it bounds every doubt about it.',
        default: PAYMENT_DEFAULTS.maxTimeoutSeconds,
      }),
    ),
    keepAnswersHours: Type.Optional(
      whole(1, 8_760, {
        description: 'How long paid answers are kept for who paid.',
        default: PAYMENT_DEFAULTS.keepAnswersHours,
      }),
    ),
    facilitator,
  },
  'The paid risk query API. Without this key it is not served.',
);

export type PaymentsFile = Static<typeof payments>;
