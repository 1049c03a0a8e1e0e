import { type Address, type Hex, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import { need } from './ask.ts';
import { vaultsOf } from './deployment.ts';
import type { StoredDeployment } from './storedDeployments.ts';
import { isTransfer, type ShareTransfer, TRANSFER, transferOf, wordOf } from './vaultLogs.ts';

/** A deposit that a router made for one wallet: its payment is what the router paid to the vaults. */
export interface RoutedDeposit {
  readonly wallet: Address;
  readonly assets: bigint;
}

/** By transaction. A router may keep a fee: what a wallet sent it is not the payment. */
export async function readRoutedDeposits({
  deployment,
  indexedBlock,
}: StoredDeployment): Promise<ReadonlyMap<Hex, RoutedDeposit>> {
  const { chain, reader, askAt, logs } = deployment;
  const found = new Map<Hex, RoutedDeposit>();
  const routers = chain.routers.map(lower);
  if (routers.length === 0) return found;
  const asset = lower(
    await need<Address>(askAt(indexedBlock), chain.address, 'asset() view returns (address)'),
  );
  const paid = new Map<Hex, bigint>();
  const range = { fromBlock: chain.startBlock, toBlock: indexedBlock };
  const sides = [routers.map(wordOf), vaultsOf(chain).map(wordOf)];
  const filter = { addresses: [asset], topics: [[TRANSFER], ...sides] };
  await reader.logs({ ...range, filter }, (read) => {
    for (const { transaction, value } of read.filter(isTransfer).map(transferOf)) {
      if (logs.deposits.has(transaction))
        paid.set(transaction, (paid.get(transaction) ?? 0n) + value);
    }
  });
  for (const [transaction, moves] of byTransaction(logs.transfers, paid)) {
    const wallet = findReceiver(moves, routers);
    if (wallet !== undefined) found.set(transaction, { wallet, assets: paid.get(transaction)! });
  }
  return found;
}

function byTransaction(transfers: readonly ShareTransfer[], wanted: ReadonlyMap<Hex, unknown>) {
  const found = new Map<Hex, ShareTransfer[]>();
  for (const one of transfers) {
    if (!wanted.has(one.transaction)) continue;
    found.set(one.transaction, [...(found.get(one.transaction) ?? []), one]);
  }
  return found;
}

/** The only account that got shares; undefined if there are several, or if others gave shares. */
function findReceiver(moves: readonly ShareTransfer[], routers: readonly Address[]) {
  const isOwn = (account: Address) => account === ZERO_ADDRESS || routers.includes(account);
  if (!moves.every(({ from }) => isOwn(from))) return undefined;
  const [receiver, ...others] = new Set(moves.map(({ to }) => to).filter((to) => !isOwn(to)));
  return others.length === 0 ? receiver : undefined;
}
