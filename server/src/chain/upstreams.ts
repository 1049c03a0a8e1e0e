import type { ChainConfig } from '../config/config.ts';
import type { Hex } from '../domain/hex.ts';
import { pause } from '../runtime/pause.ts';
import { configuredRate, createCallCost } from './callCost.ts';
import type { ChainClient, Header } from './chainClient.ts';
import { withCheckedTimes } from './checkedTimes.ts';
import { createChainClient } from './client.ts';
import { withCollectedCalls } from './collectedCalls.ts';
import { createDeepReads, createKeeps, type DeepUpstream } from './deepReads.ts';
import { untilNewHead } from './headWait.ts';
import { createPace } from './pace.ts';
import { createRetryingRpc } from './retryingRpc.ts';
import { createRpcClient } from './rpcClient.ts';
import { type RpcError, RpcUnreachable, StateUnavailable } from './rpcError.ts';
import { withSteadyReads } from './steadyReads.ts';
import { type ChainIdentity, createUpstream, type Upstream } from './upstream.ts';
import { createUrlLimits, type UrlLimits } from './urlLimits.ts';

export interface Picked {
  readonly client: ChainClient;
  /** That client's head, read just now. */
  readonly head: Header;
}

export interface UpstreamState {
  readonly upstream: number;
  /** The last head that it returned. */
  readonly head: number | null;
  /** A safe text; null while it works. */
  readonly error: string | null;
}

/** The URLs of one chain, of which one is used at a time. */
export interface Upstreams {
  /**
   * Returns the client to use now: the current one while it responds and keeps up, else the best of its siblings.
   * Throws the last RpcError if none responds, and StateUnavailable if none has reached `mustHave`.
   */
  pick(options?: { mustHave?: number }): Promise<Picked>;
  /** A request failed: the client pauses, for longer each time. */
  failed(client: ChainClient, error: RpcError): void;
  /**
   * Returns the same client for historical reads. Final blocks that its URL lacks are read from the others; `alone`:
   * the blocks are not final, and no other URL is read.
   */
  deep(client: ChainClient, options?: { readonly alone?: boolean }): ChainClient;
  /**
   * Whether the client's URL was seen to be several RPC endpoints that differ: reads of its newest blocks are checked
   * again.
   */
  isUneven(client: ChainClient): boolean;
  /** The limits learned for the client's URL. */
  limitsOf(client: ChainClient): UrlLimits;
  /** A request other than for the head succeeded: resets the client's failures. */
  worked(client: ChainClient): void;
  /** Returns the hash of the first block, which identifies the chain. */
  genesisHash(): Promise<Hex>;
  /** Waits until the next read is due: at a new head if the URL in use has a subscription, else after `ms`. */
  untilLook(ms: number, signal: AbortSignal): Promise<void>;
  /** When a client may be tried again, in ms of the clock; at once if not later than now. */
  retryAt(): number;
  states(): UpstreamState[];
  /** Cancels all requests in flight. */
  close(): void;
}

export interface UpstreamsOptions {
  readonly chain: ChainConfig;
  /** The chain's first block according to the store: URLs of any other chain are rejected. */
  readonly genesis?: Hex | null;
  /** Milliseconds. */
  readonly now?: () => number;
  readonly random?: () => number;
  /** How long to wait for the current client, and then for a better result than the first. */
  readonly graceMs?: number;
  /** How long to wait for an RPC endpoint that was ahead, when only lagging ones have responded. */
  readonly catchUpMs?: number;
  /** How often the heads of siblings are read while the current one works. */
  readonly siblingMs?: number;
  /** Called for every request to any of the URLs, with its number of calls. */
  readonly onCalls?: (calls: number) => void;
  /** The limits learned for each URL, in the order of the URLs; updated as more is learned. */
  readonly limits?: readonly UrlLimits[];
  /**
   * Whether calls are sent at the rate that each URL allows, and retried after temporary failures. Not for requests
   * that a client waits for.
   */
  readonly patient?: boolean;
}

/** How long to retry a URL that rate-limits every call: with other URLs, and alone. */
const RETRY_MS = 10_000;
const RETRY_ALONE_MS = 45_000;
/** The same if the URL alone requests the wait: what was read of a step would be lost. */
const REQUESTED_ALONE_MS = 180_000;

/** How often the heads of siblings are read by default. */
export const SIBLING_MS = 15_000;
/** The RPC endpoint in use may be this far behind a sibling: propagation differs by a block or two. */
const LAG_BLOCKS = 3;

export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { chain, now = Date.now, random = Math.random } = options;
  const { graceMs = 500, catchUpMs = 2_000, siblingMs = SIBLING_MS } = options;
  const identity: ChainIdentity = { chainId: chain.chainId, genesis: options.genesis ?? null };
  const timeoutMs = chain.timeoutSeconds * 1000;
  const { onCalls } = options;
  const cost = createCallCost(chain);
  const limits = options.limits ?? chain.rpcUrls.map(createUrlLimits);
  const rpcs = chain.rpcUrls.map((url, i) => {
    const rpc = createRpcClient({
      url,
      upstream: i + 1,
      timeoutMs,
      onCalls,
      chainId: chain.chainId,
    });
    if (!options.patient) return rpc;
    const own = limits[i]!;
    const pace = createPace({
      callsPerSecond: configuredRate(chain),
      learned: own.callsPerSecond ?? undefined,
      onRate: (rate) => {
        own.callsPerSecond = rate;
      },
    });
    const isAlone = chain.rpcUrls.length === 1;
    return createRetryingRpc(rpc, {
      pace,
      cost,
      retryMs: isAlone ? RETRY_ALONE_MS : RETRY_MS,
      requestedMs: isAlone ? REQUESTED_ALONE_MS : RETRY_MS,
    });
  });
  const keeps = limits.map((own) => createKeeps(own));
  const all = rpcs.map((rpc) => {
    const limit = limits[rpc.upstream - 1]!;
    const raw = createChainClient({ rpc, multicall: chain.multicall, limits: limit });
    const own = keeps[rpc.upstream - 1]!;
    const onUneven = () => {
      own.uneven = true;
    };
    const steady = options.patient ? withSteadyReads(raw, onUneven) : raw;
    const client = withCollectedCalls(withCheckedTimes(steady));
    return createUpstream({ client, identity, now, random });
  });
  let current = all[0];
  /** Before the first choice nothing is known about the siblings, so it waits for them a little. */
  let chosen = false;

  return {
    pick,
    failed: (client, error) => find(client).failed(error),
    worked: (client) => find(client).worked(),
    deep,
    limitsOf: (client) => limits[client.upstream - 1]!,
    isUneven: (client) => keeps[client.upstream - 1]!.uneven,
    genesisHash,
    untilLook,
    retryAt: () => Math.min(...all.map((one) => one.pausedUntil())),
    states,
    close,
  };

  async function pick({ mustHave = 0 }: { mustHave?: number } = {}): Promise<Picked> {
    const awake = all.filter((one) => one.pausedUntil() <= now());
    if (awake.length === 0) throw lastError();
    const kept = await readCurrent(awake, mustHave);
    if (kept !== null) return kept;
    // URLs that failed just now are paused, unless they are the only ones left.
    const usable = all.filter((one) => one.pausedUntil() <= now());
    return choose(await readAll(usable, mustHave), mustHave);
  }

  /** The usual case: one request. The heads of siblings are read now and then, without waiting for them. */
  async function readCurrent(awake: readonly Upstream[], mustHave: number): Promise<Picked | null> {
    const one = current;
    if (one === undefined || !awake.includes(one) || one.isReading()) return null;
    if (!chosen && awake.length > 1) return null;
    for (const sibling of awake) {
      if (sibling !== one && now() - sibling.readAt() >= siblingMs)
        sibling.readHead().catch(() => {});
    }
    const head = await within(one.readHead(), awake.length === 1 ? null : graceMs);
    if (head === null || head.number < Math.max(mustHave, bestKnown() - LAG_BLOCKS)) return null;
    return use(one, head);
  }

  function readAll(usable: readonly Upstream[], mustHave: number): Promise<Map<Upstream, Header>> {
    const answers = new Map<Upstream, Header>();
    if (usable.length === 0) return Promise.resolve(answers);
    return new Promise((resolve) => {
      let left = usable.length;
      let timer: NodeJS.Timeout | undefined;
      let deadline = Number.POSITIVE_INFINITY;
      for (const one of usable) one.readHead().then((head) => onHead(one, head), settled);

      function onHead(one: Upstream, head: Header): void {
        answers.set(one, head);
        const good = head.number >= Math.max(mustHave, bestKnown() - LAG_BLOCKS);
        if (good && one === current && chosen) finish();
        else waitAtMost(good ? graceMs : catchUpMs);
        settled();
      }

      function waitAtMost(ms: number): void {
        const end = performance.now() + ms;
        if (end >= deadline) return;
        deadline = end;
        clearTimeout(timer);
        timer = setTimeout(finish, ms);
      }

      function settled(): void {
        if (--left === 0) finish();
      }

      function finish(): void {
        clearTimeout(timer);
        resolve(answers);
      }
    });
  }

  function choose(answers: ReadonlyMap<Upstream, Header>, mustHave: number): Picked {
    if (answers.size === 0) throw lastError();
    const highest = Math.max(...[...answers.values()].map((head) => head.number));
    const minimum = Math.max(mustHave, highest - LAG_BLOCKS);
    const fit = [...answers].filter(([, head]) => head.number >= minimum);
    const best = fit.find(([one]) => one === current) ?? fit[0];
    if (best === undefined) {
      const [first] = answers.keys();
      throw new StateUnavailable({ upstream: first!.client.upstream, reason: 'unknown-block' });
    }
    return use(...best);
  }

  /** The first one used determines the chain of this ID, unless the store has it. */
  function use(one: Upstream, head: Header): Picked {
    current = one;
    chosen = true;
    identity.genesis ??= one.genesis();
    return { client: one.client, head };
  }

  /** Ignores URLs with errors: the last head before a failure proves nothing. */
  function bestKnown(): number {
    const heads = all.map((one) => (one.error() === null ? (one.head()?.number ?? 0) : 0));
    return Math.max(0, ...heads);
  }

  function deep(
    client: ChainClient,
    { alone = false }: { readonly alone?: boolean } = {},
  ): ChainClient {
    const current = deepOf(find(client));
    // A URL that has not shown the right chain ID is not read.
    const others = () =>
      all
        .filter(
          (one) => !alone && one.client !== client && one.head() !== null && one.error() === null,
        )
        .filter((one) => one.pausedUntil() <= now())
        .map(deepOf);
    return createDeepReads({ current, others, now });
  }

  function deepOf(one: Upstream): DeepUpstream {
    const head = one.head()?.number ?? null;
    return { client: one.client, head, keeps: keeps[one.client.upstream - 1]!, failed: one.failed };
  }

  function untilLook(ms: number, signal: AbortSignal): Promise<void> {
    const subscription = rpcs[current!.client.upstream - 1]!.heads;
    const seen = current!.head()?.hash ?? null;
    const minMs = chain.pollSeconds * 1000;
    return subscription === undefined
      ? pause(ms, signal)
      : untilNewHead({ subscription, seen, ms, minMs, signal });
  }

  async function genesisHash(): Promise<Hex> {
    if (identity.genesis === null) await pick();
    if (identity.genesis !== null) return identity.genesis;
    throw new StateUnavailable({ upstream: current!.client.upstream, reason: 'unknown-block' });
  }

  function states(): UpstreamState[] {
    return all.map((one) => ({
      upstream: one.client.upstream,
      head: one.head()?.number ?? null,
      error: one.error()?.safeText ?? null,
    }));
  }

  function close(): void {
    for (const rpc of rpcs) rpc.close();
  }

  function find(client: ChainClient): Upstream {
    return all[client.upstream - 1]!;
  }

  function lastError(): RpcError {
    const failing = all.filter((one) => one.error() !== null);
    failing.sort((a, b) => b.readAt() - a.readAt());
    return failing[0]?.error() ?? new RpcUnreachable({ upstream: 1, reason: 'connection' });
  }
}

/** Returns null if it fails or takes longer; a later result is ignored. */
function within<T>(promise: Promise<T>, ms: number | null): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = ms === null ? undefined : setTimeout(() => resolve(null), ms);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      () => {
        clearTimeout(timer);
        resolve(null);
      },
    );
  });
}
