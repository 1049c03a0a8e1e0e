import type { Address, Hex } from 'viem';
import { type Block, readValue, sameAddress } from './oracleChain.ts';
import { type FamilyOnChain, placeOf } from './oracleWallets.ts';

export interface State {
  readonly idle: bigint;
  readonly invested: bigint;
  readonly pendingExits: bigint;
  readonly pendingRedemptionAssets: bigint;
  readonly shareSupply: bigint;
  readonly sharePrice: bigint | null;
  readonly rewardPerYear: bigint;
  readonly pools: readonly PoolFigures[];
}

interface PoolFigures {
  readonly poolId: Hex;
  readonly value: bigint;
  readonly pendingExit: bigint;
  readonly availableLiquidity: bigint;
  readonly sharePrice: bigint;
  readonly statedRate: bigint | null;
  readonly rewardPerYear: bigint;
}

const EXIT_QUEUE = 2;
const REWARDS = 3;
const REMOVED = 0;
const YEAR = 365n * 86_400n;
const states = new Map<string, State>();

/** Declarations of a family's pools on one chain; a feeder mirrors its master's and has none. */
export function declaredPools({ events, chain, family, isFeeder }: FamilyOnChain) {
  if (isFeeder) return [];
  return events.flatMap((event) => {
    if (event.eventName !== 'PoolDeclared' || !sameAddress(event.address, chain.registry))
      return [];
    const { vault, id: poolId, chainId, epoch, ...rest } = event.args;
    if (!sameAddress(vault, family.bindingDeclarationAddress)) return [];
    if (Number(chainId) !== chain.chainId) return [];
    return [{ ...placeOf(event), poolId, ...rest, epoch: Number(epoch) }];
  });
}

/** A family's state on a chain at a block, by one plain call after the other. */
export async function stateAt(part: FamilyOnChain, block: Block): Promise<State> {
  const key = `${block.hash} ${part.family.address}`;
  const held = states.get(key) ?? (await readState(part, block));
  states.set(key, held);
  return held;
}

async function readState(part: FamilyOnChain, block: Block): Promise<State> {
  const vault = part.family.address;
  const ask = askAt(part, block);
  const asset = await ask<Address>(vault, 'asset() view returns (address)');
  const [price] = await ask<[bigint, bigint]>(
    part.chain.oracle!,
    'getLatestPrice(address) view returns (uint256, uint64)',
    part.priced,
  );
  const own = {
    idle: await ask<bigint>(asset, 'balanceOf(address) view returns (uint256)', vault),
    pendingRedemptionAssets: await ask<bigint>(
      vault,
      'totalPendingAssets() view returns (uint256)',
    ),
    shareSupply: await ask<bigint>(vault, 'totalSupply() view returns (uint256)'),
    sharePrice: price === 0n ? null : price,
  };
  if (part.isFeeder) return { ...own, ...(await readStake(part, block, price)) };
  const pools: PoolFigures[] = [];
  for (const pool of poolsAt(part, block)) pools.push(await readPool(part, block, pool));
  const sum = (pick: (pool: PoolFigures) => bigint) => pools.reduce((t, p) => t + pick(p), 0n);
  return {
    ...own,
    invested: sum((pool) => pool.value),
    pendingExits: sum((pool) => pool.pendingExit),
    rewardPerYear: sum((pool) => pool.rewardPerYear),
    pools,
  };
}

async function readStake(part: FamilyOnChain, block: Block, price: bigint) {
  const ask = askAt(part, block);
  const vault = part.family.address;
  const master = part.priced as Address;
  const shares = await ask<bigint>(master, 'balanceOf(address) view returns (uint256)', vault);
  const decimals = await ask<number>(master, 'decimals() view returns (uint8)');
  const [pendingExits] = await ask<[bigint, bigint]>(
    master,
    'pendingRedeemRequest(address) view returns (uint256, uint256)',
    vault,
  );
  const invested = (shares * price) / 10n ** BigInt(decimals);
  return { invested, pendingExits, rewardPerYear: 0n, pools: [] };
}

type Pool = ReturnType<typeof declaredPools>[number];

/** The newest epoch of each pool declared up to a block, without those removed. */
function poolsAt(part: FamilyOnChain, block: Block): Pool[] {
  const inForce = new Map<Hex, Pool>();
  const declared = declaredPools(part).filter((pool) => pool.blockNumber <= block.number);
  for (const pool of declared.sort((a, b) => a.epoch - b.epoch)) inForce.set(pool.poolId, pool);
  return [...inForce.values()].filter((pool) => pool.status !== REMOVED);
}

async function readPool(part: FamilyOnChain, block: Block, pool: Pool): Promise<PoolFigures> {
  const { venue, venueKind, poolId } = pool;
  const vault = part.family.address;
  const ask = askAt(part, block);
  const held = await ask<bigint>(venue, 'balanceOf(address) view returns (uint256)', vault);
  const worth = (shares: bigint) =>
    ask<bigint>(venue, 'convertToAssets(uint256) view returns (uint256)', shares);
  const rate = await readValue(
    part.view.client,
    block,
    venue,
    'statedRate() view returns (uint256)',
  );
  let pendingExit = 0n;
  if (venueKind === EXIT_QUEUE) {
    pendingExit = await ask(venue, 'pendingExitAssets(address) view returns (uint256)', vault);
  }
  let rewardPerYear = 0n;
  if (venueKind === REWARDS && held > 0n) {
    const perSecond = await ask<bigint>(venue, 'rewardRate() view returns (uint256)');
    const supply = await ask<bigint>(venue, 'totalSupply() view returns (uint256)');
    rewardPerYear = (perSecond * YEAR * held) / supply;
  }
  return {
    poolId,
    value: await worth(held),
    pendingExit,
    availableLiquidity: await ask(venue, 'maxWithdraw(address) view returns (uint256)', vault),
    sharePrice: await worth(10n ** 18n),
    statedRate: (rate as bigint | undefined) ?? null,
    rewardPerYear,
  };
}

function askAt(part: FamilyOnChain, block: Block) {
  return async <T>(to: Address, signature: string, ...args: readonly unknown[]): Promise<T> => {
    const value = await readValue(part.view.client, block, to, signature, args);
    if (value === undefined) throw new Error(`${signature} of ${to} fails at ${block.number}`);
    return value as T;
  };
}
