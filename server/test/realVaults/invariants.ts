import { decodeEventLog, parseAbi, toEventSelector } from 'viem';
import { type Address, type Hex, lower, ZERO_ADDRESS } from '../../src/domain/hex.ts';
import { readHistory } from './compareHistory.ts';
import type { Snapshot } from './compareSnapshot.ts';
import { performanceOf } from './compareWallets.ts';
import { transfersOf, walletsOf } from './holders.ts';
import type { Family, Place } from './scenario.ts';
import type { Served } from './serve.ts';
import * as words from './words.ts';

/**
 * Checks what must hold for any vault at the head, by calls and the share token's transfers alone. Each check returns
 * its differences as text. TVL, prices, history, and each wallet's shares are compared elsewhere.
 */
export async function checkInvariants(served: Served, family: Family): Promise<string[]> {
  const found: string[] = [];
  for (const place of family.places) {
    found.push(
      ...(await supplyOfTransfers(place)),
      ...(await custodyIsSpoken(family, place)),
      ...(await conversionFits(place)),
      ...(await depositsReach(served, family, place)),
      ...(await exitsIntoCustody(served, family, place)),
    );
  }
  found.push(...(await positionsAddUp(served, family)), ...(await idleIsFree(served, family)));
  return found.map((text) => `invariant ${text}`);
}

/** 1 and 11: the balances from transfers add up to the supply at every block. */
async function supplyOfTransfers(place: Place): Promise<string[]> {
  const transfers = await transfersOf(place);
  let supply = 0n;
  let next = 0;
  for (let block = place.startBlock; block <= place.chain.tip.number; block++) {
    for (; next < transfers.length && transfers[next]!.block <= block; next++) {
      const { from, to, value } = transfers[next]!;
      if (from === ZERO_ADDRESS) supply += value;
      if (to === ZERO_ADDRESS) supply -= value;
    }
    const uncounted = (await place.uncounted?.(block)) ?? 0n;
    const said = (await words.totalSupply(place, block)) + uncounted;
    if (said !== supply)
      return [`1, 11: totalSupply is ${said} at block ${block}, transfers give ${supply}`];
  }
  return [];
}

/** 2: positions and unassigned custody add up to the supply. */
async function positionsAddUp(served: Served, family: Family): Promise<string[]> {
  const wallets = await walletsOf(family);
  let positions = 0n;
  for (const wallet of wallets) {
    positions += BigInt((await performanceOf(served, family, wallet))?.sharesBalance ?? 0);
  }
  let all = 0n;
  for (const place of family.places) {
    const block = place.chain.tip.number;
    const { waiting, burned, held } = await custodyOf(family, place, wallets);
    all += (await words.totalSupply(place, block)) + burned - (held - waiting);
  }
  return positions === all
    ? []
    : [`2: positions add up to ${positions}, the contracts to ${all} (${positions - all} off)`];
}

/** 4: custody holds the shares of all pending requests. */
async function custodyIsSpoken(family: Family, place: Place): Promise<string[]> {
  const { waiting, held } = await custodyOf(family, place, await walletsOf(family));
  const isHeld = place.burnsRequests ? held === 0n : waiting <= held;
  return isHeld
    ? []
    : [`4: ${waiting} shares wait on ${place.chain.chainId}, custody holds ${held}`];
}

async function custodyOf(family: Family, place: Place, wallets: readonly Address[]) {
  const block = place.chain.tip.number;
  let held = 0n;
  for (const custody of new Set([...place.custody, ...(place.routers ?? [])])) {
    held += await words.balanceOf(place, place.share, custody, block);
  }
  let waiting = 0n;
  let burned = 0n;
  for (const wallet of wallets) {
    for (const queue of await words.queuesOf(family, place, wallet, block)) {
      waiting += queue.shares + queue.depositShares + queue.returnedShares;
      burned += queue.claimableShares;
    }
  }
  return { held, waiting, burned };
}

/** 5: the supply converts to the total assets, except for rounding and the virtual shares. */
async function conversionFits(place: Place): Promise<string[]> {
  const block = place.chain.tip.number;
  const total = await words.totalAssets(place, block);
  const supply = await words.totalSupply(place, block);
  const worth = await words.convertToAssets(place, supply, block);
  const offset = (await words.convertToAssets(place, place.virtualShares ?? 0n, block)) ?? 0n;
  if (worth === null) return [];
  const short = total - worth;
  if (-short > 1n + offset || (!place.dilutes && short > 1n + offset)) {
    return [`5: the supply converts to ${worth}, total assets are ${total}`];
  }
  return [];
}

/** 6: idle assets contain no reserved assets. */
async function idleIsFree(served: Served, family: Family): Promise<string[]> {
  const { stats } = await served.get<Snapshot>(`/v1/vaults/${family.slug}`);
  const found: string[] = [];
  for (const place of family.places) {
    const row = stats.chains.find(({ chainId }) => chainId === place.chain.chainId);
    if (row === undefined || place.rated) continue;
    const block = Number(row.block);
    const held = await words.balanceOf(place, place.asset, place.vaults[0]!, block);
    if (BigInt(row.idle) > held)
      found.push(`6: idle is ${row.idle} on ${row.chainId}, the vault holds ${held}`);
  }
  return found;
}

const EVENTS = parseAbi([
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
  'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
]);
const [DEPOSIT, WITHDRAW] = EVENTS;

/** 12: a deposit belongs to the account that received the shares by transfer, regardless of the event. */
async function depositsReach(served: Served, family: Family, place: Place): Promise<string[]> {
  const transfers = await transfersOf(place);
  const items = await readHistory(served, family.slug);
  const outside = new Set([...place.custody, ...(place.routers ?? []), ZERO_ADDRESS]);
  const found: string[] = [];
  for (const vault of place.vaults) {
    for (const log of await place.chain.logs(vault, toEventSelector(DEPOSIT))) {
      const topics = log.topics as [Hex, ...Hex[]];
      const { args } = decodeEventLog({ abi: [DEPOSIT], data: log.data, topics });
      const got = transfers.filter(
        ({ tx, value, to }) =>
          tx === log.transactionHash && value === args.shares && !outside.has(to),
      );
      const listed = items.filter(
        (item) => item.transactionHash === log.transactionHash && item.type === 'deposit',
      );
      for (const { to } of got) {
        if (!listed.some(({ user }) => lower(user) === to)) {
          found.push(
            `12: ${args.shares} shares came to ${to} in ${log.transactionHash}, history says ${listed.map(({ user }) => user)}`,
          );
        }
      }
    }
  }
  return found;
}

/** 9: an exit paid into custody belongs to the owner of the shares. */
async function exitsIntoCustody(served: Served, family: Family, place: Place): Promise<string[]> {
  const items = await readHistory(served, family.slug);
  const custody = new Set(place.custody);
  const found: string[] = [];
  for (const vault of place.vaults) {
    for (const log of await place.chain.logs(vault, toEventSelector(WITHDRAW))) {
      const topics = log.topics as [Hex, ...Hex[]];
      const { args } = decodeEventLog({ abi: [WITHDRAW], data: log.data, topics });
      const owner = lower(args.owner);
      if (!custody.has(lower(args.receiver)) || custody.has(owner)) continue;
      const listed = items.some(
        (item) =>
          item.transactionHash === log.transactionHash &&
          item.type === 'withdraw' &&
          lower(item.user) === owner,
      );
      if (!listed)
        found.push(`9: the exit of ${owner} in ${log.transactionHash} is not in history`);
    }
  }
  return found;
}
