import type { ChainClient } from '../../chain/chainClient.ts';
import type { RpcCalls } from '../../chain/rpcCalls.ts';
import { RpcError } from '../../chain/rpcError.ts';
import { createUpstreams, type Picked } from '../../chain/upstreams.ts';
import type { ChainConfig, Config } from '../../config/config.ts';
import { createSemaphore } from '../../runtime/semaphore.ts';

/** Reads the current state of the chains, for responses that cannot come from the store. */
export interface LiveChains {
  /** Runs `work` at the chain's newest block; undefined if the chain has no URL, fails, or exceeds the deadline. */
  read<T>(chainId: number, work: ReadAt<T>): Promise<T | undefined>;
  close(): void;
}

export type ReadAt<T> = (client: ChainClient, block: number) => Promise<T>;

export interface LiveChainsOptions {
  /** Deadline of one read with all its attempts, in milliseconds. */
  readonly deadlineMs?: number;
  readonly calls?: RpcCalls;
}

const DEADLINE_MS = 3_000;
/** How long the current URL may take before another is tried. */
const GRACE_MS = 500;
/** A second attempt uses another URL: the failed one is paused by then. */
const TRIES = 2;
/** Pause between attempts of a chain whose URLs do not suggest one. */
const PROBE_MS = 1_000;
/** Concurrent reads on one chain; more are queued, and one that was queued too long is not sent. */
const MAX_AT_ONCE = 16;

/**
 * Lives as long as the process: connections are reused, and a failed chain is retried in the background, so that it
 * does not delay requests meanwhile.
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
  // If one URL hangs, there is time for another, and the next request skips the failed one.
  const timeoutSeconds = Math.min(chain.timeoutSeconds, deadlineMs / 1000 / TRIES);
  const graceMs = Math.min(GRACE_MS, deadlineMs / 6);
  const upstreams = createUpstreams({
    chain: { ...chain, timeoutSeconds },
    graceMs,
    catchUpMs: graceMs,
    onCalls,
  });
  const reads = createSemaphore({ atOnce: MAX_AT_ONCE });
  let picking: Promise<Picked> | undefined;
  /** Set while none of its URLs works. */
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
    // The timer may fire earlier or later than the clock.
    let expired = false;
    const reading = reads.run(() => attempt(work, () => expired || performance.now() >= end));
    return within(deadlineMs, reading, () => {
      expired = true;
    });
  }

  /** Stops further attempts once the deadline has passed or is about to. */
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

  /** Unless another URL may work, the chain is paused until its head is reported again. */
  function probeLater(leastMs = 0): void {
    const rest = Math.max(leastMs, Math.ceil(upstreams.retryAt() - Date.now()));
    if (probe !== undefined || closed || rest <= 0) return;
    probe = setTimeout(async () => {
      const picked = await pick().catch(() => undefined);
      probe = undefined;
      // A pause that just ended, after the request started, is not a reason to give up.
      if (picked === undefined) probeLater(PROBE_MS);
    }, rest);
    probe.unref();
  }

  /** Concurrent requests share the read of the head. */
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

/** Undefined if it takes longer; it then ends by its own timeouts, and its result is ignored. */
function within<T>(ms: number, promise: Promise<T>, onLate: () => void): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onLate();
      resolve(undefined);
    }, ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
