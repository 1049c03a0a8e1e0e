import { wordAt } from '../../chain/abi.ts';
import { mulDivDown, unit } from '../../domain/amount.ts';
import type { Address } from '../../domain/hex.ts';
import type { PoolDeclaration } from '../../domain/vault/event.ts';
import type { CallResult, Detail, LastBalances, StateRead, VaultOnChain } from '../kind.ts';
import { readPools } from '../pools.ts';
import {
  balanceOf,
  getLatestPrice,
  pendingRedeemRequest,
  totalPendingAssets,
  totalSupply,
} from './abi.ts';

const OWN = 4;

export function read(
  vault: VaultOnChain,
  pools: readonly PoolDeclaration[],
  detail: Detail,
  lastBalances: LastBalances,
): StateRead {
  const { family, chain, master } = vault;
  const own = [
    { to: vault.asset, data: balanceOf(family.address) },
    { to: family.address, data: totalPendingAssets() },
    { to: family.address, data: totalSupply() },
    { to: chain.oracle!, data: getLatestPrice((master ?? family).address) },
  ];
  if (master !== null) return readFeeder(vault, own, master.address);
  const poolsRead = readPools(pools, family.address, detail, lastBalances);
  return {
    first: [...own, ...poolsRead.first],
    second: (first) => poolsRead.second(first.slice(OWN)),
    state(first, second) {
      const common = readOwn(first);
      const states = poolsRead.states(first.slice(OWN), second);
      if (common === null || states === null) return null;
      return {
        ...common,
        invested: states.reduce((sum, pool) => sum + pool.value, 0n),
        pendingExits: states.reduce((sum, pool) => sum + pool.pendingExit, 0n),
        pools: states,
      };
    },
  };
}

/** A feeder's investment is its stake in the master: shares it holds there, and those it has queued. */
function readFeeder(vault: VaultOnChain, own: StateRead['first'], master: Address): StateRead {
  const holder = vault.family.address;
  return {
    first: [
      ...own,
      { to: master, data: balanceOf(holder) },
      { to: master, data: pendingRedeemRequest(holder) },
    ],
    second: () => [],
    state(first) {
      const common = readOwn(first);
      const stake = first[OWN];
      const queued = first[OWN + 1];
      if (common === null || !stake || !queued) return null;
      const shares = wordAt(stake, 0);
      if (shares > 0n && common.sharePrice === null) return null;
      const price = common.sharePrice ?? 0n;
      return {
        ...common,
        invested: mulDivDown(shares, price, unit(vault.shareDecimals)),
        pendingExits: wordAt(queued, 0),
        pools: [],
      };
    },
  };
}

function readOwn(first: readonly CallResult[]) {
  const [idle, pending, supply, price] = first;
  if (!idle || !pending || !supply) return null;
  // Without a price yet the oracle reverts or answers zero: none published, not worthless.
  const published = price ? wordAt(price, 0) : 0n;
  return {
    idle: wordAt(idle, 0),
    pendingRedemptionAssets: wordAt(pending, 0),
    shareSupply: wordAt(supply, 0),
    sharePrice: published === 0n ? null : published,
  };
}
