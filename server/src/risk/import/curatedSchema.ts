import { type Static, type TSchema, Type } from 'typebox';

function text(errorMessage = 'must be text; put it in quotes if it looks like a number') {
  return Type.String({ minLength: 1, maxLength: 500, errorMessage });
}

function pattern(pattern: string, errorMessage: string) {
  return Type.String({ pattern, errorMessage });
}

function oneOf<const T extends readonly string[]>(words: T) {
  const errorMessage = `must be one of ${words.join(', ')}`;
  return Type.Unsafe<T[number]>(Type.Enum([...words], { errorMessage }));
}

function list<T extends TSchema>(items: T, errorMessage: string) {
  return Type.Array(items, { minItems: 1, maxItems: 500, errorMessage });
}

const yes = Type.Boolean({ errorMessage: 'must be true or false' });
const usd = Type.Number({ minimum: 0, errorMessage: 'must be an amount of USD, 0 or more' });
const slug = pattern('^[\\p{L}\\p{N}][\\p{L}\\p{N}.-]*$', 'must be a slug such as aave-v3');
const url = pattern('^https?://\\S+$', 'must be a URL that begins with https://');
const day = pattern('^\\d{4}-\\d{2}-\\d{2}$', 'must be a day such as 2026-05-31');
const share = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1,
  errorMessage: 'must be a share above 0 and up to 1',
});
const delay = pattern('^\\d+(?:\\.\\d+)?[hd]$', 'must be hours or days such as 48h or 7d');
const place = pattern('^[^\\s:]+:\\S+$', 'must be a chain and an address such as ethereum:0x…');
const address = pattern(
  '^(?:0x[0-9a-fA-F]{40}|(?!0x)\\S{3,160})$',
  'must be an address of the chain',
);
const slugs = list(slug, 'must be a list of slugs');

/** The publisher of the fact, and the day of the lookup. */
const said = {
  source: text('must name where the fact is from: a page, a document, a URL'),
  date: day,
};

function entry<Own extends Record<string, TSchema>, Facts extends Record<string, TSchema>>(
  own: Own,
  facts: Facts,
) {
  const optional = Object.fromEntries(
    Object.entries(facts).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as { [K in keyof Facts]: ReturnType<typeof Type.Optional<Facts[K]>> };
  return Type.Object({
    ...own,
    facts: list(
      Type.Object({ ...optional, ...said }),
      'must be a list of facts, each with its source and date',
    ),
  });
}

const collateral = list(
  Type.Object({ asset: place, share }),
  'must be a list of assets and shares',
);

const chain = entry(
  { slug, name: text() },
  {
    chainId: Type.Integer({ minimum: 1, errorMessage: 'must be an integer above 0' }),
    symbol: text(),
    kind: oneOf(['base-layer', 'rollup', 'other']),
    stage: Type.Integer({ minimum: 0, maximum: 2, errorMessage: 'must be 0, 1 or 2' }),
    settlesTo: slug,
    tvlUsd: usd,
    dead: yes,
    url,
  },
);

const protocol = entry(
  { slug, name: text() },
  {
    symbol: text(),
    category: text(),
    chains: slugs,
    tvlUsd: usd,
    launched: day,
    audits: Type.Object({
      status: oneOf(['reports', 'claimed', 'partial', 'none-recorded', 'unaudited']),
      reports: Type.Optional(Type.Integer({ minimum: 1, errorMessage: 'must be 1 or more' })),
    }),
    forkOf: slugs,
    oracles: slugs,
    upgrades: Type.Object({
      by: oneOf(['nobody', 'single-key', 'timelock']),
      delay: Type.Optional(delay),
    }),
    incidents: list(
      Type.Object({
        day,
        lossUsd: Type.Optional(usd),
        repaid: Type.Optional(yes),
        what: text(),
      }),
      'must be a list of incidents',
    ),
    parent: slug,
    ...{ rugged: yes, dead: yes, deprecated: yes },
    ...{ hasToken: yes, hasGovernance: yes, hasTreasury: yes, openSource: yes },
    url,
  },
);

const asset = entry(
  { chain: slug, address, name: text() },
  {
    symbol: text(),
    kind: oneOf([
      ...['native', 'fiat-backed', 'crypto-backed', 'algorithmic', 'liquid-staking'],
      ...['wrapped', 'vault-share', 'other'],
    ] as const),
    peg: text(),
    marketCapUsd: usd,
    attested: yes,
    dead: yes,
    issuedBy: slug,
    collateral,
    url,
  },
);

const pool = entry(
  { chain: slug, key: pattern('^\\S{1,160}$', 'must be an address or a key'), name: text() },
  {
    symbol: text(),
    protocol: slug,
    deposits: list(place, 'must be a list of assets such as ethereum:0x…'),
    collateral,
    allocates: list(Type.Object({ pool: place, share }), 'must be a list of pools and shares'),
    pricedBy: slugs,
    assets: oneOf(['single', 'correlated', 'uncorrelated']),
    ...{ concentrated: yes, leveraged: yes, stablecoin: yes },
    note: text(),
    url,
  },
);

/** A file of curated facts. */
export const curatedSchema = Type.Object({
  chains: Type.Optional(list(chain, 'must be a list of chains')),
  protocols: Type.Optional(list(protocol, 'must be a list of protocols')),
  assets: Type.Optional(list(asset, 'must be a list of assets')),
  pools: Type.Optional(list(pool, 'must be a list of pools')),
});

export type CuratedFile = Static<typeof curatedSchema>;
export type CuratedChain = Static<typeof chain>;
export type CuratedProtocol = Static<typeof protocol>;
export type CuratedAsset = Static<typeof asset>;
export type CuratedPool = Static<typeof pool>;
