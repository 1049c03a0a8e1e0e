import { Type } from 'typebox';
import { address, block, chainId, mapping, marketDataId, pattern, text } from './schemaFields.ts';

const asset = (description: string) =>
  mapping(
    {
      symbol: Type.Optional(text('Used where the chain gives none.', 'USDC')),
      name: Type.Optional(text('Used where the chain gives none.', 'USD Coin')),
      marketDataId: marketDataId('The id at the market-data provider, passed on to clients.'),
    },
    description,
  );

const addresses = (description: string) =>
  Type.Array(address(description), {
    description,
    errorMessage: 'must be a list of addresses',
    default: [],
  });

const familyChain = mapping(
  {
    chain: chainId('A chain listed under `chains`.'),
    role: Type.Enum(['settlement', 'execution'], {
      description: 'settlement: users deposit and redeem here. execution: assets work here.',
      errorMessage: 'must be settlement or execution',
      examples: ['settlement'],
    }),
    address: Type.Optional(
      address("The vault on this chain, where it is another than the family's `address`."),
    ),
    vaults: Type.Optional(
      addresses('Further vaults over the same share token (ERC-7575), each for another asset.'),
    ),
    asset: Type.Optional(address('The base asset on this chain, until the chain itself was read.')),
    startBlock: Type.Optional(block('First block with anything of this family.')),
    oracle: Type.Optional(
      address('Share-price oracle (receiver-queue), where the vault does not name it itself.'),
    ),
    registry: Type.Optional(address('Pool registry (receiver-queue).')),
    routers: Type.Optional(addresses('Gateways whose share moves are not transfers.')),
    custody: Type.Optional(
      addresses(
        'Accounts that hold shares or assets for others (a silo, an escrow, a queue outside the vault), besides those that are found on chain.',
      ),
    ),
  },
  'The family on one chain.',
);

const poolPart = mapping(
  {
    kind: Type.Enum(['underlying', 'collateral'], {
      description: 'underlying: what the pool holds. collateral: what backs its loans.',
      errorMessage: 'must be underlying or collateral',
      examples: ['underlying'],
    }),
    chain: chainId('The chain of the asset.'),
    address: address('The asset.'),
    symbol: text("The asset's symbol.", 'USDC'),
    share: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "Share of the pool's value; those of one kind add up to at most 1.",
      errorMessage: 'must be a share from 0 to 1, such as 0.25',
      examples: [1],
    }),
  },
  "A share of a pool's value.",
);

const poolPosition = mapping(
  {
    chain: chainId('The chain of the holding.'),
    kind: Type.Enum(['erc4626', 'token'], {
      description:
        'erc4626: shares of a vault, at what they convert to. token: a balance of the base asset itself.',
      errorMessage: 'must be erc4626 or token',
      examples: ['erc4626'],
    }),
    address: address('The vault or token that is held.'),
    holder: Type.Optional(address("Who holds it; the family's vault by default.")),
  },
  'Where the holding is read, for a pool that no registry or allocator declares.',
);

const pool = mapping(
  {
    offchainId: pattern('^\\S+$', {
      description: 'The id of the pool, network:kind:slug; that of the registry where it has one.',
      errorMessage: 'must be an id without spaces, such as base:lending:alpha-usdc',
      examples: ['base:lending:alpha-usdc'],
    }),
    name: text('Name shown for the pool.', 'Alpha USDC'),
    protocol: text('Protocol that runs the pool.', 'Alpha Lending'),
    url: Type.String({
      pattern: '^https?://[^\\s/?#]+\\S*$',
      format: 'uri',
      description: "The pool's page.",
      errorMessage: 'must be a URL that starts with http:// or https://',
      examples: ['https://example.org/pools/alpha-usdc'],
    }),
    description: Type.Optional(text('A sentence or two about the pool.', 'Lends USDC.')),
    position: Type.Optional(poolPosition),
    composition: Type.Optional(
      Type.Array(poolPart, {
        description:
          'What the pool holds, and what backs what it lends. A pool with underlying parts and no collateral counts as uncollateralised; what the parts leave out, and a pool without any, as unclassified.',
        errorMessage: 'must be a list of parts',
        default: [],
      }),
    ),
  },
  'What no contract says of a pool.',
);

export const family = mapping(
  {
    slug: pattern('^[a-z0-9][a-z0-9-]{0,62}$', {
      description: 'Identifies the family in URLs.',
      errorMessage: 'must be up to 63 lower-case letters, digits and dashes, such as svcusd',
      examples: ['svcusd'],
    }),
    name: text('Name shown for the family.', 'Vault USD'),
    address: address('The vault; chains where it has another address say so themselves.'),
    adapter: Type.Enum(['receiver-queue', 'erc4626', 'erc7540'], {
      description: 'How the vault is read.',
      errorMessage: 'must be receiver-queue, erc4626 or erc7540',
      examples: ['erc4626'],
    }),
    feederOf: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Slug of the family that this one feeds its deposits into.',
        errorMessage: 'must be the slug of another family, or null',
        default: null,
      }),
    ),
    bindingDeclarationAddress: Type.Optional(
      address("Whose pool declarations serve this family; the family's own address by default."),
    ),
    base: asset('The base asset.'),
    share: asset('The share token.'),
    priceFeed: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Feed of the base asset in USD, one of prices.feeds; without it no USD.',
        errorMessage: 'must be the name of a feed under prices.feeds, or null',
        default: null,
      }),
    ),
    chains: Type.Array(familyChain, {
      minItems: 1,
      description: 'The chains of the family; at least one is a settlement chain.',
      errorMessage: 'must be a list of at least one chain',
      examples: [[{ chain: 8453, role: 'settlement' }]],
    }),
    pools: Type.Optional(
      Type.Array(pool, {
        description: 'Names and composition of pools.',
        errorMessage: 'must be a list of pools',
        default: [],
      }),
    ),
  },
  'A family: one vault on one or more chains.',
);
