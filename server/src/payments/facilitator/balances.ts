import type { Address } from '../../domain/hex.ts';
import { type Nodes, NodesUnavailable, readQuantity, readResult } from '../chain/nodes.ts';
import type { Sender } from './sender.ts';

export interface Balance {
  readonly address: Address;
  readonly wei: bigint;
}

/** What the keys have left for gas. */
export interface Balances {
  /** As last read; empty before. */
  current(): readonly Balance[];
  /** Soon, once for many calls. */
  touch(): void;
  refresh(): Promise<void>;
  close(): void;
}

const EVERY_MS = 60_000;
const AFTER_USE_MS = 10_000;

export function createBalances(options: {
  nodes: Nodes;
  senders: readonly Sender[];
  /** Wei; below it `onLow` is told, once per fall. */
  low: bigint;
  onLow(balance: Balance): void;
}): Balances {
  const { nodes, senders, low } = options;
  const told = new Set<Address>();
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
      // The last ones stay; the gauge's age is the node's trouble, which is told elsewhere.
      if (!(error instanceof NodesUnavailable)) throw error;
      return;
    }
    for (const [i, balance] of balances.entries()) judge(senders[i]!, balance);
  }

  async function read(): Promise<readonly Balance[]> {
    const answers = await nodes.ask(
      senders.map(({ address }) => ({ method: 'eth_getBalance', params: [address, 'latest'] })),
    );
    return senders.map(({ address }, i) => ({
      address,
      wei: readQuantity(readResult(answers[i])),
    }));
  }

  function judge(sender: Sender, balance: Balance): void {
    if (balance.wei >= low) {
      told.delete(balance.address);
      sender.enriched();
      return;
    }
    if (told.has(balance.address)) return;
    told.add(balance.address);
    options.onLow(balance);
  }

  function close(): void {
    clearInterval(timer);
    clearTimeout(soon);
  }
}
