import { type Address, type Hex, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import { need } from './ask.ts';
import type { WalletsToCheck } from './checkValues.ts';
import type { FamilyReport } from './comparison.ts';
import { vaultsOf } from './familyOnChain.ts';
import { compareInvariant } from './invariants.ts';
import { kindOf } from './kinds/index.ts';
import { readable } from './parts.ts';
import type { StoredPart } from './storedParts.ts';
import { isTransfer, type ShareTransfer, TRANSFER, transferOf, wordOf } from './vaultLogs.ts';

/**
 * Cost less what was realised is what a wallet paid less what it was paid. Provable only of wallets whose every share
 * was minted to them against their own payment or burned against a payment to them: the others are left out.
 */
export async function checkCosts(given: WalletsToCheck): Promise<FamilyReport> {
  const { family, parts, wallets } = given;
  const addresses = [...wallets.keys()];
  const paid = await Promise.all(parts.map((part) => paidOn(part, addresses)));
  const comparison = compareInvariant(family.slug, 8, 'wallets that never queued or sent shares');
  for (const [wallet, served] of wallets) {
    const own = paid.map((onChain) => onChain.get(wallet));
    if (!own.every((one) => typeof one === 'bigint')) continue;
    const sum = own.reduce((all, one) => all + one, 0n);
    const kept = BigInt(served.costBasis) - BigInt(served.realized);
    comparison.same(`wallet ${wallet}: costBasis less realized`, kept, sum);
  }
  return { compared: comparison.figures > 0 ? [comparison] : [], unchecked: [] };
}

/** Paid in less paid out by each wallet on one chain. */
async function paidOn(
  stored: StoredPart,
  wallets: readonly Address[],
): Promise<ReadonlyMap<Address, bigint | 'unprovable'>> {
  const { part, indexedBlock } = stored;
  const known = new Map<Address, bigint | 'unprovable'>();
  const shares = movesOf(
    part.logs.transfers.filter(({ block }) => block <= indexedBlock),
    wallets,
  );
  const queued = new Set(kindOf(part.family.adapter).waiters(part, indexedBlock));
  const direct = wallets.filter((wallet) => {
    const moves = shares.get(wallet)!;
    const plain = moves.every(({ from, to }) => from === ZERO_ADDRESS || to === ZERO_ADDRESS);
    if (!plain || queued.has(wallet)) known.set(wallet, 'unprovable');
    return plain && !queued.has(wallet);
  });
  if (direct.length === 0) return known;
  const assets = movesOf(await readPayments(stored, direct), direct);
  for (const wallet of direct) {
    known.set(wallet, netOf(wallet, shares.get(wallet)!, assets.get(wallet)!));
  }
  return known;
}

/** Every transaction must have both sides, the same way round. */
function netOf(
  wallet: Address,
  shares: readonly ShareTransfer[],
  assets: readonly ShareTransfer[],
): bigint | 'unprovable' {
  const gained = netByTransaction(wallet, shares);
  const spent = netByTransaction(wallet, assets);
  let net = 0n;
  for (const transaction of new Set([...gained.keys(), ...spent.keys()])) {
    const [got, gave] = [gained.get(transaction) ?? 0n, -(spent.get(transaction) ?? 0n)];
    if (got === 0n || gave === 0n || got > 0n !== gave > 0n) return 'unprovable';
    net += gave;
  }
  return net;
}

function netByTransaction(wallet: Address, moves: readonly ShareTransfer[]): Map<Hex, bigint> {
  const net = new Map<Hex, bigint>();
  for (const { transaction, from, to, value } of moves) {
    const change = (to === wallet ? value : 0n) - (from === wallet ? value : 0n);
    net.set(transaction, (net.get(transaction) ?? 0n) + change);
  }
  return net;
}

function movesOf(transfers: readonly ShareTransfer[], wallets: readonly Address[]) {
  const moves = new Map<Address, ShareTransfer[]>(wallets.map((wallet) => [wallet, []]));
  for (const transfer of transfers) {
    for (const side of new Set([transfer.from, transfer.to])) moves.get(side)?.push(transfer);
  }
  return moves;
}

/** Of the asset, between these wallets and the family's own contracts. */
async function readPayments(
  { part, indexedBlock }: StoredPart,
  wallets: readonly Address[],
): Promise<ShareTransfer[]> {
  const { chain } = part;
  const house = [...vaultsOf(chain), ...chain.custody, ...chain.routers].map(wordOf);
  const found: ShareTransfer[] = [];
  await readable(async () => {
    const ask = part.askAt(indexedBlock);
    const asset = await need<Address>(ask, chain.address, 'asset() view returns (address)');
    const range = { fromBlock: chain.startBlock, toBlock: indexedBlock };
    for (const sides of [
      [wallets.map(wordOf), house],
      [house, wallets.map(wordOf)],
    ]) {
      const filter = { addresses: [lower(asset)], topics: [[TRANSFER], ...sides] };
      await part.node.logs({ ...range, filter }, (logs) => {
        for (const log of logs) if (isTransfer(log)) found.push(transferOf(log));
      });
    }
  });
  return found;
}
