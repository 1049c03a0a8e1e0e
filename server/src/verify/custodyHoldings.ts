import { groupBy } from '../domain/groupBy.ts';
import { type Address, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import { type DeploymentReads, vaultsOf } from './deployment.ts';
import type { ShareTransfer } from './vaultLogs.ts';

/** The owners of the shares in the configured custody accounts, from the share token's transfers alone. */
export interface CustodyHoldings {
  readonly entries: ReadonlyMap<Address, bigint>;
  /** Shares that came from no wallet: an account that earns or buys shares belongs to a wallet. */
  readonly unexplained: bigint;
}

/** Up to a block. Shares that leave to an account that sent fewer are taken from the earliest senders. */
export function getCustodyHoldings(
  { chain, logs }: DeploymentReads,
  block: number,
): CustodyHoldings {
  const entries = new Map<Address, bigint>();
  let unexplained = 0n;
  const custody = new Set(chain.custody.map(lower));
  const vaults = new Set(vaultsOf(chain));
  const routers = new Set(chain.routers.map(lower));
  if (custody.size === 0) return { entries, unexplained };
  const receivers = receiversOf(logs.transfers, logs.payments, custody);
  const givers = new Map<string, Address>();
  for (const transfer of logs.transfers) {
    if (transfer.block > block) break;
    const { from, to, value, transaction } = transfer;
    if (routers.has(to)) givers.set(`${transaction} ${to}`, from);
    if (custody.has(from) === custody.has(to)) continue;
    if (custody.has(to)) {
      const giver = givers.get(`${transaction} ${from}`) ?? from;
      if (giver === ZERO_ADDRESS || vaults.has(giver)) unexplained += value;
      else entries.set(giver, (entries.get(giver) ?? 0n) + value);
    } else {
      unexplained -= take(to === ZERO_ADDRESS ? receivers.get(transfer) : to, value);
    }
  }
  return { entries, unexplained };

  /** Returns the amount that no wallet had sent. */
  function take(wallet: Address | undefined, shares: bigint): bigint {
    let missing = shares;
    for (const owner of [...(wallet === undefined ? [] : [wallet]), ...entries.keys()]) {
      if (missing === 0n) break;
      const own = entries.get(owner) ?? 0n;
      const taken = own < missing ? own : missing;
      missing -= taken;
      if (own === taken) entries.delete(owner);
      else entries.set(owner, own - taken);
    }
    return missing;
  }
}

/**
 * The wallets that were paid when custody's shares were burned. If a transaction has as many payments as burns, they
 * match in order. If a payment was split, or a fee went elsewhere, each sender of shares was paid once.
 */
function receiversOf(
  transfers: readonly ShareTransfer[],
  payments: readonly ShareTransfer[],
  custody: ReadonlySet<Address>,
): ReadonlyMap<ShareTransfer, Address> {
  const burned = groupBy(
    transfers.filter(({ from, to }) => custody.has(from) && to === ZERO_ADDRESS),
    ({ transaction }) => transaction,
  );
  const paid = groupBy(
    payments.filter(({ to }) => !custody.has(to)),
    ({ transaction }) => transaction,
  );
  const receivers = new Map<ShareTransfer, Address>();
  const bringers = new Set(transfers.flatMap(({ from, to }) => (custody.has(to) ? from : [])));
  for (const [transaction, burns] of burned) {
    const own = (paid.get(transaction) ?? []).map(({ to }) => to);
    const each = [...new Set(own.filter((one) => bringers.has(one)))];
    const inOrder = [own, each].find((list) => list.length === burns.length);
    for (const [i, burn] of burns.entries()) {
      const receiver = inOrder?.[i] ?? each[0] ?? own[0];
      if (receiver !== undefined) receivers.set(burn, receiver);
    }
  }
  return receivers;
}
