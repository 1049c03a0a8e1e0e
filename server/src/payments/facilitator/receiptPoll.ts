import type { Hex } from '../../domain/hex.ts';
import { type Nodes, NodesUnavailable } from '../chain/nodes.ts';
import { parseReceipt, type Receipt } from '../chain/receipt.ts';

/** Waits for transactions to be mined, with one request for all that are due. */
export interface ReceiptPoll {
  /** Starts after `delayMs`. `hashes` may grow: any of them may be mined. Returns a function that ends the wait. */
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
      await readReceipts(takeDue());
    } catch (error) {
      // Read again when next due.
      if (!(error instanceof NodesUnavailable)) throw error;
    } finally {
      polling = false;
      schedule();
    }
  }

  /** Includes those that are almost due: requests are expensive, their content is not. */
  function takeDue(): readonly { readonly watch: Watch; readonly hash: Hex }[] {
    const now = performance.now();
    const pending: { watch: Watch; hash: Hex }[] = [];
    for (const one of watches) {
      if (one.due > now + one.interval / 4) continue;
      if (pending.length >= TOGETHER) break;
      for (const hash of one.hashes()) pending.push({ watch: one, hash });
      one.due = now + one.interval;
      one.interval = Math.min(LONGEST_MS, one.interval * 1.5);
    }
    return pending;
  }

  async function readReceipts(due: readonly { watch: Watch; hash: Hex }[]): Promise<void> {
    const answers = await options.nodes.request(
      due.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    );
    for (const [i, { watch: one, hash }] of due.entries()) {
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
