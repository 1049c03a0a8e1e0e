import { createRequire } from 'node:module';
import { createPublicClient, http, type PublicClient, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedWorld, serveWorld } from '../../test/world.ts';
import type { ChainClient } from '../chain/chainClient.ts';
import { createChainClient } from '../chain/client.ts';
import { createRpcClient, type RpcClient } from '../chain/rpcClient.ts';
import type { Address } from '../domain/hex.ts';
import { lower } from '../domain/hex.ts';
import { KINDS } from './index.ts';
import { type QueueVault, readPendingRedeems } from './pendingRedeems.ts';

const CHAIN = 8453;
const NO_CODE: Address = '0x00000000000000000000000000000000000dead0';
const AGGREGATING: Address = '0x7540000000000000000000000000000000000000';
const NUMBERING: Address = '0x7540000000000000000000000000000000000001';
const SOURCE = `pragma solidity ^0.8.24;
/// Adds up a controller's requests, and does not report what a claim pays.
contract Aggregating {
  function pendingRedeemRequest(uint256 id, address controller) external pure returns (uint256) {
    require(id == 0);
    return uint160(controller) % 1000;
  }
  function claimableRedeemRequest(uint256 id, address controller) external pure returns (uint256) {
    require(id == 0);
    return uint160(controller) % 77;
  }
  function convertToAssets(uint256 shares) external pure returns (uint256) {
    return shares * 2;
  }
}
/// Has no request 0; maxRedeem() shows the claimable shares.
contract Numbering {
  function supportsInterface(bytes4 id) external pure returns (bool) {
    return id == 0x620ee8e4;
  }
  function pendingRedeemRequest(uint256 id, address) external pure returns (uint256) {
    require(id < 100);
    return id * 10;
  }
  function convertToAssets(uint256 shares) external pure returns (uint256) {
    return shares * 2;
  }
  function maxRedeem(address controller) public pure returns (uint256) {
    return uint160(controller) % 77;
  }
  function maxWithdraw(address controller) external pure returns (uint256) {
    return maxRedeem(controller) * 3;
  }
}`;
const ABI = parseAbi([
  'function pendingRedeemRequest(address) view returns (uint256 assets, uint256 pendingShares)',
  'function convertToAssets(uint256) view returns (uint256)',
]);

let served: ServedWorld;
let rpc: RpcClient;
let client: ChainClient;
let reader: PublicClient;
let block: number;
let wallets: Address[];
beforeAll(async () => {
  served = await serveWorld({ seed: 'redeems' });
  const url = served.urlOf(CHAIN);
  rpc = createRpcClient({ url, upstream: 1, timeoutMs: 60_000 });
  client = createChainClient({ rpc, multicall: lower(served.world.multicall) });
  reader = createPublicClient({ transport: http(url) });
  block = served.heads().get(CHAIN)!;
  const { cast } = served.world.chain(CHAIN).scene;
  wallets = [...cast.named, ...cast.crowd].map(({ address }) => lower(address));
});
afterAll(async () => {
  rpc?.close();
  await served?.close();
});

const vaultOf = (slug: string): QueueVault => {
  const { address } = served.world.families.find((family) => family.slug === slug)!;
  return { address: lower(address), kind: KINDS['receiver-queue'] };
};
const read = (wallet: Address, vaults: readonly QueueVault[]) =>
  readPendingRedeems(client, block, wallet, vaults);

describe('readPendingRedeems', () => {
  test('default: the amounts that each vault reports', async () => {
    const vaults = [vaultOf('svcusd'), vaultOf('svcusd-edge')];
    let waiting = 0;
    for (const wallet of wallets) {
      const found = await read(wallet, vaults);
      for (const [i, { address }] of vaults.entries()) {
        const at = { address, abi: ABI, blockNumber: BigInt(block) } as const;
        const functionName = 'pendingRedeemRequest';
        const [assets, shares] = await reader.readContract({ ...at, functionName, args: [wallet] });
        const worth = await reader.readContract({
          ...at,
          functionName: 'convertToAssets',
          args: [shares],
        });
        expect(found[i]).toEqual({
          shares,
          requestedAssets: assets,
          currentAssets: worth,
          claimable: null,
        });
        if (shares > 0n) waiting++;
      }
    }
    expect(waiting).toBeGreaterThan(0);
  });

  test('behavior: a vault that does not respond hides no other', async () => {
    const good = vaultOf('svcusd');
    const noCode: QueueVault = { address: NO_CODE, kind: KINDS['receiver-queue'] };
    const reverting: QueueVault = {
      address: lower(served.world.oracle),
      kind: KINDS['receiver-queue'],
    };
    for (const wallet of wallets) {
      const [alone] = await read(wallet, [good]);
      expect(await read(wallet, [noCode, good, reverting])).toEqual([null, alone, null]);
    }
  });

  test('behavior: an ERC-7540 vault reports pending and claimable amounts', async () => {
    await served.world
      .chain(CHAIN)
      .chain.rpc('hardhat_setCode', [AGGREGATING, code('Aggregating')]);
    for (const wallet of wallets) {
      const shares = BigInt(wallet) % 1000n;
      expect(await read(wallet, [{ address: AGGREGATING, kind: KINDS.erc7540 }])).toEqual([
        {
          shares,
          requestedAssets: shares * 2n,
          currentAssets: shares * 2n,
          claimable: { shares: BigInt(wallet) % 77n, assets: null },
        },
      ]);
    }
  });

  test('behavior: an ERC-7540 vault that numbers its requests reports claimable amounts', async () => {
    await served.world.chain(CHAIN).chain.rpc('hardhat_setCode', [NUMBERING, code('Numbering')]);
    for (const wallet of wallets) {
      const shares = BigInt(wallet) % 77n;
      const [found] = await read(wallet, [{ address: NUMBERING, kind: KINDS.erc7540 }]);
      expect(found).toEqual({
        shares: 0n,
        requestedAssets: 0n,
        currentAssets: 0n,
        claimable: { shares, assets: shares * 3n },
      });
    }
  });

  test('behavior: numbered requests are added up, and the sum is unknown if one does not respond', async () => {
    await served.world.chain(CHAIN).chain.rpc('hardhat_setCode', [NUMBERING, code('Numbering')]);
    const numbering = { address: NUMBERING, kind: KINDS.erc7540 } as const;
    const [found, unknown] = await read(wallets[0]!, [
      { ...numbering, requestIds: [7n, 5n] },
      { ...numbering, requestIds: [5n, 100n] },
    ]);
    expect(found).toMatchObject({ shares: 120n, requestedAssets: 240n, currentAssets: 240n });
    expect(unknown).toBeNull();
  });

  test('behavior: nothing to read', async () => {
    expect(await read(wallets[0]!, [])).toEqual([]);
  });
});

function code(contract: string): string {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const input = {
    language: 'Solidity',
    sources: { 'Vault.sol': { content: SOURCE } },
    settings: { outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  return `0x${output.contracts['Vault.sol'][contract].evm.deployedBytecode.object}`;
}
