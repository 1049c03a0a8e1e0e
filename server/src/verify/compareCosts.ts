import { type Address, type Hex, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import { need } from './ask.ts';
import { readAssetMoves } from './assetMoves.ts';
import type { WalletsToCheck } from './compareWalletValues.ts';
import type { FamilyReport } from './comparison.ts';
import { type Deployment, vaultsOf } from './deployment.ts';
import { findFeeHolders } from './feeHolders.ts';
import { compareInvariant } from './invariants.ts';
import { kindOf } from './kinds/index.ts';
import { readable } from './notReadable.ts';
import { findOwnRedemptions } from './ownRedemptions.ts';
import { type RoutedDeposit, readRoutedDeposits } from './routedDeposits.ts';
import type { StoredDeployment } from './storedDeployments.ts';
import { isTransfer, type ShareTransfer, TRANSFER, transferOf, wordOf } from './vaultLogs.ts';

/**
 * Compares cost minus realized result with the wallet's payments minus its proceeds. Provable only for two groups of
 * wallets: those whose every share was minted against their own payment or burned against a payment to them, and those
 * that only requested their own redemptions and have nothing pending. Others are skipped. A deposit or redemption
 * without the base asset used another asset, and counts with approximately the value of its shares.
 */
export async function compareCosts(given: WalletsToCheck): Promise<FamilyReport> {
  const { family, deployments, wallets } = given;
  if (family.adapter === 'rated') return { compared: [], unchecked: [] };
  const addresses = [...wallets.keys()];
  const paid = await Promise.all(deployments.map((deployment) => paidOn(deployment, addresses)));
  const comparison = compareInvariant(family.slug, 8, 'wallets that never sent shares to others');
  for (const [wallet, served] of wallets) {
    const own = paid.map((onChain) => onChain.get(wallet));
    if (!own.every((one) => one !== undefined && one !== 'unprovable')) continue;
    const sum = own.reduce((all, { net }) => all + net, 0n);
    const slack = own.reduce((all, one) => all + one.slack, 0n);
    const kept = BigInt(served.costBasis) - BigInt(served.realized);
    if (slack === 0n && kept !== sum && (await isPaidInParts(deployments, paid, wallet))) continue;
    comparison.near(`wallet ${wallet}: costBasis less realized`, kept, sum, slack);
  }
  return { compared: comparison.figures > 0 ? [comparison] : [], unchecked: [] };
}

/** Payments minus proceeds of a wallet on one chain. */
interface Paid {
  readonly net: bigint;
  /** Tolerance: amounts in another asset are known only from the value of their shares. */
  readonly slack: bigint;
  readonly moves: readonly ShareTransfer[];
}

type PaidOn = ReadonlyMap<Address, Paid | 'unprovable'>;

/** Of the value of the shares, in basis points: a redemption may be paid minus its fee, from elsewhere. */
const FEES = 500n;
/** A deposit without the base asset counts as approximately the value of its shares. */
const NEAR = 3n;

async function paidOn(stored: StoredDeployment, wallets: readonly Address[]): Promise<PaidOn> {
  const { deployment, indexedBlock } = stored;
  const known = new Map<Address, Paid | 'unprovable'>(
    wallets.map((wallet) => [wallet, 'unprovable']),
  );
  // A wallet does not pay for fee shares, so they do not make the rest unprovable.
  const fees = new Set(await readable(() => findFeeHolders(deployment, indexedBlock)));
  const shares = movesOf(
    deployment.logs.transfers.filter(({ block, to }) => block <= indexedBlock && !fees.has(to)),
    wallets,
  );
  const queued = new Set(
    kindOf(deployment.family.adapter).pendingWallets(deployment, indexedBlock),
  );
  const routed = await readable(() => readRoutedDeposits(stored));
  const direct = wallets.filter((wallet) => {
    const moves = shares.get(wallet)!;
    const plain = moves.every(({ from, to, transaction }) => {
      return [from, to].includes(ZERO_ADDRESS) || routed.get(transaction)?.wallet === wallet;
    });
    return plain && !queued.has(wallet);
  });
  const exits = await findOwnRedemptions(stored, wallets, (wallet) => shares.get(wallet)!);
  const asked = [...direct, ...exits.wallets];
  if (asked.length === 0) return known;
  const assets = movesOf(await readPayments(stored, asked, exits.payers), asked);
  for (const wallet of direct) {
    const moves = { shares: shares.get(wallet)!, assets: assets.get(wallet)!, routed };
    known.set(wallet, await netOf(deployment, wallet, moves));
  }
  for (const wallet of exits.wallets) {
    const paid = netByTransaction(wallet, assets.get(wallet)!);
    const isPaid = exits.paymentsOf(wallet).every((transaction) => paid.has(transaction));
    const net = -[...paid.values()].reduce((sum, one) => sum + one, 0n);
    if (isPaid) known.set(wallet, { net, slack: 0n, moves: assets.get(wallet)! });
  }
  return known;
}

/** Every transaction must move both shares and the base asset, in opposite directions, or none of the base asset. */
async function netOf(
  deployment: Deployment,
  wallet: Address,
  {
    shares,
    assets,
    routed,
  }: {
    readonly shares: readonly ShareTransfer[];
    readonly assets: readonly ShareTransfer[];
    readonly routed: ReadonlyMap<Hex, RoutedDeposit>;
  },
): Promise<Paid | 'unprovable'> {
  const gained = netByTransaction(wallet, shares);
  const spent = netByTransaction(wallet, assets);
  const blocks = new Map(shares.map(({ transaction, block }) => [transaction, block]));
  let [net, slack] = [0n, 0n];
  for (const transaction of new Set([...gained.keys(), ...spent.keys()])) {
    const got = gained.get(transaction) ?? 0n;
    const own = routed.get(transaction);
    const gave = own?.wallet === wallet ? own.assets : -(spent.get(transaction) ?? 0n);
    if (got === 0n || (gave !== 0n && got > 0n !== gave > 0n)) return 'unprovable';
    if (gave !== 0n) net += gave;
    else {
      const at = { transaction, block: blocks.get(transaction)! };
      const other = await readable(() => paidOtherwise(deployment, wallet, at, got));
      if (other === undefined) return 'unprovable';
      const { worth, isExact } = other;
      net += got > 0n ? worth : -worth;
      slack += isExact ? 0n : (worth * (got > 0n ? NEAR : FEES)) / 10_000n + 2n;
    }
  }
  return { net, slack, moves: assets };
}

/**
 * The payment of a deposit or redemption without a transfer of the base asset: native coin that the vault wrapped or
 * unwrapped, or the value of the shares. Undefined for other transactions.
 */
async function paidOtherwise(
  deployment: Deployment,
  wallet: Address,
  at: { readonly transaction: Hex; readonly block: number },
  got: bigint,
): Promise<{ readonly worth: bigint; readonly isExact: boolean } | undefined> {
  const { logs, chain } = deployment;
  // A claim is settled earlier, and a payment by another account looks like none.
  if (kindOf(deployment.family.adapter).custodyIsAsked) return undefined;
  if (!(got > 0n ? logs.deposits : logs.exits).has(at.transaction)) return undefined;
  const systemAccounts = [...vaultsOf(chain), ...chain.custody, ...chain.routers];
  const moves = await readAssetMoves(deployment, at, [wallet, ...systemAccounts]);
  const [move] = moves;
  if (move !== undefined && !isWrapping(deployment, moves, got)) return undefined;
  const signature = 'convertToAssets(uint256) view returns (uint256)';
  const shares = got > 0n ? got : -got;
  const worth = await deployment.askAt(at.block)<bigint>(chain.address, signature, shares);
  if (worth === undefined) return undefined;
  if (move === undefined) return { worth, isExact: false };
  const off = move.value > worth ? move.value - worth : worth - move.value;
  return off * 10_000n <= worth * FEES ? { worth: move.value, isExact: true } : undefined;
}

/** Whether the vault only wrapped native coin, or unwrapped it, in a transaction that moved no other shares. */
function isWrapping(
  { logs, chain }: Deployment,
  moves: readonly ShareTransfer[],
  got: bigint,
): boolean {
  const [move, more] = moves;
  if (move === undefined || more !== undefined) return false;
  const [other, own] = got > 0n ? [move.from, move.to] : [move.to, move.from];
  if (other !== ZERO_ADDRESS || !vaultsOf(chain).includes(own)) return false;
  return logs.transfers.filter((one) => one.transaction === move.transaction).length === 1;
}

/** Whether accounts outside the family took part in a payment: then the amount that paid for shares is unknown. */
async function isPaidInParts(
  deployments: readonly StoredDeployment[],
  paid: readonly PaidOn[],
  wallet: Address,
): Promise<boolean> {
  for (const [i, { deployment }] of deployments.entries()) {
    const own = paid[i]!.get(wallet);
    if (own === undefined || own === 'unprovable') continue;
    const seen = netByTransaction(wallet, own.moves);
    for (const { transaction, block } of own.moves) {
      const all = await readable(() =>
        readAssetMoves(deployment, { transaction, block }, [wallet]),
      );
      // Native coin that the wallet wraps itself is its own.
      const paidBy = all.filter(({ from, to }) => from !== ZERO_ADDRESS && to !== ZERO_ADDRESS);
      if (netByTransaction(wallet, paidBy).get(transaction) !== seen.get(transaction)) return true;
    }
  }
  return false;
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

/** Transfers of the asset between these wallets and the family's own contracts. */
async function readPayments(
  { deployment, indexedBlock }: StoredDeployment,
  wallets: readonly Address[],
  payers: readonly Address[],
): Promise<ShareTransfer[]> {
  const { chain } = deployment;
  const own = [...vaultsOf(chain), ...chain.custody, ...chain.routers, ...payers];
  const systemAccounts = [...new Set(own)].map(wordOf);
  const found: ShareTransfer[] = [];
  await readable(async () => {
    const ask = deployment.askAt(indexedBlock);
    const asset = await need<Address>(ask, chain.address, 'asset() view returns (address)');
    const range = { fromBlock: chain.startBlock, toBlock: indexedBlock };
    for (const sides of [
      [wallets.map(wordOf), systemAccounts],
      [systemAccounts, wallets.map(wordOf)],
    ]) {
      const filter = { addresses: [lower(asset)], topics: [[TRANSFER], ...sides] };
      await deployment.reader.logs({ ...range, filter }, (logs) => {
        for (const log of logs) if (isTransfer(log)) found.push(transferOf(log));
      });
    }
  });
  return found;
}
