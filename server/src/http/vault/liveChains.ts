import type { ChainClient } from '../../chain/chainClient.ts';
import type { RpcCalls } from '../../chain/rpcCalls.ts';
import { RpcError } from '../../chain/rpcError.ts';
import { createUpstreams, type Picked } from '../../chain/upstreams.ts';
import type { ChainConfig, Config } from '../../config/config.ts';
import { createSemaphore } from '../../runtime/semaphore.ts';

/** Reads of the chains as they are now, for answers that cannot come from the store. */
export interface LiveChains {
  /**
   * What `work` reads at the chain's newest block; undefined when the chain has no URL, fails or takes longer than
   * the deadline.
   */
  read<T>(chainId: number, work: ReadAt<T>): Promise<T | undefined>;
  close(): void;
}

export type ReadAt<T> = (client: ChainClient, block: number) => Promise<T>;

export interface LiveChainsOptions {
  /** Of one read with all its tries, in milliseconds. */
  readonly deadlineMs?: number;
  readonly calls?: RpcCalls;
}

const DEADLINE_MS = 3_000;
/** How long the URL in use may take before another is asked. */
const GRACE_MS = 500;
/** A second try is for another URL: the one that failed rests by then. */
const TRIES = 2;
/** Between two tries of a chain whose URLs say nothing about when. */
const PROBE_MS = 1_000;
/** Reads under way on one chain; more wait their turn, and one that waited too long is not sent any more. */
const MOST_AT_ONCE = 16;

/**
 * Lives as long as the process: connections are kept, and a chain that failed is tried again in the background, so
 * that meanwhile it costs no request any time.
 */
export function createLiveChains(
  config: Pick<Config, 'chains'>,
  { deadlineMs = DEADLINE_MS, calls }: LiveChainsOptions = {},
): LiveChains {
  const chains = new Map<number, LiveChain>();
  for (const chain of config.chains) {
    if (chain.rpcUrls.length === 0) continue;
    const onCalls = calls?.counter(chain.chainId, 'live');
    chains.set(chain.chainId, createLiveChain(chain, deadlineMs, onCalls));
  }
  return {
    read: async (chainId, work) => chains.get(chainId)?.read(work),
    close() {
      for (const chain of chains.values()) chain.close();
    },
  };
}

interface LiveChain {
  read<T>(work: ReadAt<T>): Promise<T | undefined>;
  close(): void;
}

function createLiveChain(
  chain: ChainConfig,
  deadlineMs: number,
  onCalls: ((calls: number) => void) | undefined,
): LiveChain {
  // One URL that hangs leaves time for another, and is known to have failed by the next request.
  const timeoutSeconds = Math.min(chain.timeoutSeconds, deadlineMs / 1000 / TRIES);
  const graceMs = Math.min(GRACE_MS, deadlineMs / 6);
  const upstreams = createUpstreams({
    chain: { ...chain, timeoutSeconds },
    graceMs,
    patienceMs: graceMs,
    onCalls,
  });
  const reads = createSemaphore({ atOnce: MOST_AT_ONCE });
  let picking: Promise<Picked> | undefined;
  /** Set while none of its URLs is any use. */
  let probe: NodeJS.Timeout | undefined;
  let closed = false;

  return {
    read,
    close() {
      closed = true;
      clearTimeout(probe);
      upstreams.close();
    },
  };

  async function read<T>(work: ReadAt<T>): Promise<T | undefined> {
    if (probe !== undefined) return undefined;
    const end = performance.now() + deadlineMs;
    // The timer may be earlier or later than the clock says.
    let told = false;
    const reading = reads.run(() => attempt(work, () => told || performance.now() >= end));
    return within(deadlineMs, reading, () => {
      told = true;
    });
  }

  /** Makes no further try for somebody who has been told that it took too long, or is about to be. */
  async function attempt<T>(work: ReadAt<T>, isLate: () => boolean): Promise<T | undefined> {
    for (let tries = 0; tries < TRIES && !isLate(); tries++) {
      const picked = await pick();
      if (picked === undefined) break;
      const { client, head } = picked;
      try {
        const value = await work(client, head.number);
        upstreams.worked(client);
        return value;
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        upstreams.failed(client, error);
      }
    }
    probeLater();
    return undefined;
  }

  /** Unless another URL may still be of use, the chain is left alone until its head is told again. */
  function probeLater(leastMs = 0): void {
    const rest = Math.max(leastMs, Math.ceil(upstreams.retryAt() - Date.now()));
    if (probe !== undefined || closed || rest <= 0) return;
    probe = setTimeout(async () => {
      const picked = await pick().catch(() => undefined);
      probe = undefined;
      // A rest that ended just now, after it was asked, is no reason to give up.
      if (picked === undefined) probeLater(PROBE_MS);
    }, rest);
    probe.unref();
  }

  /** Requests at the same moment look for the head together. */
  async function pick(): Promise<Picked | undefined> {
    picking ??= upstreams.pick().finally(() => {
      picking = undefined;
    });
    try {
      return await picking;
    } catch (error) {
      if (error instanceof RpcError) return undefined;
      throw error;
    }
  }
}

/** Undefined when it takes longer; it ends by its own timeouts then, unheard. */
function within<T>(ms: number, promise: Promise<T>, onLate: () => void): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onLate();
      resolve(undefined);
    }, ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
