import { Type } from 'typebox';
import {
  Address,
  ChainId,
  Decimals,
  List,
  Nullable,
  Shape,
  Text,
  UnixTime,
} from '../../schemas.ts';
import { FormattedValue, formatted } from './values.ts';

const RATE = 'Percent per year as text, with all digits; null if it cannot be measured.';

const yields = (description: string) =>
  Shape(
    {
      '1d': Nullable(Text('Percent per year.', '4.51'), `Over 1 day. ${RATE}`),
      '7d': Nullable(Text('Percent per year.', '4.51'), `Over 7 days. ${RATE}`),
      '30d': Nullable(Text('Percent per year.', '4.51'), `Over 30 days. ${RATE}`),
    },
    description,
  );

const token = (description: string) =>
  Shape(
    {
      name: Text('Name.', 'USD Coin'),
      symbol: Text('Symbol.', 'USDC'),
      decimals: Decimals('Decimals.'),
      address: Address('The token on this network.'),
      coingeckoId: Text('Identifier at a market-data provider.', 'usd-coin'),
    },
    description,
  );

const allocation = FormattedValue(
  "Share of the family's TVL: `raw` in basis points, `formatted` in percent.",
);

const protocol = Shape(
  { name: Text('The protocol.', 'Alpha Markets'), allocation },
  'A protocol that the family is invested in, with all its pools.',
);

const protocolStat = Shape(
  {
    pool: Text('The pool.', 'Alpha USDC'),
    yield: yields("From the pool's own share price."),
    balance: FormattedValue("Value of the family's holding, in the base asset."),
    protocol: Text('The protocol of the pool; empty if unknown.', 'Alpha Markets'),
    allocation,
  },
  'A pool that the family is invested in, on any network.',
);

const idleBalance = Shape(
  {
    network: Text('The network.', 'base'),
    raw: Text('In base units: an integer in decimal digits.', '1250000'),
    formatted: Text('As an exact decimal number.', '1.25'),
  },
  'Base asset held by the vault on one network.',
);

const stats = Shape(
  {
    tvl: FormattedValue('Total value locked, in the base asset.'),
    totalSupply: FormattedValue('Shares.'),
    yield: yields('From the share price.'),
    rewardYield: Text(
      'Rewards per year relative to the TVL, in percent as text; 0 if there are none.',
      '0.4',
    ),
    sharePrice: Type.Optional(
      FormattedValue('Value of one share in the base asset; absent while unknown.'),
    ),
    idleBalance: FormattedValue('Base asset held by the vaults themselves.'),
    investedBalance: FormattedValue('Invested value.'),
    idleBalances: List(idleBalance, 'The idle balance of each network that was read.'),
    protocolStats: List(protocolStat, 'The pools, largest first.'),
  },
  'Values over all networks of the family, except `idleBalances`.',
);

/** The `data` of a snapshot, without the optional fields of the legacy API that this server does not have. */
export const snapshotData = Shape(
  {
    id: Text('Slug of the vault family.', 'svcusd'),
    name: Text('Name of the vault family.', 'Savings USD'),
    asset: token('The base asset on this network.'),
    shareAsset: token('The share token on this network.'),
    chain: Shape(
      { id: ChainId('The network.'), name: Text('Name.', 'base') },
      'The requested network.',
    ),
    contracts: Shape(
      {
        vaultAddress: Address('The vault on this network.'),
        authorityAddress: Type.Optional(
          Address('Access-control contract of the vault; absent if there is none.'),
        ),
      },
      'Contracts.',
    ),
    protocols: List(protocol, 'Largest first. Pools without a known protocol are omitted.'),
    stats,
    lastUpdated: UnixTime('Time of the values.'),
  },
  'The current state of a vault family, for one network.',
);

export const snapshotExample = {
  id: 'svcusd',
  name: 'Savings USD',
  asset: {
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    coingeckoId: 'usd-coin',
  },
  shareAsset: {
    name: 'Savings USD share',
    symbol: 'svcUSD',
    decimals: 6,
    address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    coingeckoId: 'svcusd',
  },
  chain: { id: 8453, name: 'base' },
  contracts: {
    vaultAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    authorityAddress: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  },
  protocols: [{ name: 'Alpha Markets', allocation: formatted('6000', 2) }],
  stats: {
    tvl: formatted('1250340000000', 6),
    totalSupply: formatted('1196109583000', 6),
    yield: { '1d': '4.48', '7d': '4.51', '30d': null },
    rewardYield: '0.4',
    sharePrice: formatted('1045338', 6),
    idleBalance: formatted('500136000000', 6),
    investedBalance: formatted('750204000000', 6),
    idleBalances: [{ network: 'base', ...formatted('500136000000', 6) }],
    protocolStats: [
      {
        pool: 'Alpha USDC',
        yield: { '1d': '7.4', '7d': '7.52', '30d': null },
        balance: formatted('750204000000', 6),
        protocol: 'Alpha Markets',
        allocation: formatted('6000', 2),
      },
    ],
  },
  lastUpdated: 1_790_000_000,
};
