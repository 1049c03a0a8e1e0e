import type { Sender } from './sender.ts';
import type { Sent, Transaction } from './transaction.ts';

/** Several keys that settle in parallel. */
export interface KeyPool {
  readonly senders: readonly Sender[];
  /** Sends with the least busy key; with the next one if a key's gas balance is too low. */
  send(transaction: Transaction): Promise<Sent>;
  /** The sender that is next in turn. */
  next(): Sender;
  close(): void;
}

export function createKeyPool(senders: readonly Sender[]): KeyPool {
  let turn = 0;

  return {
    senders,
    send,
    next: () => best(senders),
    close: () => {
      for (const sender of senders) sender.close();
    },
  };

  async function send(transaction: Transaction): Promise<Sent> {
    const tried = new Set<Sender>();
    let sent: Sent;
    do {
      const sender = choose(tried);
      tried.add(sender);
      sent = await sender.send(transaction);
    } while (isOutOfGas(sent) && tried.size < senders.length);
    return sent;
  }

  /** Prefers keys with gas, then the least busy; equal ones take turns. */
  function choose(tried: ReadonlySet<Sender>): Sender {
    turn = (turn + 1) % senders.length;
    const ordered = [...senders.slice(turn), ...senders.slice(0, turn)];
    return best(ordered.filter((sender) => !tried.has(sender)));
  }
}

function best(senders: readonly Sender[]): Sender {
  return senders.reduce((found, one) => (rank(one) < rank(found) ? one : found));
}

function rank(sender: Sender): number {
  return sender.busy() + (sender.outOfGas() ? 1_000_000 : 0);
}

function isOutOfGas(sent: Sent): boolean {
  return sent.outcome === 'refused' && sent.code === 'facilitator_out_of_gas';
}
