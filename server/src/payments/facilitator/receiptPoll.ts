import type { Hex } from '../../domain/hex.ts';
import { type Nodes, NodesUnavailable } from '../chain/nodes.ts';
import { parseReceipt, type Receipt } from '../chain/receipt.ts';

/** Waits for transactions to be mined: one request for all that are due, whoever waits for them. */
export interface ReceiptPoll {
  /** From so many milliseconds on. `hashes` may grow: any of them may win. Returns what ends the wait. */
  watch(
    hashes: () => readonly Hex[],
    found: (receipt: Receipt) => void,
    delayMs?: number,
  ): () => void;
  close(): void;
}

interface Watch {
  readonly hashes: () => readonly Hex[];
  readonly found: (receipt: Receipt) => void;
  due: number;
  interval: number;
}

const SHORTEST_MS = 20;
const LONGEST_MS = 1_000;
const TOGETHER = 100;

export function createReceiptPoll(options: { nodes: Nodes }): ReceiptPoll {
  const watches = new Set<Watch>();
  let timer: NodeJS.Timeout | undefined;
  let polling = false;
  let closed = false;

  return { watch, close };

  function watch(
    hashes: () => readonly Hex[],
    found: (receipt: Receipt) => void,
    delayMs = 0,
  ): () => void {
    const one = { hashes, found, due: performance.now() + delayMs, interval: SHORTEST_MS };
    watches.add(one);
    schedule();
    return () => {
      watches.delete(one);
    };
  }

  function schedule(): void {
    if (polling || closed || watches.size === 0) return;
    clearTimeout(timer);
    let first = Number.POSITIVE_INFINITY;
    for (const { due } of watches) first = Math.min(first, due);
    timer = setTimeout(poll, Math.max(0, first - performance.now()));
  }

  async function poll(): Promise<void> {
    polling = true;
    try {
      await ask(takeDue());
    } catch (error) {
      // Asked again when next due.
      if (!(error instanceof NodesUnavailable)) throw error;
    } finally {
      polling = false;
      schedule();
    }
  }

  /** Those nearly due come along: it is the requests that cost, not what is in them. */
  function takeDue(): readonly { readonly watch: Watch; readonly hash: Hex }[] {
    const now = performance.now();
    const asked: { watch: Watch; hash: Hex }[] = [];
    for (const one of watches) {
      if (one.due > now + one.interval / 4) continue;
      if (asked.length >= TOGETHER) break;
      for (const hash of one.hashes()) asked.push({ watch: one, hash });
      one.due = now + one.interval;
      one.interval = Math.min(LONGEST_MS, one.interval * 1.5);
    }
    return asked;
  }

  async function ask(asked: readonly { watch: Watch; hash: Hex }[]): Promise<void> {
    const answers = await options.nodes.ask(
      asked.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    );
    for (const [i, { watch: one, hash }] of asked.entries()) {
      const answer = answers[i]!;
      const receipt = 'result' in answer ? parseReceipt(answer.result) : null;
      if (receipt?.transaction !== hash || !watches.delete(one)) continue;
      one.found(receipt);
    }
  }

  function close(): void {
    closed = true;
    clearTimeout(timer);
    watches.clear();
  }
}
