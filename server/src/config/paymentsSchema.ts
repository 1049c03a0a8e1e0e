import { type Static, Type } from 'typebox';
import { address, chainId, mapping, pattern, seconds, text, whole } from './schemaFields.ts';

export const PAYMENT_DEFAULTS = {
  assetName: 'USD Coin',
  assetVersion: '2',
  maxTimeoutSeconds: 120,
  responseRetentionHours: 24,
  perSecond: 10,
  burst: 20,
  addressPerSecond: 50,
  addressBurst: 100,
  newPayersPerSecond: 25,
  newPayersBurst: 50,
  escalationFirstStepCalls: 1_000,
  escalationFactor: 5,
  escalationMaxFactor: 25,
  remoteTimeoutSeconds: 30,
  confirm: 'chain',
  lostPayments: 5,
  lostHours: 24,
  maxFeeGwei: 50,
  lowBalanceGwei: 1_000_000,
  gasPriceShare: 1,
  gasPayerPerHour: 100_000_000,
  gasLostPerHour: 20_000_000,
  gasPlainLostPerHour: 2_000_000,
  gasWaitSeconds: 60,
  gasMaxWaitSeconds: 3_600,
} as const;

/** In USD, by product: a new line is a new key of the file. */
export const DEFAULT_PRICES = {
  schema: 0.001,
  search: 0.001,
  node: 0.05,
  dependencies: 1,
} as const;

/** The names of the prices. */
export type Priced = keyof typeof DEFAULT_PRICES;

/** One value per price. */
export function forEachPriced<T>(make: (priced: Priced) => T): Record<Priced, T> {
  const names = Object.keys(DEFAULT_PRICES) as Priced[];
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Priced, T>;
}

const price = (priced: Priced) =>
  Type.Optional(
    Type.Number({
      minimum: 0.000001,
      maximum: 1_000_000,
      description: `Price of one ${priced} request in USD.`,
      errorMessage: 'must be an amount in USD from 0.000001 to 1000000, with at most 6 decimals',
      default: DEFAULT_PRICES[priced],
    }),
  );

export const privateKey = pattern('^0x[0-9a-fA-F]{64}$', {
  description: 'A private key, preferably an environment reference.',
  errorMessage: 'must be a private key: 0x and 64 hexadecimal digits',
  examples: [`\${FACILITATOR_KEY}`],
});

const facilitator = mapping(
  {
    keys: Type.Optional(
      Type.Array(Type.String({ ...privateKey, writeOnly: true }), {
        minItems: 1,
        description:
          'Private keys that settle payments on chain and pay the gas; several settle in parallel. Either these or `url`.',
        errorMessage: `must be a list of private keys, such as ["\${FACILITATOR_KEY}"]`,
      }),
    ),
    maxFeeGwei: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1_000_000,
        description: 'Maximum gas price.',
        errorMessage: 'must be a number of gwei above 0',
        default: PAYMENT_DEFAULTS.maxFeeGwei,
      }),
    ),
    lowBalanceGwei: Type.Optional(
      whole(0, Number.MAX_SAFE_INTEGER, {
        description: 'A warning is logged if the gas balance of a key is lower.',
        default: PAYMENT_DEFAULTS.lowBalanceGwei,
      }),
    ),
    factories: Type.Optional(
      Type.Array(address('A smart wallet factory.'), {
        description:
          'Factories whose wallets may pay before they are deployed (EIP-6492). Without any, such payments are rejected.',
        errorMessage: 'must be a list of addresses',
      }),
    ),
    url: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s/?#]+\\S*$',
        format: 'uri',
        writeOnly: true,
        description: 'URL of a facilitator service (x402 version 2). Either this or `keys`.',
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
          description:
            'Headers that authenticate this server to the service, such as Authorization.',
          errorMessage: 'must be the name of an HTTP header',
        },
      ),
    ),
    headersCommand: Type.Optional(
      Type.Array(Type.String({ minLength: 1, writeOnly: true }), {
        minItems: 1,
        description:
          'For a service that requires a new token for each request: a program and its arguments, run without a shell for every request. It prints the headers, one `Name: value` per line, within 10 seconds. The request is in FACILITATOR_METHOD and FACILITATOR_URL. Overrides `headers`.',
        errorMessage:
          'must be a list of a program and its arguments, such as ["/usr/local/bin/facilitator-token"]',
      }),
    ),
    timeoutSeconds: Type.Optional(
      seconds({
        description:
          'Seconds before a request to the service times out; a failed settlement is retried within them.',
        default: PAYMENT_DEFAULTS.remoteTimeoutSeconds,
      }),
    ),
    confirm: Type.Optional(
      Type.Union([Type.Literal('chain'), Type.Literal('service')], {
        description:
          'Which source must confirm a settlement by the service before its response is sent. `chain`: the RPC endpoints of the payment chain show the transfer. `service`: the service confirms it, which is faster, but trusts the service with every payment until lossLimit closes the paid routes.',
        errorMessage: 'must be chain or service',
        default: PAYMENT_DEFAULTS.confirm,
      }),
    ),
  },
  "How payments are verified and settled: with the server's own keys, or by a service.",
);

const gas = mapping(
  {
    nativeUsd: Type.Optional(
      Type.Number({
        minimum: 0.000001,
        maximum: 10_000_000,
        description:
          'Value of one coin of the payment chain in USD. Without it, gas cost is not compared with prices, and a wallet contract can make a settlement cost more than it earns.',
        errorMessage: 'must be an amount in USD from 0.000001 to 10000000, with at most 6 decimals',
        examples: [3_000],
      }),
    ),
    maxCostRatio: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1_000,
        description:
          'Maximum gas cost of a settlement relative to its price: 1 is the full price. Needs nativeUsd. The data fee of a rollup is not included.',
        errorMessage: 'must be a number above 0 and at most 1000, such as 0.5',
        default: PAYMENT_DEFAULTS.gasPriceShare,
      }),
    ),
    payerPerHour: Type.Optional(
      whole(0, Number.MAX_SAFE_INTEGER, {
        description:
          'Gas that one payer may cost per hour; above it, the payer gets 429. Settled payments by regular accounts do not count; rateLimit applies to them.',
        default: PAYMENT_DEFAULTS.gasPayerPerHour,
      }),
    ),
    maxFailedGasPerHour: Type.Optional(
      whole(0, Number.MAX_SAFE_INTEGER, {
        description:
          'Gas that failed settlements of accounts with code (smart wallets, EIP-7702) may cost per hour; above it, these accounts get 503. Settlements in flight count as failed, so 0 serves none of them. Regular accounts do not count.',
        default: PAYMENT_DEFAULTS.gasLostPerHour,
      }),
    ),
    plainLostPerHour: Type.Optional(
      whole(0, Number.MAX_SAFE_INTEGER, {
        description:
          'Gas that failed settlements of regular accounts may cost per hour; above it, an account that has never settled a payment may have one settlement in flight instead of four. Accounts with code do not count.',
        default: PAYMENT_DEFAULTS.gasPlainLostPerHour,
      }),
    ),
    waitSeconds: Type.Optional(
      whole(0, 86_400, {
        description:
          'How long a payer is rejected after a settlement that failed on chain; four times as long after each further failure of the same day.',
        default: PAYMENT_DEFAULTS.gasWaitSeconds,
      }),
    ),
    maxWaitSeconds: Type.Optional(
      whole(0, 86_400, {
        description: 'Maximum of that time.',
        default: PAYMENT_DEFAULTS.gasMaxWaitSeconds,
      }),
    ),
  },
  "Gas limits of the server's own keys. No effect with a service.",
);

export const payments = mapping(
  {
    chain: chainId('The payment chain; must be listed under chains.'),
    asset: address('The stablecoin; must support EIP-3009 authorizations and have 6 decimals.'),
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
    payTo: address('The recipient of payments.'),
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s/?#@]+[^\\s?#]*$',
        format: 'uri',
        description:
          'Public URL of the API for payers; resources in invoices start with it. Default: http.publicUrl. Without either, invoices contain the address that the server listens on, so it must listen on loopback (127.0.0.1, localhost, ::1) and only clients on the same machine can pay; on any other host, one of the two is required.',
        errorMessage: 'must be a URL that starts with http:// or https://, without ? and #',
        examples: ['https://risk.example.com'],
      }),
    ),
    prices: Type.Optional(mapping(forEachPriced(price), 'The price of each request.')),
    escalation: Type.Optional(
      mapping(
        {
          enabled: Type.Optional(
            Type.Boolean({
              description:
                'Whether the price grows with volume. Otherwise, every payer pays the base price.',
              errorMessage: 'must be true or false',
              default: true,
            }),
          ),
          firstStepCalls: Type.Optional(
            whole(1, 10_000_000_000, {
              description:
                "Number of a payer's settled calls after which the price rises for the first time; it rises again at ten times as many.",
              default: PAYMENT_DEFAULTS.escalationFirstStepCalls,
            }),
          ),
          factor: Type.Optional(
            whole(2, 1_000, {
              description: 'Factor of the price at each step.',
              default: PAYMENT_DEFAULTS.escalationFactor,
            }),
          ),
          maxFactor: Type.Optional(
            whole(1, 1_000_000, {
              description: 'Maximum factor of the base price.',
              default: PAYMENT_DEFAULTS.escalationMaxFactor,
            }),
          ),
        },
        'How the price grows with volume.',
      ),
    ),
    rateLimit: Type.Optional(
      mapping(
        {
          perSecond: Type.Optional(
            whole(0, 1_000_000, {
              description: 'Paid requests per second per payer; 0 turns the limit off.',
              default: PAYMENT_DEFAULTS.perSecond,
            }),
          ),
          burst: Type.Optional(
            whole(1, 1_000_000, {
              description: 'Maximum burst of paid requests per payer.',
              default: PAYMENT_DEFAULTS.burst,
            }),
          ),
        },
        'Rate limit of paid requests per payer; above it, 429.',
      ),
    ),
    addressLimit: Type.Optional(
      mapping(
        {
          perSecond: Type.Optional(
            whole(0, 1_000_000, {
              description: 'Unpaid requests per second per client address; 0 turns the limit off.',
              default: PAYMENT_DEFAULTS.addressPerSecond,
            }),
          ),
          burst: Type.Optional(
            whole(1, 1_000_000, {
              description: 'Maximum burst of unpaid requests per client address.',
              default: PAYMENT_DEFAULTS.addressBurst,
            }),
          ),
        },
        'Rate limit of unpaid requests to paid routes per client address; above it, 429. Clients on this machine and trusted proxies are treated as in http.rateLimit.',
      ),
    ),
    newPayers: Type.Optional(
      mapping(
        {
          perSecond: Type.Optional(
            whole(0, 1_000_000, {
              description:
                'Checks per second for payers that never paid here, in total; 0 turns the limit off.',
              default: PAYMENT_DEFAULTS.newPayersPerSecond,
            }),
          ),
          burst: Type.Optional(
            whole(1, 1_000_000, {
              description: 'Maximum burst of such checks.',
              default: PAYMENT_DEFAULTS.newPayersBurst,
            }),
          ),
        },
        'Limit of on-chain checks for payers that never paid here. Client addresses take turns; if too many are queued, the server returns 503.',
      ),
    ),
    gas: Type.Optional(gas),
    blocked: Type.Optional(
      Type.Array(address('A payer.'), {
        description: 'Blocked payers; they get 403.',
        errorMessage: 'must be a list of addresses',
      }),
    ),
    maxTimeoutSeconds: Type.Optional(
      whole(30, 3_600, {
        description:
          'Maximum validity of an authorization. It limits how long an outcome can be unknown.',
        default: PAYMENT_DEFAULTS.maxTimeoutSeconds,
      }),
    ),
    responseRetentionHours: Type.Optional(
      whole(1, 8_760, {
        description: 'How long paid responses are stored for the payer.',
        default: PAYMENT_DEFAULTS.responseRetentionHours,
      }),
    ),
    lossLimit: Type.Optional(
      mapping(
        {
          payments: Type.Optional(
            whole(0, 1_000_000, {
              description: 'Maximum number of lost payments: served, but not paid on chain.',
              default: PAYMENT_DEFAULTS.lostPayments,
            }),
          ),
          hours: Type.Optional(
            whole(1, 8_760, {
              description: 'Time window, in hours.',
              default: PAYMENT_DEFAULTS.lostHours,
            }),
          ),
        },
        'With more lost payments than this, paid routes return 503 until "assay payments resume".',
      ),
    ),
    facilitator,
  },
  'The paid risk API. Without this key, it is not served.',
);

export type PaymentsFile = Static<typeof payments>;
