import { type Address, encodeDeployData, encodeFunctionData, getContractAddress } from 'viem';
import { encodeCall } from './abi.ts';
import type { DevChain } from './chain.ts';
import type { Artifacts } from './compile.ts';
import { FAMILIES, type FamilyPlan, FEEDS, type PoolPlan, STABLECOIN } from './plan.ts';
import { feedPath, sharePricePath } from './prices.ts';
import { createRandom } from './random.ts';
import type { Cast, Core, Extras, Scene, SceneFamily, SceneFeed, ScenePool } from './scene.ts';
import type { Wallet } from './wallet.ts';

export interface DeployOptions {
  readonly chain: DevChain;
  readonly artifacts: Artifacts;
  readonly seed: string;
  readonly cast: Cast;
  /** Deploys the contracts that differ between chains. */
  readonly localDeployer: Wallet;
  readonly families: readonly FamilyPlan[];
  readonly startTime: number;
  readonly endTime: number;
}

const CORE_NONCES = { authority: 0n, oracle: 1n, registry: 2n, router: 3n, firstVault: 4n };
const DEPLOY_GAS = 6_000_000;
const BULK_GAS = 40_000_000;
const EXIT_DELAY = 2 * 86_400;
const BUFFER_BPS = 500;
const YEAR = 31_536_000n;

/** Returns the addresses of the shared contracts, which depend only on the deployer's key and nonces. */
export function coreAddresses(deployer: Address): Core {
  const at = (nonce: bigint) => getContractAddress({ from: deployer, nonce });
  return {
    authority: at(CORE_NONCES.authority),
    oracle: at(CORE_NONCES.oracle),
    registry: at(CORE_NONCES.registry),
    router: at(CORE_NONCES.router),
    vaults: new Map(
      FAMILIES.map(({ slug }, index) => [slug, at(CORE_NONCES.firstVault + BigInt(index))]),
    ),
  };
}

/** Deploys all contracts (the tokens in block 1, the rest in block 2) and funds the accounts. */
export async function deployScene(options: DeployOptions): Promise<Scene> {
  const { chain, artifacts, seed, cast, startTime, endTime } = options;
  const core = coreAddresses(cast.deployer.address);
  let localNonce = 0n;

  function create(from: Address, name: string, args: readonly unknown[]): void {
    const { abi, bytecode } = artifacts[name]!;
    chain.put({
      from,
      data: encodeDeployData({ abi, bytecode, args }),
      gas: DEPLOY_GAS,
    });
  }

  function createLocal(name: string, args: readonly unknown[]): Address {
    const from = options.localDeployer.address;
    const address = getContractAddress({ from, nonce: localNonce });
    localNonce += 1n;
    create(from, name, args);
    return address;
  }

  const plans = options.families.filter((family) =>
    family.chains.some(({ chainId }) => chainId === chain.chainId),
  );
  const operator = cast.operator.address;
  const tokens = createTokens();
  await chain.mine(startTime);

  create(cast.deployer.address, 'Authority', [operator]);
  create(cast.deployer.address, 'SharePriceOracle', [core.authority]);
  create(cast.deployer.address, 'PoolRegistry', [core.authority]);
  create(cast.deployer.address, 'Router', []);
  for (const family of FAMILIES) createVault(family);
  const families: SceneFamily[] = [];
  for (const plan of plans) families.push(createFamily(plan));
  const feeds = createFeeds();
  const extras = chain.chainId === 8453 ? createExtras() : null;
  await chain.mine(startTime + 1);

  openAccounts();
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

  function createTokens(): Map<string, Address> {
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

  function createVault(plan: FamilyPlan): void {
    const on = plan.chains.find(({ chainId }) => chainId === chain.chainId);
    if (!on || !plans.includes(plan)) {
      // Uses the nonce, so that the next vault keeps its address.
      chain.put({ from: cast.deployer.address, to: cast.deployer.address });
      return;
    }
    const settings = {
      name: plan.name,
      symbol: plan.shareSymbol,
      asset: tokens.get(on.asset.symbol)!,
      authority: core.authority,
      oracle: core.oracle,
      priceEntry: core.vaults.get(plan.feederOf ?? plan.slug)!,
      exitFeeBps: plan.exitFeeBps,
    };
    if (plan.feederOf === null) {
      create(cast.deployer.address, 'ReceiverQueueVault', [settings]);
    } else {
      create(cast.deployer.address, 'FeederVault', [settings, BUFFER_BPS]);
    }
  }

  function createFamily(plan: FamilyPlan): SceneFamily {
    const chainPlan = plan.chains.find(({ chainId }) => chainId === chain.chainId)!;
    const token = tokens.get(chainPlan.asset.symbol)!;
    const typical = (BigInt(plan.typicalMilli) * 10n ** BigInt(plan.decimals)) / 1000n;
    const pools: ScenePool[] = [];
    for (const pool of plan.pools) {
      if (pool.chainId !== chain.chainId) continue;
      const venue = createPool(plan, pool, token, typical);
      pools.push({ plan: pool, venue, status: null, announced: 0 });
    }
    return {
      plan,
      chainPlan,
      vault: core.vaults.get(plan.slug)!,
      master: families.find((other) => other.plan.slug === plan.feederOf) ?? null,
      token,
      typical,
      pools,
      price: sharePricePath(
        seed,
        FAMILIES.find(({ slug }) => slug === (plan.feederOf ?? plan.slug))!,
        startTime,
      ),
      priced: false,
      holders: new Set(),
      queue: new Set(),
    };
  }

  function createPool(
    family: FamilyPlan,
    plan: PoolPlan,
    asset: Address,
    typical: bigint,
  ): Address {
    const settings = {
      name: plan.name,
      symbol: `p${plan.offchainId.split(':')[2]!.toUpperCase()}`,
      asset,
      rate: (BigInt(family.growthPpm) * BigInt(plan.ratePercent) * 10n ** 18n) / 100_000_000n,
      statesRate: plan.statesRate,
      lentBps: plan.lentBps,
      decimalsOffset: 0,
    };
    if (plan.kind === 2) return createLocal('ExitQueuePool', [settings, EXIT_DELAY]);
    // About 3% per year on a pool of 300 typical deposits.
    if (plan.kind === 3) return createLocal('RewardsPool', [settings, (typical * 9n) / YEAR]);
    return createLocal('YieldPool', [settings]);
  }

  function createFeeds(): SceneFeed[] {
    const made: SceneFeed[] = [];
    for (const plan of FEEDS) {
      if (plan.chainId !== chain.chainId) continue;
      const address = createLocal('Aggregator', [plan.description, operator]);
      made.push({ plan, address, path: feedPath(seed, plan, startTime), publishedAt: -1 });
    }
    return made;
  }

  function createExtras(): Extras {
    const rate = 5n * 10n ** 16n;
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

  /** Grants minting rights, funds all accounts, and adds external deposits to the pools and a buffer to each vault. */
  function openAccounts(): void {
    const { abi } = artifacts.BaseToken!;
    for (const [symbol, token] of tokens) {
      const users = families.filter((family) => family.token === token);
      const minters = users.flatMap(({ vault, pools }) => [
        vault,
        ...pools.map(({ venue }) => venue),
      ]);
      if (symbol === 'USDC' && extras) minters.push(extras.asyncVault, extras.plainVault);
      const run = (functionName: string, args: readonly unknown[]) =>
        chain.put({
          from: operator,
          to: token,
          data: encodeFunctionData({ abi, functionName, args }),
          gas: BULK_GAS,
        });
      run('setMinters', [minters]);
      if (users.length === 0) continue;
      const typical = users[0]!.typical;
      const everyone = [...cast.named, ...cast.crowd].map(({ address }) => address);
      for (let from = 0; from < everyone.length; from += 200) {
        run('mintMany', [everyone.slice(from, from + 200), typical * 4_000n]);
      }
      run('mint', [cast.treasury.address, typical * 100_000n]);
      for (const family of users) {
        if (family.chainPlan.role === 'settlement')
          run('mint', [family.vault, family.typical * 8n]);
        for (const { venue } of family.pools) seedPool(token, venue, typical);
      }
    }
    for (const family of families) {
      if (!family.master) continue;
      chain.put({
        from: operator,
        to: family.master.vault,
        data: encodeCall('setFeeExempt(address,bool)', [family.vault, true]),
      });
    }
  }

  function seedPool(token: Address, venue: Address, typical: bigint): void {
    const from = cast.treasury.address;
    const amount = typical * 100n;
    chain.put({
      from,
      to: token,
      data: encodeCall('approve(address,uint256)', [venue, amount]),
    });
    chain.put({
      from,
      to: venue,
      data: encodeCall('deposit(uint256,address)', [amount, from]),
    });
  }
}
