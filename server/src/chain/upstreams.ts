import type { ChainConfig } from '../config/config.ts';
import type { Hex } from '../domain/hex.ts';
import { pause } from '../runtime/pause.ts';
import type { ChainClient, Header } from './chainClient.ts';
import { createDeepReads, type DeepUpstream } from './deepReads.ts';
import { untilNewHead } from './headWait.ts';
import { openUrls } from './openUrls.ts';
import { createPicker } from './pickUpstream.ts';
import { type RpcError, StateUnavailable } from './rpcError.ts';
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

export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { chain, now = Date.now, random = Math.random } = options;
  const identity: ChainIdentity = { chainId: chain.chainId, genesis: options.genesis ?? null };
  const limits = options.limits ?? chain.rpcUrls.map(createUrlLimits);
  const opened = openUrls({ ...options, limits });
  const all = opened.map(({ client }) => createUpstream({ client, identity, now, random }));
  const picker = createPicker({ ...options, all, identity, now });

  return {
    pick: picker.pick,
    failed: (client, error) => find(client).failed(error),
    worked: (client) => find(client).worked(),
    deep,
    limitsOf: (client) => limits[client.upstream - 1]!,
    isUneven: (client) => opened[client.upstream - 1]!.keeps.uneven,
    genesisHash,
    untilLook,
    retryAt: () => Math.min(...all.map((one) => one.pausedUntil())),
    states,
    close,
  };

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
    return {
      client: one.client,
      head,
      keeps: opened[one.client.upstream - 1]!.keeps,
      failed: one.failed,
    };
  }

  function untilLook(ms: number, signal: AbortSignal): Promise<void> {
    const subscription = opened[picker.current().client.upstream - 1]!.rpc.heads;
    const seen = picker.current().head()?.hash ?? null;
    const minMs = chain.pollSeconds * 1000;
    return subscription === undefined
      ? pause(ms, signal)
      : untilNewHead({ subscription, seen, ms, minMs, signal });
  }

  async function genesisHash(): Promise<Hex> {
    if (identity.genesis === null) await picker.pick();
    if (identity.genesis !== null) return identity.genesis;
    throw new StateUnavailable({
      upstream: picker.current().client.upstream,
      reason: 'unknown-block',
    });
  }

  function states(): UpstreamState[] {
    return all.map((one) => ({
      upstream: one.client.upstream,
      head: one.head()?.number ?? null,
      error: one.error()?.safeText ?? null,
    }));
  }

  function close(): void {
    for (const { rpc } of opened) rpc.close();
  }

  function find(client: ChainClient): Upstream {
    return all[client.upstream - 1]!;
  }
}
