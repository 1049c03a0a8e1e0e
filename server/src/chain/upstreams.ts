import type { ChainConfig } from '../config/config.ts';
import type { Hex } from '../domain/hex.ts';
import { pause } from '../runtime/pause.ts';
import type { ChainClient, Header } from './chainClient.ts';
import { withCheckedTimes } from './checkedTimes.ts';
import { createChainClient } from './client.ts';
import { createDeepReads, createKeeps, type DeepUpstream } from './deepReads.ts';
import { withGatheredCalls } from './gatheredCalls.ts';
import { untilNews } from './headWait.ts';
import { createPace } from './pace.ts';
import { createPatientRpc } from './patientRpc.ts';
import { createRpcClient } from './rpcClient.ts';
import { type RpcError, RpcUnreachable, StateUnavailable } from './rpcError.ts';
import { withSteadyReads } from './steadyReads.ts';
import { type ChainIdentity, createUpstream, type Upstream } from './upstream.ts';
import { createUrlLimits, type UrlLimits } from './urlLimits.ts';

export interface Picked {
  readonly client: ChainClient;
  /** That client's own head, read just now. */
  readonly head: Header;
}

export interface UpstreamState {
  readonly upstream: number;
  /** The last head it told us. */
  readonly head: number | null;
  /** In safe words; null while it works. */
  readonly error: string | null;
}

/** The URLs of one chain, of which one is used at a time. */
export interface Upstreams {
  /**
   * The client to use now: the current one while it answers and keeps up, else the best of its siblings.
   * Throws the last RpcError when none answers, and StateUnavailable when none has reached `mustHave`.
   */
  pick(options?: { mustHave?: number }): Promise<Picked>;
  /** A request failed: the client rests, for longer each time. */
  failed(client: ChainClient, error: RpcError): void;
  /**
   * The same client with care for what nodes keep of the past. Of blocks that cannot be taken back, what its URL lacks is
   * asked of the others; `alone`: the blocks can be, and no other URL is asked.
   */
  deep(client: ChainClient, options?: { readonly alone?: boolean }): ChainClient;
  /** Whether the client's URL was seen to stand for nodes that differ: what it says of its newest blocks is checked again. */
  isUneven(client: ChainClient): boolean;
  /** What the client's URL has taught. */
  limitsOf(client: ChainClient): UrlLimits;
  /** A request other than for the head succeeded: the client's failures are forgiven. */
  worked(client: ChainClient): void;
  /** Names the chain among those of the same id. */
  genesisHash(): Promise<Hex>;
  /** Rests until the next look is due: at a new head where the URL in use tells of them, else after `ms`. */
  untilLook(ms: number, signal: AbortSignal): Promise<void>;
  /** When a client may be tried again, in ms of the clock; not later than now: at once. */
  retryAt(): number;
  states(): UpstreamState[];
  /** Ends what is under way. */
  close(): void;
}

export interface UpstreamsOptions {
  readonly chain: ChainConfig;
  /** The chain's first block as the store knows it: URLs of any other chain are refused. */
  readonly genesis?: Hex | null;
  /** Milliseconds. */
  readonly now?: () => number;
  readonly random?: () => number;
  /** How long to wait for the current client, and then for a better answer than the first. */
  readonly graceMs?: number;
  /** How long to wait for a node that was ahead, when only lagging ones have answered. */
  readonly patienceMs?: number;
  /** How often siblings are asked for their head while the current one works. */
  readonly siblingMs?: number;
  /** Told of every request to any of the URLs, with how many calls it has. */
  readonly onCalls?: (calls: number) => void;
  /** What each URL has taught, in the order of the URLs; changed as more is learned. */
  readonly limits?: readonly UrlLimits[];
  /**
   * Whether each URL is asked at the pace that it allows, and calls that fail for a passing reason are repeated. Nobody who
   * waits for an answer should ask for it.
   */
  readonly patient?: boolean;
}

/** How long a URL that limits every call is waited for: with others to turn to, and alone. */
const PATIENCE_MS = 10_000;
const PATIENCE_ALONE_MS = 45_000;

/** How often siblings are asked for their head by default. */
export const SIBLING_MS = 15_000;
/** The node in use may be this far behind a sibling: propagation differs by a block or two. */
const LAG_BLOCKS = 3;

export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { chain, now = Date.now, random = Math.random } = options;
  const { graceMs = 500, patienceMs = 2_000, siblingMs = SIBLING_MS } = options;
  const identity: ChainIdentity = { chainId: chain.chainId, genesis: options.genesis ?? null };
  const timeoutMs = chain.timeoutSeconds * 1000;
  const { onCalls } = options;
  const limits = options.limits ?? chain.rpcUrls.map(createUrlLimits);
  const rpcs = chain.rpcUrls.map((url, i) => {
    const rpc = createRpcClient({ url, upstream: i + 1, timeoutMs, onCalls });
    if (!options.patient) return rpc;
    const own = limits[i]!;
    const pace = createPace({
      callsPerSecond: chain.callsPerSecond,
      learned: own.callsPerSecond ?? undefined,
      onRate: (rate) => {
        own.callsPerSecond = rate;
      },
    });
    return createPatientRpc(rpc, {
      pace,
      patienceMs: chain.rpcUrls.length > 1 ? PATIENCE_MS : PATIENCE_ALONE_MS,
    });
  });
  const keeps = rpcs.map(createKeeps);
  const all = rpcs.map((rpc) => {
    const limit = limits[rpc.upstream - 1]!;
    const raw = createChainClient({ rpc, multicall: chain.multicall, limits: limit });
    const own = keeps[rpc.upstream - 1]!;
    const onUneven = () => {
      own.uneven = true;
    };
    const steady = options.patient ? withSteadyReads(raw, onUneven) : raw;
    const client = withGatheredCalls(withCheckedTimes(steady));
    return createUpstream({ client, identity, now, random });
  });
  let current = all[0];
  /** Before the first choice nothing is known of the siblings, so it waits for them a little. */
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
    retryAt: () => Math.min(...all.map((one) => one.restsUntil())),
    states,
    close,
  };

  async function pick({ mustHave = 0 }: { mustHave?: number } = {}): Promise<Picked> {
    const awake = all.filter((one) => one.restsUntil() <= now());
    if (awake.length === 0) throw lastError();
    const kept = await askCurrent(awake, mustHave);
    if (kept !== null) return kept;
    // What failed just now has gone to rest, unless nothing else is left to wait for.
    const usable = all.filter((one) => one.restsUntil() <= now());
    return choose(await askAll(usable, mustHave), mustHave);
  }

  /** The usual case: one request. Siblings are looked at now and then, without waiting for them. */
  async function askCurrent(awake: readonly Upstream[], mustHave: number): Promise<Picked | null> {
    const one = current;
    if (one === undefined || !awake.includes(one) || one.asking()) return null;
    if (!chosen && awake.length > 1) return null;
    for (const sibling of awake) {
      if (sibling !== one && now() - sibling.askedAt() >= siblingMs) sibling.ask().catch(() => {});
    }
    const head = await within(one.ask(), awake.length === 1 ? null : graceMs);
    if (head === null || head.number < Math.max(mustHave, bestKnown() - LAG_BLOCKS)) return null;
    return use(one, head);
  }

  function askAll(usable: readonly Upstream[], mustHave: number): Promise<Map<Upstream, Header>> {
    const answers = new Map<Upstream, Header>();
    if (usable.length === 0) return Promise.resolve(answers);
    return new Promise((resolve) => {
      let left = usable.length;
      let timer: NodeJS.Timeout | undefined;
      let deadline = Number.POSITIVE_INFINITY;
      for (const one of usable) one.ask().then((head) => heard(one, head), settled);

      function heard(one: Upstream, head: Header): void {
        answers.set(one, head);
        const good = head.number >= Math.max(mustHave, bestKnown() - LAG_BLOCKS);
        if (good && one === current && chosen) finish();
        else waitAtMost(good ? graceMs : patienceMs);
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
    const least = Math.max(mustHave, highest - LAG_BLOCKS);
    const fit = [...answers].filter(([, head]) => head.number >= least);
    const best = fit.find(([one]) => one === current) ?? fit[0];
    if (best === undefined) {
      const [first] = answers.keys();
      throw new StateUnavailable({ upstream: first!.client.upstream, reason: 'unknown-block' });
    }
    return use(...best);
  }

  /** The first one used says which chain of this id is meant, unless the store knew. */
  function use(one: Upstream, head: Header): Picked {
    current = one;
    chosen = true;
    identity.genesis ??= one.genesis();
    return { client: one.client, head };
  }

  /** Of those in order: the last head of a node that has failed since proves nothing. */
  function bestKnown(): number {
    const heads = all.map((one) => (one.error() === null ? (one.head()?.number ?? 0) : 0));
    return Math.max(0, ...heads);
  }

  function deep(
    client: ChainClient,
    { alone = false }: { readonly alone?: boolean } = {},
  ): ChainClient {
    const current = deepOf(find(client));
    // A URL that has not shown to be of this chain is not asked.
    const others = () =>
      all
        .filter(
          (one) => !alone && one.client !== client && one.head() !== null && one.error() === null,
        )
        .filter((one) => one.restsUntil() <= now())
        .map(deepOf);
    return createDeepReads({ current, others, now });
  }

  function deepOf(one: Upstream): DeepUpstream {
    const head = one.head()?.number ?? null;
    return { client: one.client, head, keeps: keeps[one.client.upstream - 1]!, failed: one.failed };
  }

  function untilLook(ms: number, signal: AbortSignal): Promise<void> {
    const news = rpcs[current!.client.upstream - 1]!.heads;
    const seen = current!.head()?.hash ?? null;
    const leastMs = chain.pollSeconds * 1000;
    return news === undefined ? pause(ms, signal) : untilNews({ news, seen, ms, leastMs, signal });
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
    failing.sort((a, b) => b.askedAt() - a.askedAt());
    return failing[0]?.error() ?? new RpcUnreachable({ upstream: 1, reason: 'connection' });
  }
}

/** Null when it fails or takes longer; it goes on unheard then. */
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
