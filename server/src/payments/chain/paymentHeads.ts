import { hexQuantity } from '../../domain/hexQuantity.ts';
import { type Nodes, NodesUnavailable, readQuantity, readResult } from './nodes.ts';
import type { PaymentChain } from './paymentChain.ts';

interface Head {
  readonly number: number;
  readonly time: number;
}

/** Blocks of the payment chain by number and time. */
export interface PaymentHeads extends Pick<PaymentChain, 'head' | 'timeOf' | 'blockBefore'> {
  readFurthest(): Promise<Head>;
}

/** Blocks that a search by time first goes back; the step doubles each time. */
const FIRST_STEP = 32;
const HEAD_AGE_MS = 1_000;
/** A lower head is treated as a lagging RPC endpoint for this long, and as a reorg after it. */
const LAG_MS = 30_000;

/** `now` is in milliseconds. */
export function createPaymentHeads(nodes: Nodes, now: () => number): PaymentHeads {
  let recent: { readonly at: number; readonly head: Promise<Head> } | undefined;
  let highest = { number: 0, at: Number.NEGATIVE_INFINITY };

  return { head, timeOf, blockBefore, readFurthest };

  function head(): Promise<Head> {
    if (recent !== undefined && now() - recent.at < HEAD_AGE_MS) return recent.head;
    const request = { at: now(), head: readLatest() };
    recent = request;
    request.head.catch(() => {
      if (recent === request) recent = undefined;
    });
    return request.head;
  }

  async function timeOf(block: number): Promise<number> {
    return (await readBlock(hexQuantity(block))).time;
  }

  async function blockBefore(time: number): Promise<number> {
    let block = await readLatest();
    for (let step = FIRST_STEP; block.number > 0 && block.time >= time; step *= 2) {
      block = await readBlock(hexQuantity(Math.max(0, block.number - step)));
    }
    return block.number;
  }

  async function readBlock(block: string): Promise<Head> {
    const [answer] = await nodes.request([
      { method: 'eth_getBlockByNumber', params: [block, false] },
    ]);
    const found = readResult(answer) as { number?: unknown; timestamp?: unknown } | null;
    const number = Number(readQuantity(found?.number));
    return { number, time: Number(readQuantity(found?.timestamp)) };
  }

  /** Reads the head of the current RPC endpoint; endpoints often differ by a block or two. */
  async function readLatest(): Promise<Head> {
    const seen = await readBlock('latest');
    if (seen.number >= highest.number || now() - highest.at >= LAG_MS) {
      highest = { number: seen.number, at: now() };
    }
    return seen;
  }

  /** Never returns a lower block than before: an on-chain status must not come from an older state. */
  async function readFurthest(): Promise<Head> {
    const seen = await readLatest();
    if (seen.number < highest.number) throw new NodesUnavailable();
    return seen;
  }
}
