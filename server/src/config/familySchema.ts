import { Type } from 'typebox';
import { ratedSchema } from './rated/schema.ts';
import { address, block, chainId, mapping, marketDataId, pattern, text } from './schemaFields.ts';

const asset = (description: string) =>
  mapping(
    {
      symbol: Type.Optional(text('Used if the chain has none.', 'USDC')),
      name: Type.Optional(text('Used if the chain has none.', 'USD Coin')),
      marketDataId: marketDataId('Id at the market-data provider, included in responses.'),
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
      description:
        'settlement: users deposit and redeem here. execution: assets are invested here.',
      errorMessage: 'must be settlement or execution',
      examples: ['settlement'],
    }),
    address: Type.Optional(
      address("The vault on this chain, if it differs from the family's `address`."),
    ),
    vaults: Type.Optional(
      addresses('Additional vaults over the same share token (ERC-7575), each for another asset.'),
    ),
    asset: Type.Optional(
      address(
        'The base asset on this chain, used until the chain is read. Required if it has no RPC URL.',
      ),
    ),
    share: Type.Optional(
      address(
        'The share token on this chain, if it is not the vault itself. Used until the chain is read.',
      ),
    ),
    startBlock: Type.Optional(block('First block of this family.')),
    oracle: Type.Optional(
      address('Share-price oracle (receiver-queue), if the vault does not name it.'),
    ),
    registry: Type.Optional(address('Pool registry (receiver-queue).')),
    routers: Type.Optional(addresses('Gateways whose share transfers are not wallet transfers.')),
    custody: Type.Optional(
      addresses(
        'Accounts that hold shares or assets for others (a silo, an escrow, a queue outside the vault), in addition to those that are detected on chain.',
      ),
    ),
    rated: Type.Optional(ratedSchema),
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
    symbol: text('Symbol of the asset.', 'USDC'),
    share: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "Share of the pool's value; shares of one kind add up to at most 1.",
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
        'erc4626: shares of a vault, at their conversion rate. token: a balance of the base asset itself.',
      errorMessage: 'must be erc4626 or token',
      examples: ['erc4626'],
    }),
    address: address('The vault or token that is held.'),
    holder: Type.Optional(address("Holder. Default: the family's vault.")),
  },
  'Where the holding is read, for a pool that no registry or allocator declares.',
);

const pool = mapping(
  {
    offchainId: pattern('^\\S+$', {
      description: "Id of the pool, network:kind:slug; the registry's id if it has one.",
      errorMessage: 'must be an id without spaces, such as base:lending:alpha-usdc',
      examples: ['base:lending:alpha-usdc'],
    }),
    name: text('Name shown for the pool.', 'Alpha USDC'),
    protocol: text('Protocol of the pool.', 'Alpha Lending'),
    url: Type.String({
      pattern: '^https?://[^\\s/?#]+\\S*$',
      format: 'uri',
      description: "URL of the pool's page.",
      errorMessage: 'must be a URL that starts with http:// or https://',
      examples: ['https://example.org/pools/alpha-usdc'],
    }),
    description: Type.Optional(text('Short description of the pool.', 'Lends USDC.')),
    position: Type.Optional(poolPosition),
    composition: Type.Optional(
      Type.Array(poolPart, {
        description:
          'What the pool holds, and what backs its loans. Holdings beyond the collateral count as uncollateralized; the rest, and a pool without composition, as unclassified.',
        errorMessage: 'must be a list of parts',
        default: [],
      }),
    ),
  },
  'Pool data that no contract has.',
);

export const family = mapping(
  {
    slug: pattern('^[a-z0-9][a-z0-9-]{0,62}$', {
      description: 'Identifier of the family in URLs.',
      errorMessage: 'must be up to 63 lower-case letters, digits and dashes, such as svcusd',
      examples: ['svcusd'],
    }),
    name: text('Name shown for the family.', 'Vault USD'),
    address: address('The vault. A chain with another address has its own `address`.'),
    adapter: Type.Enum(['receiver-queue', 'erc4626', 'erc7540', 'rated'], {
      description: 'Vault kind: how the vault is read.',
      errorMessage: 'must be receiver-queue, erc4626, erc7540 or rated',
      examples: ['erc4626'],
    }),
    preset: Type.Optional(
      pattern('^[a-z0-9][a-z0-9-]*$', {
        description: 'Preset of the vault system (rated).',
        errorMessage: 'must be the name of a preset, such as rocket-pool-reth',
        examples: ['rocket-pool-reth'],
      }),
    ),
    feederOf: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Slug of the master family that this feeder invests in.',
        errorMessage: 'must be the slug of another family, or null',
        default: null,
      }),
    ),
    bindingDeclarationAddress: Type.Optional(
      address('Address whose pool declarations this family uses. Default: its own.'),
    ),
    base: asset('The base asset.'),
    share: asset('The share token.'),
    priceFeed: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          'USD feed of the base asset, one of prices.feeds. Without it, there are no USD values.',
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
  'A vault family: one vault product on one or more chains.',
);
