import { encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeAnyEngine } from '../../test/database.ts';
import { liveAt, startIndexing } from '../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../test/world.ts';
import { verifyStore } from '../commands/verify.ts';
import type { AdapterName, Config, FamilyConfig } from '../config/config.ts';
import { type Address, lower } from '../domain/hex.ts';

const CHAIN = 8453;
const ABI = parseAbi([
  'function approve(address, uint256)',
  'function transfer(address, uint256)',
  'function deposit(uint256, address)',
  'function redeem(uint256, address, address)',
  'function requestDeposit(uint256, address, address)',
  'function requestRedeem(uint256, address, address)',
  'function fulfilDeposit(uint256)',
  'function lastRequestId() view returns (uint256)',
]);

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: 'standard vaults', chainIds: [CHAIN], families: ['svcusd'] });
  await play();
});
afterAll(() => served?.close());

/** Deposits, transfers, and redemptions, each in a separate block. */
async function play(): Promise<void> {
  const { world } = served;
  const { chain } = world.chain(CHAIN);
  const { plainVault, nestedVault, asyncVault } = world.extras!;
  const [alice, bob] = [world.wallets[0]!.address, world.wallets[1]!.address];
  type Name = (typeof ABI)[number]['name'];
  const encode = (functionName: Name, args: readonly unknown[]) =>
    encodeFunctionData({ abi: ABI, functionName, args } as Parameters<
      typeof encodeFunctionData
    >[0]);
  const act = async (from: Address, to: Address, name: Name, ...args: unknown[]) => {
    await chain.send({ from, to, data: encode(name, args) });
    await chain.mine(chain.tip.time + 600);
  };
  await act(alice, world.stablecoin, 'approve', plainVault, 10n ** 30n);
  await act(alice, plainVault, 'deposit', 400_000_000n, alice);
  await act(alice, plainVault, 'transfer', bob, 100n * 10n ** 12n);
  await act(bob, plainVault, 'redeem', 40n * 10n ** 12n, alice, bob);
  await act(alice, plainVault, 'approve', nestedVault, 10n ** 30n);
  await act(alice, nestedVault, 'deposit', 50n * 10n ** 12n, alice);
  await act(alice, world.stablecoin, 'approve', asyncVault, 10n ** 30n);
  await act(alice, asyncVault, 'requestDeposit', 300_000_000n, alice, alice);
  const id = BigInt(await chain.call(asyncVault, encode('lastRequestId', [])));
  await act(world.operator.address, asyncVault, 'fulfilDeposit', id);
  await act(alice, asyncVault, 'deposit', 300_000_000n, alice);
  await act(alice, asyncVault, 'requestRedeem', 50_000_000n, bob, alice);
  // Past the next ticks, plus one block, because the newest second is never known to be complete.
  for (let i = 0; i < 8; i++) await chain.mine(chain.tip.time + 600);
}

function config(): Config {
  const { plainVault, nestedVault, asyncVault } = served.world.extras!;
  const plain = served.config();
  return {
    ...plain,
    prices: { ...plain.prices, feeds: [] },
    families: [
      family('plain', plainVault, 'erc4626'),
      family('nested', nestedVault, 'erc4626'),
      family('async', asyncVault, 'erc7540'),
    ],
  };
}

function family(slug: string, address: string, adapter: AdapterName): FamilyConfig {
  return {
    slug,
    name: slug,
    address: lower(address),
    adapter,
    feederOf: null,
    bindingDeclarationAddress: lower(address),
    baseAsset: { marketDataId: slug },
    shareAsset: { marketDataId: slug },
    priceFeed: null,
    chains: [
      {
        chainId: CHAIN,
        role: 'settlement',
        address: lower(address),
        vaults: [],
        startBlock: 1,
        routers: [],
        custody: [],
      },
    ],
    pools: [],
  };
}

describeAnyEngine('verify of ERC-4626 and ERC-7540 vaults', (open) => {
  test('default', async () => {
    const store = await open();
    const indexing = startIndexing(store, config());
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
    const lines: string[] = [];
    const args = { family: null, wallets: 20, seed: 'test' };
    const print = (line: string) => lines.push(line);
    const code = await verifyStore.runOn({ config: config(), store }, args, print);
    expect({ code, lines: lines.filter((line) => !line.endsWith('no difference')) }).toEqual({
      code: 0,
      lines: [expect.stringMatching(/ of 3 families compared: 0 different, 0 not checked /)],
    });
  });
});
