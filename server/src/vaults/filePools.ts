import { fn } from '../chain/abi.ts';
import { keccakOfText } from '../chain/keccak.ts';
import type { PoolPosition, PoolText } from '../config/config.ts';
import type { Hex } from '../domain/hex.ts';
import { POOL_STATUS, VENUE } from '../domain/vault/event.ts';
import { type FoundPool, POOL_SHARES, type PoolState } from '../domain/vault/state.ts';
import { numberIn } from './callResult.ts';
import type { Rounds, VaultOnChain } from './kind.ts';

const balanceOf = fn('balanceOf(address)');
const convertToAssets = fn('convertToAssets(uint256)');
const maxWithdraw = fn('maxWithdraw(address)');

interface FilePools {
  readonly pools: readonly PoolState[];
  readonly found: readonly FoundPool[];
}

/** Positions that only the file names: shares of another vault, or a balance of the base asset. */
export function* readFilePools(vault: VaultOnChain): Rounds<FilePools | null> {
  const own = vault.family.pools.filter(
    (pool): pool is PoolText & { position: PoolPosition } =>
      pool.position?.chainId === vault.chain.chainId,
  );
  if (own.length === 0) return { pools: [], found: [] };
  const holderOf = ({ holder }: PoolPosition) => holder ?? vault.chain.address;
  const balances = (yield own.map(({ position }) => ({
    to: position.address,
    data: balanceOf(holderOf(position)),
  }))).map((answer) => numberIn(answer));
  const details = yield own.flatMap(({ position: { address: to, kind, ...position } }, i) =>
    kind === 'token'
      ? []
      : [
          { to, data: convertToAssets(balances[i] ?? 0n) },
          { to, data: convertToAssets(POOL_SHARES) },
          { to, data: maxWithdraw(holderOf({ address: to, kind, ...position })) },
        ],
  );
  const pools: PoolState[] = [];
  const rest = [...details];
  for (const [i, { offchainId, position }] of own.entries()) {
    const balance = balances[i] ?? null;
    const isToken = position.kind === 'token';
    const [worth, price, liquidity] = isToken
      ? [balance, POOL_SHARES, balance]
      : rest.splice(0, 3).map((answer) => numberIn(answer));
    if (balance === null || worth == null || price == null) return null;
    pools.push({
      poolId: poolIdOf(offchainId),
      value: worth,
      pendingExit: 0n,
      availableLiquidity: liquidity ?? null,
      sharePrice: price,
      statedRate: null,
      rewardPerYear: 0n,
    });
  }
  return { pools, found: own.map(describe) };
}

function describe({
  offchainId,
  name,
  protocolName,
  composition,
  position,
}: PoolText & { position: PoolPosition }): FoundPool {
  return {
    poolId: poolIdOf(offchainId),
    offchainId,
    venue: position.address,
    venueKind: VENUE.plain,
    idleOnly: false,
    status: POOL_STATUS.active,
    riskScore: 0,
    epoch: 0,
    name,
    protocolName,
    composition: composition.length === 0 ? null : composition,
  };
}

/** A pool of the file has no ID on chain, so its name is used. */
function poolIdOf(offchainId: string): Hex {
  return keccakOfText(offchainId);
}
