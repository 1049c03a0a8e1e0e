import type { Address } from 'viem';
import { encodeCall } from './abi.ts';
import { createFamilies, createVault } from './deployFamilies.ts';
import { createDeployment, type Deployment, type DeployOptions } from './deployment.ts';
import { openAccounts } from './openAccounts.ts';
import { FAMILIES, FEEDS, STABLECOIN } from './plan.ts';
import { feedPath } from './prices.ts';
import { createRandom } from './random.ts';
import type { Extras, Scene, SceneFeed } from './scene.ts';

/** Deploys all contracts (the tokens in block 1, the rest in block 2) and funds the accounts. */
export async function deployScene(options: DeployOptions): Promise<Scene> {
  const { chain, seed, cast, startTime, endTime } = options;
  const deployment = createDeployment(options);
  const { core } = deployment;
  const tokens = createTokens(deployment);
  await chain.mine(startTime);

  deployment.createShared('Authority', [cast.operator.address]);
  deployment.createShared('SharePriceOracle', [core.authority]);
  deployment.createShared('PoolRegistry', [core.authority]);
  deployment.createShared('Router', []);
  for (const family of FAMILIES) createVault(deployment, tokens, family);
  const families = createFamilies(deployment, tokens);
  const feeds = createFeeds(deployment);
  const extras = chain.chainId === 8453 ? createExtras(deployment) : null;
  await chain.mine(startTime + 1);

  openAccounts(deployment, { tokens, families, extras });
  await chain.mine(startTime + 2);
  return {
    chain,
    chainId: chain.chainId,
    startTime,
    endTime,
    cast,
    core,
    tokens,
    families,
    feeds,
    extras,
    random: createRandom(`${seed} chain ${chain.chainId}`),
    approved: new Set(),
    live: false,
    requests: new Map(),
    busy: new Set(),
    pricedAt: -1,
  };
}

/** Returns the base assets by symbol. */
function createTokens({ chain, cast, plans, createLocal }: Deployment): Map<string, Address> {
  const operator = cast.operator.address;
  const found = new Map<string, Address>();
  if (chain.chainId === 8453) {
    found.set('USDC', STABLECOIN);
    chain.put({
      from: operator,
      to: STABLECOIN,
      data: encodeCall('initialize(address)', [operator]),
    });
  }
  for (const plan of plans) {
    const { asset } = plan.chains.find(({ chainId }) => chainId === chain.chainId)!;
    if (found.has(asset.symbol)) continue;
    const args = [asset.name, asset.symbol, plan.decimals, operator];
    found.set(asset.symbol, createLocal('BaseToken', args));
  }
  return found;
}

function createFeeds({ chain, cast, seed, startTime, createLocal }: Deployment): SceneFeed[] {
  const made: SceneFeed[] = [];
  for (const plan of FEEDS) {
    if (plan.chainId !== chain.chainId) continue;
    const address = createLocal('Aggregator', [plan.description, cast.operator.address]);
    made.push({ plan, address, path: feedPath(seed, plan, startTime), publishedAt: -1 });
  }
  return made;
}

function createExtras({ cast, createLocal }: Deployment): Extras {
  const rate = 5n * 10n ** 16n;
  const operator = cast.operator.address;
  const settings = {
    name: 'Plain USD',
    symbol: 'plUSD',
    asset: STABLECOIN,
    rate,
    statesRate: false,
    lentBps: 0,
    decimalsOffset: 6,
  };
  const plainVault = createLocal('YieldPool', [settings]);
  return {
    plainVault,
    nestedVault: createLocal('PlainVault', ['Nested USD', 'neUSD', plainVault]),
    asyncVault: createLocal('AsyncVault', ['Async USD', 'asUSD', STABLECOIN, operator, rate]),
    contractWallet: createLocal('ContractWallet', [cast.named[0]!.address]),
  };
}
