import { parseAbi } from 'viem';
import type { Address } from '../../src/domain/hex.ts';
import type { Family, Place } from './scenario.ts';

/** Reads a vault's state at a block by calls alone, without events and without the server's code. */

const ABI = parseAbi([
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function totalAssets() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function convertToAssets(uint256) view returns (uint256)',
  'function convertToShares(uint256) view returns (uint256)',
  'function asset() view returns (uint160)',
  'function totalPendingAssets() view returns (uint256)',
  'function maxMint(address) view returns (uint256)',
  'function maxWithdraw(address) view returns (uint256)',
  'function claimableRedeemRequest(uint256, address) view returns (uint256)',
  'function claimableDepositRequest(uint256, address) view returns (uint256)',
  'function pendingDepositRequest(uint256, address) view returns (uint256)',
  'function claimableCancelRedeemRequest(uint256, address) view returns (uint256)',
]);
/** The same function name with another signature in another kind of vault. */
const BY_RECEIVER = parseAbi([
  'function pendingRedeemRequest(address) view returns (uint256 assets, uint256 shares)',
]);
const BY_CONTROLLER = parseAbi([
  'function pendingRedeemRequest(uint256, address) view returns (uint256)',
]);

export interface Ratio {
  readonly assets: bigint;
  readonly shares: bigint;
}

export interface Queue {
  readonly vault: Address;
  readonly shares: bigint;
  /** The assets that the request reserved; null if the vault fixes no amount. */
  readonly requestedAssets: bigint | null;
  readonly claimableShares: bigint;
  readonly claimableAssets: bigint;
  /** Shares of a cancelled redemption that can be fetched. */
  readonly returnedShares: bigint;
  readonly depositShares: bigint;
  readonly pendingDeposit: bigint;
  readonly claimableDeposit: bigint;
  /** Owed for burned shares. */
  readonly pendingAssets: bigint;
}

const NONE = {
  pendingAssets: 0n,
  requestedAssets: null,
  claimableShares: 0n,
  claimableAssets: 0n,
  returnedShares: 0n,
  depositShares: 0n,
  pendingDeposit: 0n,
  claimableDeposit: 0n,
};

export function ask(
  { chain }: Place,
  address: Address,
  fn: string,
  args: readonly unknown[],
  block: number,
): Promise<bigint> {
  return chain.read({ address, abi: ABI }, fn, args, block);
}

/** Null if the contract reverts or lacks the function. */
async function tryAsk(...given: Parameters<typeof ask>): Promise<bigint | null> {
  return ask(...given).catch(() => null);
}

export async function decimalsOf(place: Place, token: Address, block: number): Promise<number> {
  if (place.rated && token === place.asset) return place.rated.assetDecimals;
  return Number(await ask(place, token, 'decimals', [], block));
}

export function balanceOf(place: Place, token: Address, holder: Address, block: number) {
  if (place.rated && token === place.share) return place.rated.balance(holder, block);
  return ask(place, token, 'balanceOf', [holder], block);
}

export async function totalAssets(place: Place, block: number): Promise<bigint> {
  if (place.rated) return (await convertToAssets(place, await totalSupply(place, block), block))!;
  return ask(place, place.vaults[0]!, 'totalAssets', [], block);
}

export function totalSupply(place: Place, block: number): Promise<bigint> {
  if (place.rated) return place.rated.supply(block);
  return ask(place, place.share, 'totalSupply', [], block);
}

export async function convertToAssets(
  place: Place,
  shares: bigint,
  block: number,
): Promise<bigint | null> {
  if (place.rated) {
    const ratio = await place.rated.ratio(block);
    return ratio && (shares * ratio.assets) / ratio.shares;
  }
  return tryAsk(place, place.vaults[0]!, 'convertToAssets', [shares], block);
}

/**
 * Returns the price with all its digits: that of 10^33 shares, or of the largest power of ten that the vault accepts.
 */
export async function ratioAt(place: Place, block: number): Promise<Ratio | null> {
  if (place.rated) return place.rated.ratio(block);
  for (let digits = 33n; digits >= 0n; digits--) {
    const shares = 10n ** digits;
    const assets = await convertToAssets(place, shares, block);
    if (assets !== null) return { assets, shares };
  }
  return null;
}

/** Returns a wallet's queue at each vault. */
export async function queuesOf(
  { kind }: Family,
  place: Place,
  wallet: Address,
  block: number,
): Promise<Queue[]> {
  if (place.rated) {
    const queue = await place.rated.queue?.(wallet, block);
    return [{ vault: place.vaults[0]!, shares: 0n, ...NONE, ...queue }];
  }
  if (kind === 'erc4626') {
    const shares = (await place.queued?.(wallet, block)) ?? 0n;
    const outside = await place.outside?.(wallet, block);
    return [{ vault: place.vaults[0]!, shares, ...NONE, ...outside }];
  }
  return Promise.all(
    place.vaults.map(async (vault) => {
      if (kind === 'receiver-queue') {
        const at = { address: vault, abi: BY_RECEIVER };
        const answer = await place.chain.read<readonly [bigint, bigint]>(
          at,
          'pendingRedeemRequest',
          [wallet],
          block,
        );
        return { vault, ...NONE, shares: answer[1], requestedAssets: answer[0] };
      }
      const numbered = [0n, wallet];
      const claimableShares = await ask(place, vault, 'claimableRedeemRequest', numbered, block);
      const spoken = (await place.spokenAt?.(block)) ?? block;
      const about = (fn: string, args: readonly unknown[]) => ask(place, vault, fn, args, spoken);
      return {
        vault,
        shares: await place.chain.read<bigint>(
          { address: vault, abi: BY_CONTROLLER },
          'pendingRedeemRequest',
          numbered,
          block,
        ),
        pendingAssets: 0n,
        requestedAssets: (await place.promised?.(wallet, block)) ?? null,
        claimableShares,
        // With nothing to claim, `maxWithdraw` can be what an immediate exit would pay.
        claimableAssets: claimableShares === 0n ? 0n : await about('maxWithdraw', [wallet]),
        returnedShares:
          (await tryAsk(place, vault, 'claimableCancelRedeemRequest', numbered, block)) ?? 0n,
        ...(place.depositsAtOnce
          ? { depositShares: 0n, pendingDeposit: 0n, claimableDeposit: 0n }
          : {
              depositShares: await about('maxMint', [wallet]),
              pendingDeposit: await about('pendingDepositRequest', numbered),
              claimableDeposit: await about('claimableDepositRequest', numbered),
            }),
      };
    }),
  );
}

/** Returns a wallet's shares pending redemption in all vaults, and its returned shares of cancelled requests. */
export async function waitingAt(
  family: Family,
  place: Place,
  wallet: Address,
  block: number,
): Promise<{ shares: bigint; returned: bigint }> {
  if (family.kind === 'rated') {
    const [queue] = await queuesOf(family, place, wallet, block);
    return { shares: queue!.shares, returned: 0n };
  }
  if (family.kind !== 'erc7540') {
    const queues = await queuesOf(family, place, wallet, block);
    // In plain vaults, processed shares are pending until they are withdrawn.
    const shares = queues.reduce((sum, one) => sum + one.shares + one.claimableShares, 0n);
    return { shares, returned: 0n };
  }
  let [shares, returned] = [0n, 0n];
  for (const vault of place.vaults) {
    const numbered = [0n, wallet];
    const at = { address: vault, abi: BY_CONTROLLER };
    shares += await place.chain.read<bigint>(at, 'pendingRedeemRequest', numbered, block);
    returned += (await tryAsk(place, vault, 'claimableCancelRedeemRequest', numbered, block)) ?? 0n;
  }
  return { shares, returned };
}

/** Returns balanceOf plus everything pending for the wallet, as the vault reports it. */
export async function positionOf(
  family: Family,
  place: Place,
  wallet: Address,
  block: number,
): Promise<bigint> {
  const queues = await queuesOf(family, place, wallet, block);
  return queues.reduce(
    (sum, queue) =>
      sum + queue.shares + queue.claimableShares + queue.returnedShares + queue.depositShares,
    await balanceOf(place, place.share, wallet, block),
  );
}

/** Returns the assets owed to pending redemptions, without claimable ones. */
export async function pendingAssetsAt(
  family: Family,
  place: Place,
  wallets: readonly Address[],
  block: number,
): Promise<bigint> {
  if (family.kind === 'receiver-queue') {
    return ask(place, place.vaults[0]!, 'totalPendingAssets', [], block);
  }
  let shares = 0n;
  for (const wallet of wallets) {
    for (const queue of await queuesOf(family, place, wallet, block)) {
      shares += queue.shares;
      // In plain vaults, everything in custody is still owed.
      if (family.kind === 'erc4626') shares += queue.claimableShares;
    }
  }
  const cooling =
    place.silo === undefined ? 0n : await balanceOf(place, place.asset, place.silo, block);
  const worth = shares === 0n ? 0n : ((await convertToAssets(place, shares, block)) ?? 0n);
  return cooling + worth + ((await place.owed?.(block)) ?? 0n);
}

/** Returns what the vault holds without the assets reserved for claims. `slack`: each claim rounds by one unit. */
export async function idleAt(
  family: Family,
  place: Place,
  wallets: readonly Address[],
  block: number,
): Promise<{ idle: bigint; slack: bigint }> {
  if (place.rated) return { idle: 0n, slack: 0n };
  const [vault] = place.vaults;
  const held = await balanceOf(place, place.asset, vault!, block);
  const tvl = await totalAssets(place, block);
  let aside = 0n;
  let claims = 0n;
  if (family.kind === 'erc7540') {
    for (const wallet of wallets) {
      const [queue] = await queuesOf(family, place, wallet, block);
      aside += queue!.claimableAssets;
      if (queue!.claimableAssets > 0n) claims += 1n;
    }
  }
  const free = held > aside ? held - aside : 0n;
  return { idle: free < tvl ? free : tvl, slack: claims };
}
