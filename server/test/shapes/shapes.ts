import { fileURLToPath } from 'node:url';
import { type Artifacts, compileFolder, loadArtifacts } from '../../../devnet/src/index.ts';
import { createChainClient } from '../../src/chain/client.ts';
import { createRpcClient } from '../../src/chain/rpcClient.ts';
import type { Address } from '../../src/domain/hex.ts';
import type { Look } from '../../src/vaults/recognize/readContract.ts';
import { type Contract, createLocalChain, type LocalChain } from '../realVaults/chain.ts';

const SOURCES = fileURLToPath(new URL('./', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../devnet/dist/shapes.json', import.meta.url));
export const OWNER: Address = '0x00000000000000000000000000000000000a11ce';
export const ZERO: Address = '0x0000000000000000000000000000000000000000';
/** An address without any code. */
export const EMPTY_ADDRESS: Address = '0x00000000000000000000000000000000000b0b00';

/** A chain with contracts of known shapes. */
export interface Shapes {
  readonly chain: LocalChain;
  deploy(name: string, ...args: readonly unknown[]): Promise<Contract>;
  /** Reads contracts at the newest block. */
  look(): Look;
  /** Deploys a receiver-queue vault with its oracle and a first price. */
  queue(options: QueueOptions): Promise<Contract>;
  close(): Promise<void>;
}

export interface QueueOptions {
  readonly asset: Contract;
  readonly symbol: string;
  readonly oracle: Contract;
  readonly authority: Contract;
  readonly priceEntry?: Address;
}

export async function createShapes(options: { readonly chainId: number }): Promise<Shapes> {
  const artifacts: Artifacts = {
    ...(await loadArtifacts()),
    ...(await compileFolder(SOURCES, CACHE)),
  };
  const chain = await createLocalChain({ ...options, startTime: startTime() });
  const rpc = createRpcClient({ url: chain.url, upstream: 1, timeoutMs: 30_000 });
  const client = createChainClient({
    rpc,
    multicall: '0xca11bde05977b3631167028862be2a173976ca11',
  });
  const deploy = (name: string, ...args: readonly unknown[]) =>
    chain.deploy(OWNER, artifacts[name]!, args);

  return {
    chain,
    deploy,
    look: () => ({ client, block: chain.tip.number }),
    queue: ({ asset, symbol, oracle, authority, priceEntry }) =>
      deploy('ReceiverQueueVault', {
        name: `Vault ${symbol}`,
        symbol,
        asset: asset.address,
        authority: authority.address,
        oracle: oracle.address,
        priceEntry: priceEntry ?? ZERO,
        exitFeeBps: 0,
      }),
    async close() {
      rpc.close();
      await chain.close();
    },
  };
}

/** A recent time, so that no feed is stale. */
function startTime(): number {
  return Math.floor(Date.now() / 1000) - 86_400;
}
