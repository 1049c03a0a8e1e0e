import { encodeAbiParameters, keccak256 } from 'viem';
import type { Address, Hex } from '../../src/domain/hex.ts';
import type { Contract, LocalChain } from './chain.ts';
import { npmCompiled } from './contracts.ts';
import { packageCompiled } from './packageCode.ts';
import { account, OWNER } from './plainScenario.ts';

export const FEE_RECIPIENT = account(0xfee5n);
export const BORROWER = account(0xb0ffn);
export const LIQUIDATOR = account(0x119dn);

const ZERO: Address = '0x0000000000000000000000000000000000000000';
const LLTV = 8n * 10n ** 17n;
const WAD = 10n ** 18n;
const ALL = 2n ** 256n - 1n;

export interface Market {
  readonly id: Hex;
  readonly params: {
    readonly loanToken: Address;
    readonly collateralToken: Address;
    readonly oracle: Address;
    readonly irm: Address;
    readonly lltv: bigint;
  };
  readonly collateral: Contract | null;
  readonly oracle: Contract | null;
}

export interface MorphoWorld {
  readonly chain: LocalChain;
  readonly morpho: Contract;
  readonly irm: Contract;
  readonly vault: Contract;
  readonly asset: Contract;
  /** In the order of the supply queue; the idle market is last. */
  readonly markets: readonly [Market, Market, Market];
  readonly startBlock: number;
}

/**
 * Deploys Morpho Blue from its package: two markets with collateral and an idle one, behind a model of MetaMorpho that
 * takes 10% of the interest.
 */
export async function deployMorpho(chain: LocalChain): Promise<MorphoWorld> {
  const token = async (symbol: string, decimals: number) =>
    chain.deploy(OWNER, await npmCompiled('Token'), [symbol, decimals]);
  const asset = await token('USDC', 6);
  const morpho = await chain.deploy(OWNER, await packageCompiled('morpho', 'Morpho'), [OWNER]);
  const irm = await chain.deploy(OWNER, await packageCompiled('morpho', 'IrmMock'));
  const own = (fn: string, ...args: unknown[]) => chain.send(OWNER, morpho, fn, args);
  await own('enableIrm', irm.address);
  await own('enableIrm', ZERO);
  await own('enableLltv', LLTV);
  await own('enableLltv', 0n);
  const markets = [
    await openMarket(await token('WETH', 18), 3_000n * 10n ** 24n),
    await openMarket(await token('WBTC', 8), 90_000n * 10n ** 34n),
    await openMarket(null, 0n),
  ] as const;
  const vault = await chain.deploy(OWNER, await npmCompiled('MetaMorpho'), [
    OWNER,
    morpho.address,
    86_400n,
    asset.address,
    'Morpho USDC',
    'mmUSDC',
  ]);
  const startBlock = chain.tip.number;
  const curate = (fn: string, ...args: unknown[]) => chain.send(OWNER, vault, fn, args);
  await curate('setFeeRecipient', FEE_RECIPIENT);
  await curate('setFee', WAD / 10n);
  const caps = [60_000n * 10n ** 6n, 40_000n * 10n ** 6n, 10n ** 14n];
  for (const [i, { params }] of markets.entries()) await curate('submitCap', params, caps[i]);
  chain.advance(86_401);
  for (const { params } of markets) await curate('acceptCap', params);
  await curate(
    'setSupplyQueue',
    markets.map(({ id }) => id),
  );
  return { chain, morpho, irm, vault, asset, markets, startBlock };

  async function openMarket(collateral: Contract | null, price: bigint): Promise<Market> {
    const oracleCode = await packageCompiled('morpho', 'OracleMock');
    const oracle = collateral && (await chain.deploy(OWNER, oracleCode));
    if (oracle) await chain.send(OWNER, oracle, 'setPrice', [price]);
    const params = {
      loanToken: asset.address,
      collateralToken: collateral?.address ?? ZERO,
      oracle: oracle?.address ?? ZERO,
      irm: collateral ? irm.address : ZERO,
      lltv: collateral ? LLTV : 0n,
    };
    await own('createMarket', params);
    const types = ['address', 'address', 'address', 'address', 'uint256'];
    const id = keccak256(
      encodeAbiParameters(
        types.map((type) => ({ type })),
        Object.values(params),
      ),
    );
    return { id, params, collateral, oracle };
  }
}

/** Supplies collateral and borrows. */
export async function borrow(
  { chain, morpho }: MorphoWorld,
  { params, collateral }: Market,
  pledged: bigint,
  assets: bigint,
): Promise<void> {
  await chain.together([
    { from: BORROWER, to: collateral!, fn: 'mint', args: [BORROWER, pledged] },
    { from: BORROWER, to: collateral!, fn: 'approve', args: [morpho.address, ALL] },
  ]);
  await chain.send(BORROWER, morpho, 'supplyCollateral', [params, pledged, BORROWER, '0x']);
  await chain.send(BORROWER, morpho, 'borrow', [params, assets, 0n, BORROWER, BORROWER]);
}

/** Returns the value of the vault's supply to a market at a block, including interest until then. */
export async function expectedSupply(
  { chain, morpho, irm, vault }: MorphoWorld,
  { id, params }: Market,
  block: number,
): Promise<{ value: bigint; liquidity: bigint }> {
  const read = chain.read<readonly bigint[]>;
  const [supply, supplyShares, borrowed, , lastUpdate] = await read(morpho, 'market', [id], block);
  const [shares] = await read(morpho, 'position', [id, vault.address], block);
  let interest = 0n;
  if (params.irm !== ZERO && borrowed! > 0n) {
    const state = await chain.read<readonly bigint[]>(morpho, 'market', [id], block);
    const names = [
      'totalSupplyAssets',
      'totalSupplyShares',
      'totalBorrowAssets',
      'totalBorrowShares',
      'lastUpdate',
      'fee',
    ];
    const market = Object.fromEntries(names.map((name, i) => [name, state[i]]));
    const rate = await chain.read(irm, 'borrowRateView', [params, market], block);
    const first = rate * (BigInt(chain.timeOf(block)) - lastUpdate!);
    const second = (first * first) / (2n * WAD);
    const third = (second * first) / (3n * WAD);
    interest = (borrowed! * (first + second + third)) / WAD;
  }
  const value = (shares! * (supply! + interest + 1n)) / (supplyShares! + 1_000_000n);
  const free = supply! - borrowed!;
  return { value, liquidity: free < value ? free : value };
}
