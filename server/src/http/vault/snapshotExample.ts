const address = '0x1F98431c8aD98523631AE4a59f267346ea31F984';
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const weth = '0x4200000000000000000000000000000000000006';

export const exampleAssets = {
  base: {
    chainId: 8453,
    address: usdc,
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    marketDataId: 'usd-coin',
  },
  share: {
    chainId: 8453,
    address,
    symbol: 'svcUSD',
    name: 'Savings USD',
    decimals: 6,
    marketDataId: 'svcusd',
  },
};

export const exampleFamily = { slug: 'svcusd', name: 'Savings USD', address, feederOf: null };

export const exampleFigures = {
  tvl: '12500000000000',
  idle: '1250000000000',
  invested: '11000000000000',
  pendingExits: '250000000000',
  pendingRedemptionAssets: '40000000000',
  totalShares: '12100000000000',
  assetsPerShare: '1033057',
  tvlUsd: 12_498_750,
  apy: 0.0781,
  apy1d: 0.0779,
  apy7d: 0.0781,
  apy30d: 0.0765,
  rewardApr: 0.0042,
};

export const snapshotExample = {
  ...exampleFamily,
  authority: '0x2FAEB0760D4230Ef2aC21496Bb4F0b47D634FD4c',
  assets: exampleAssets,
  bindingDeclarationAddress: address,
  chains: [{ chainId: 8453, role: 'settlement', vault: address, assets: exampleAssets }],
  stats: {
    updatedAt: '2026-03-01T12:00:00.000Z',
    importedFromLegacy: false,
    baseAsset: usdc,
    baseAssetDecimals: 6,
    shareDecimals: 6,
    ...exampleFigures,
    chains: [
      {
        chainId: 8453,
        block: '27000000',
        at: '2026-03-01T12:00:00.000Z',
        idle: '1250000000000',
        invested: '11000000000000',
        pendingExits: '250000000000',
        tvl: '12500000000000',
        shareSupply: '12100000000000',
      },
    ],
    pools: [
      {
        offchainId: 'base:lending:alpha-usdc',
        chainId: 8453,
        name: 'Alpha USDC',
        protocolName: 'Alpha Markets',
        poolUrl: 'https://alpha-markets.example/alpha-usdc',
        description: 'Earns by lending the asset.',
        value: '11000000000000',
        allocationBps: 8800,
        availableLiquidity: '4400000000000',
        apy1d: 0.081,
        apy7d: 0.0802,
        apy30d: 0.079,
        mechanismApy: 0.08,
        riskScore: 90,
        status: 'active',
        idleOnly: false,
      },
    ],
  },
  exposure: {
    at: '2026-03-01T12:00:00.000Z',
    allocatedUsd: 10_998_900,
    uncollateralizedUsd: 4_399_560,
    uncollateralizedPct: 40,
    unclassifiedUsd: 0,
    unclassifiedPct: 0,
    underlying: [
      {
        chainId: 8453,
        address: usdc,
        symbol: 'USDC',
        exposureUsd: 10_998_900,
        exposurePct: 100,
      },
    ],
    collateral: [
      {
        chainId: 8453,
        address: weth,
        symbol: 'WETH',
        exposureUsd: 6_599_340,
        exposurePct: 60,
      },
    ],
  },
};
