import { type Address, encodeDeployData, getContractAddress } from 'viem';
import type { DevChain } from './chain.ts';
import type { Artifacts } from './compile.ts';
import { FAMILIES, type FamilyPlan } from './plan.ts';
import type { Cast, Core } from './scene.ts';
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

/** Puts contracts into the next block of a chain. */
export interface Deployment extends DeployOptions {
  readonly core: Core;
  /** The families of this chain. */
  readonly plans: readonly FamilyPlan[];
  /** Creates the next contract whose address is the same on every chain. */
  createShared(name: string, args: readonly unknown[]): void;
  /** Leaves out a shared contract, so that the next one keeps its address. */
  skipShared(): void;
  /** Creates a contract of this chain. */
  createLocal(name: string, args: readonly unknown[]): Address;
}

const CORE_NONCES = { authority: 0n, oracle: 1n, registry: 2n, router: 3n, firstVault: 4n };
const DEPLOY_GAS = 6_000_000;

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

export function createDeployment(options: DeployOptions): Deployment {
  const { chain, artifacts, families } = options;
  const shared = options.cast.deployer.address;
  const local = options.localDeployer.address;
  let localNonce = 0n;

  return {
    ...options,
    core: coreAddresses(shared),
    plans: families.filter((family) =>
      family.chains.some(({ chainId }) => chainId === chain.chainId),
    ),
    createShared: (name, args) => create(shared, name, args),
    skipShared: () => chain.put({ from: shared, to: shared }),
    createLocal(name, args) {
      const address = getContractAddress({ from: local, nonce: localNonce });
      localNonce += 1n;
      create(local, name, args);
      return address;
    },
  };

  function create(from: Address, name: string, args: readonly unknown[]): void {
    const { abi, bytecode } = artifacts[name]!;
    chain.put({
      from,
      data: encodeDeployData({ abi, bytecode, args }),
      gas: DEPLOY_GAS,
    });
  }
}
