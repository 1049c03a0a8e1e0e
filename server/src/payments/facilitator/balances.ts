import type { Address } from '../../domain/hex.ts';
import { type Nodes, NodesUnavailable, readQuantity, readResult } from '../chain/nodes.ts';
import type { Sender } from './sender.ts';

export interface Balance {
  readonly address: Address;
  readonly wei: bigint;
}

/** The gas balances of the settlement keys. */
export interface Balances {
  /** As last read; empty before the first read. */
  current(): readonly Balance[];
  /** Schedules one read soon, regardless of how often it is called. */
  touch(): void;
  refresh(): Promise<void>;
  close(): void;
}

const EVERY_MS = 60_000;
const AFTER_USE_MS = 10_000;

export function createBalances(options: {
  nodes: Nodes;
  senders: readonly Sender[];
  /** Wei. Below it, `onLow` is called once, until the balance recovers. */
  low: bigint;
  onLow(balance: Balance): void;
}): Balances {
  const { nodes, senders, low } = options;
  const notified = new Set<Address>();
  let balances: readonly Balance[] = [];
  let soon: NodeJS.Timeout | undefined;
  const timer = setInterval(() => void refresh(), EVERY_MS);
  timer.unref();

  return { current: () => balances, touch, refresh, close };

  function touch(): void {
    if (soon !== undefined) return;
    soon = setTimeout(() => {
      soon = undefined;
      void refresh();
    }, AFTER_USE_MS);
    soon.unref();
  }

  async function refresh(): Promise<void> {
    try {
      balances = await read();
    } catch (error) {
      // Keeps the last balances; the failure of the RPC endpoints is reported elsewhere.
      if (!(error instanceof NodesUnavailable)) throw error;
      return;
    }
    for (const [i, balance] of balances.entries()) checkBalance(senders[i]!, balance);
  }

  async function read(): Promise<readonly Balance[]> {
    const answers = await nodes.request(
      senders.map(({ address }) => ({ method: 'eth_getBalance', params: [address, 'latest'] })),
    );
    return senders.map(({ address }, i) => ({
      address,
      wei: readQuantity(readResult(answers[i])),
    }));
  }

  function checkBalance(sender: Sender, balance: Balance): void {
    if (balance.wei >= low) {
      notified.delete(balance.address);
      sender.onFunded();
      return;
    }
    if (notified.has(balance.address)) return;
    notified.add(balance.address);
    options.onLow(balance);
  }

  function close(): void {
    clearInterval(timer);
    clearTimeout(soon);
  }
}
