import { createPublicClient, http, type PublicClient, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedWorld, serveWorld } from '../../test/world.ts';
import type { ChainClient } from '../chain/chainClient.ts';
import { createChainClient } from '../chain/client.ts';
import { createRpcClient, type RpcClient } from '../chain/rpcClient.ts';
import type { PoolPosition } from '../config/config.ts';
import { type Address, lower } from '../domain/hex.ts';
import { readFilePools } from './filePools.ts';
import type { VaultOnChain } from './kind.ts';
import { runRounds } from './rounds.ts';

const CHAIN = 8453;
const ABI = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function convertToAssets(uint256) view returns (uint256)',
]);

let served: ServedWorld;
let rpc: RpcClient;
let client: ChainClient;
let reader: PublicClient;
let block: number;
beforeAll(async () => {
  served = await serveWorld({ seed: 'file pools', chainIds: [CHAIN], families: ['svcusd'] });
  const url = served.urlOf(CHAIN);
  rpc = createRpcClient({ url, upstream: 1, timeoutMs: 60_000 });
  client = createChainClient({ rpc, multicall: lower(served.world.multicall) });
  reader = createPublicClient({ transport: http(url) });
  block = served.heads().get(CHAIN)!;
});
afterAll(async () => {
  rpc?.close();
  await served?.close();
});

async function read(vault: Address, positions: readonly Omit<PoolPosition, 'chainId'>[]) {
  const texts = { name: 'N', protocolName: 'P', poolUrl: '', description: '', composition: [] };
  const pools = positions.map((position, i) => ({
    offchainId: `base:other:${i}`,
    ...texts,
    position: { chainId: CHAIN, ...position },
  }));
  const elsewhere = { ...pools[0]!, position: { ...pools[0]!.position, chainId: 1 } };
  const on = {
    family: { pools: [...pools, elsewhere] },
    chain: { chainId: CHAIN, address: vault },
  };
  const [found] = await runRounds(client, block, [readFilePools(on as unknown as VaultOnChain)]);
  return found!;
}

describe('readFilePools', () => {
  test("default: a vault's shares at their converted value, and a balance unchanged", async () => {
    const [family] = served.world.chain(CHAIN).scene.families;
    const { vault, token, pools } = family!;
    const call = (address: Address, functionName: 'balanceOf' | 'convertToAssets', arg: unknown) =>
      reader.readContract({
        address,
        abi: ABI,
        functionName,
        args: [arg] as never,
      }) as Promise<bigint>;
    const venue = pools[0]!.venue;
    const held = await call(venue, 'balanceOf', vault);
    const found = await read(lower(vault), [
      { kind: 'erc4626', address: lower(venue) },
      { kind: 'token', address: lower(token), holder: lower(venue) },
    ]);
    expect(held).toBeGreaterThan(0n);
    expect(found!.pools.map(({ value }) => value)).toEqual([
      await call(venue, 'convertToAssets', held),
      await call(token, 'balanceOf', venue),
    ]);
    expect(found!.found.map(({ offchainId, composition }) => [offchainId, composition])).toEqual([
      ['base:other:0', null],
      ['base:other:1', null],
    ]);
  });

  test('behavior: a pool that does not respond leaves the family unread', async () => {
    const { plainVault } = served.world.extras!;
    const nobody = lower(`0x${'de'.repeat(20)}`);
    expect(await read(lower(plainVault), [{ kind: 'erc4626', address: nobody }])).toBeNull();
  });
});
