import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedWorld, serveWorld } from '../../test/world.ts';
import { readBaseAssets } from '../chain/baseAssets.ts';
import type { ChainClient } from '../chain/chainClient.ts';
import { createChainClient } from '../chain/client.ts';
import { createRpcClient, type RpcClient } from '../chain/rpcClient.ts';
import type { Address } from '../domain/hex.ts';
import { lower } from '../domain/hex.ts';
import { KINDS } from './index.ts';
import { readPendingDeposits } from './pendingDeposits.ts';
import { readPendingRedeems } from './pendingRedeems.ts';

const CHAIN = 8453;
const WALLET: Address = '0x00000000000000000000000000000000000a11ce';
const NO_CODE: Address = '0x00000000000000000000000000000000000dead0';
const SOURCE = `pragma solidity ^0.8.24;
/// Adds up a controller's requests, returns cancelled assets, and also mints at once.
contract Aggregating {
  function supportsInterface(bytes4 id) external pure returns (bool) {
    return id == 0xce3bbe50;
  }
  function pendingDepositRequest(uint256 id, address controller) external pure returns (uint256) {
    require(id == 0);
    return uint160(controller) % 1000;
  }
  function claimableDepositRequest(uint256 id, address) external pure virtual returns (uint256) {
    require(id == 0);
    return 70;
  }
  function claimableCancelDepositRequest(uint256 id, address) external pure returns (uint256) {
    require(id == 0);
    return 9;
  }
  function maxMint(address) external pure returns (uint256) {
    return 69;
  }
}
/// The remainder of partial claims.
contract Crumbs {
  function pendingDepositRequest(uint256, address) external pure returns (uint256) {
    return 0;
  }
  function claimableDepositRequest(uint256, address) external pure returns (uint256) {
    return 0;
  }
  function maxMint(address) external pure returns (uint256) {
    return 999;
  }
  function convertToAssets(uint256 shares) external pure returns (uint256) {
    return shares / 1000;
  }
}
/// Pays out nothing for now.
contract Paused {
  function pendingDepositRequest(uint256, address) external pure returns (uint256) {
    return 0;
  }
  function claimableDepositRequest(uint256, address) external pure returns (uint256) {
    return 70;
  }
  function maxMint(address) external pure returns (uint256) {
    return 0;
  }
}
/// Nothing is claimable, but every account may mint some at once.
contract Synchronous {
  function pendingDepositRequest(uint256, address) external pure returns (uint256) {
    return 5;
  }
  function claimableDepositRequest(uint256, address) external pure returns (uint256) {
    return 0;
  }
  function maxMint(address) external pure returns (uint256) {
    return 5000;
  }
  function convertToAssets(uint256 shares) external pure returns (uint256) {
    return shares / 1000;
  }
}
/// Id 0 stands for the last request, whose number is 7. Does not report what can be minted.
contract Numbering {
  function pendingDepositRequest(uint256 id, address) external pure returns (uint256) {
    require(id < 100);
    return id == 0 ? 70 : id * 10;
  }
  function claimableDepositRequest(uint256 id, address) external pure returns (uint256) {
    return id == 5 ? 3 : 0;
  }
}
/// This contract queues only redemptions, the next one only deposits.
contract OnlyRedemptions {
  function supportsInterface(bytes4 id) external pure returns (bool) {
    return id == 0x620ee8e4;
  }
  function maxMint(address) external pure returns (uint256) {
    return type(uint256).max;
  }
}
contract OnlyDeposits {
  function supportsInterface(bytes4 id) external pure returns (bool) {
    return id == 0xce3bbe50;
  }
}
contract OldToken {
  bytes32 public constant symbol = "OLD";
  uint8 public constant decimals = 2;
}
contract OldVault {
  function asset() external pure returns (address) {
    return address(uint160(0x7540000000000000000000000000000000000005));
  }
}`;
const NAMES = [
  'Aggregating',
  'Synchronous',
  'Numbering',
  'OnlyRedemptions',
  'OnlyDeposits',
  'OldToken',
  'OldVault',
  'Crumbs',
  'Paused',
] as const;

function at(name: (typeof NAMES)[number]): Address {
  return `0x754000000000000000000000000000000000000${NAMES.indexOf(name)}`;
}

let served: ServedWorld;
let rpc: RpcClient;
let client: ChainClient;
let block: number;
beforeAll(async () => {
  served = await serveWorld({ seed: 'deposits', chainIds: [CHAIN], families: ['svcusd'] });
  rpc = createRpcClient({ url: served.urlOf(CHAIN), upstream: 1, timeoutMs: 60_000 });
  client = createChainClient({ rpc, multicall: lower(served.world.multicall) });
  block = served.heads().get(CHAIN)!;
  const code = compile();
  for (const name of NAMES) {
    await served.world.chain(CHAIN).chain.rpc('hardhat_setCode', [at(name), code[name]]);
  }
});
afterAll(async () => {
  rpc?.close();
  await served?.close();
});

function read(...vaults: readonly { address: Address; requestIds?: readonly bigint[] }[]) {
  const kind = KINDS.erc7540;
  const asked = vaults.map((vault) => ({ ...vault, kind }));
  return readPendingDeposits(client, block, WALLET, asked);
}

describe('readPendingDeposits', () => {
  test('default', async () => {
    expect(await read({ address: at('Aggregating') })).toEqual([
      {
        assets: BigInt(WALLET) % 1000n,
        claimableAssets: 70n,
        claimableShares: 69n,
        returnableAssets: 9n,
      },
    ]);
    expect(await read()).toEqual([]);
  });

  test('behavior: shares that can be minted at once are not claimable', async () => {
    expect(await read({ address: at('Synchronous') })).toEqual([
      { assets: 5n, claimableAssets: 0n, claimableShares: 0n, returnableAssets: null },
    ]);
  });

  test('behavior: shares worth less than a unit remain after partial claims', async () => {
    const nothing = { assets: 0n, returnableAssets: null };
    expect(await read({ address: at('Crumbs') }, { address: at('Paused') })).toEqual([
      { ...nothing, claimableAssets: 0n, claimableShares: 999n },
      // A paused vault does not report what it owes.
      { ...nothing, claimableAssets: 70n, claimableShares: null },
    ]);
  });

  test('behavior: numbered requests are added up, and the sum is unknown if one does not respond', async () => {
    const address = at('Numbering');
    expect(
      await read({ address, requestIds: [7n, 5n] }, { address, requestIds: [5n, 100n] }),
    ).toEqual([
      { assets: 120n, claimableAssets: 3n, claimableShares: null, returnableAssets: null },
      null,
    ]);
  });

  test('behavior: a vault that does not respond hides no other', async () => {
    const good = { address: at('Aggregating') };
    const [alone] = await read(good);
    // Without ERC-165, the reason for the failure is unknown.
    const reverting = { address: lower(served.world.oracle) };
    expect(await read({ address: NO_CODE }, good, reverting)).toEqual([null, alone, null]);
  });

  test('behavior: a vault that queues only the other direction has no pending deposits', async () => {
    const [deposits, unknown] = await read(
      { address: at('OnlyRedemptions') },
      { address: at('OnlyDeposits') },
    );
    expect(deposits).toMatchObject({ assets: 0n, claimableAssets: 0n, claimableShares: 0n });
    expect(unknown).toBeNull();
    const redeems = await readPendingRedeems(client, block, WALLET, [
      { address: at('OnlyDeposits'), kind: KINDS.erc7540 },
      { address: at('OnlyRedemptions'), kind: KINDS.erc7540 },
    ]);
    expect(redeems).toEqual([
      { shares: 0n, requestedAssets: 0n, currentAssets: 0n, claimable: null },
      null,
    ]);
  });
});

describe('readBaseAssets', () => {
  test('default', async () => {
    const [family] = served.world.families;
    expect(
      await readBaseAssets(client, block, [lower(family!.address), NO_CODE, at('OldVault')]),
    ).toEqual([
      { asset: lower(family!.chains[0]!.asset), assetDecimals: 6, assetSymbol: 'USDC' },
      null,
      { asset: at('OldToken'), assetDecimals: 2, assetSymbol: 'OLD' },
    ]);
    expect(await readBaseAssets(client, block, [])).toEqual([]);
  });
});

function compile(): Record<string, string> {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const input = {
    language: 'Solidity',
    sources: { 'Vault.sol': { content: SOURCE } },
    settings: { outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const found = output.contracts['Vault.sol'] as Record<
    string,
    { evm: { deployedBytecode: { object: string } } }
  >;
  return Object.fromEntries(
    NAMES.map((name) => [name, `0x${found[name]!.evm.deployedBytecode.object}`]),
  );
}
