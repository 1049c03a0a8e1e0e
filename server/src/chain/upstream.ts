import type { Hex } from '../domain/hex.ts';
import type { ChainClient, Header } from './chainClient.ts';
import { NodesDiffer } from './deepReads.ts';
import {
  RangeTooWide,
  RpcError,
  RpcRateLimited,
  RpcUnreachable,
  StateUnavailable,
  TooManyAddresses,
  WrongChain,
} from './rpcError.ts';

/** One URL of a chain: its client, its last head, and its pause after a failure. */
export interface Upstream {
  readonly client: ChainClient;
  head(): Header | null;
  /** The hash of its first block; null if unknown, or if it does not have it. */
  genesis(): Hex | null;
  /** The error of its last use; null while it works. */
  error(): RpcError | null;
  /** When its head was last read, in ms. */
  readAt(): number;
  /** Whether a request for its head is in flight. */
  isReading(): boolean;
  pausedUntil(): number;
  /** Reads its head; a slow URL gets no second request meanwhile. */
  readHead(): Promise<Header>;
  failed(error: RpcError): void;
  worked(): void;
}

/** The properties that all URLs of a chain share. */
export interface ChainIdentity {
  readonly chainId: number;
  /** From the URL that was used first, or from the store. */
  genesis: Hex | null;
}

const URGENT = { urgent: true };
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** The maximum pause, also if a provider requests hours. */
const MAX_REQUESTED_MS = 120_000;

export function createUpstream(options: {
  client: ChainClient;
  identity: ChainIdentity;
  now: () => number;
  random: () => number;
}): Upstream {
  const { client, identity, now, random } = options;
  const { upstream } = client;
  let head: Header | null = null;
  let genesis: Hex | null = null;
  let error: RpcError | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let isReading: Promise<Header> | null = null;
  let pausedUntil = 0;
  let failures = 0;
  let headFailed = false;
  /** Whether it has returned the right chain ID since its last failure. */
  let known = false;

  return {
    client,
    head: () => head,
    genesis: () => genesis,
    error: () => error,
    readAt: () => readAt,
    isReading: () => isReading !== null,
    pausedUntil: () => pausedUntil,
    readHead,
    failed,
    worked,
  };

  function readHead(): Promise<Header> {
    if (isReading !== null) return isReading;
    readAt = now();
    isReading = readLatest().finally(() => {
      isReading = null;
    });
    return isReading;
  }

  async function readLatest(): Promise<Header> {
    try {
      if (!known) await check();
      checkGenesis();
      const latest = await client.header('latest', URGENT);
      if (latest === null) throw new RpcUnreachable({ upstream, reason: 'garbage' });
      head = latest;
    } catch (cause) {
      if (cause instanceof RpcError) pauseAfter(cause, true);
      throw cause;
    }
    error = null;
    // A head alone does not reset failures of other requests: pauses would never grow.
    if (headFailed) failures = 0;
    headFailed = false;
    return head;
  }

  /** A URL may come back as another chain, so this is repeated after each failure. */
  async function check(): Promise<void> {
    const expected = identity.chainId;
    const [actual, first] = await Promise.all([client.chainId(), client.header(0, URGENT)]);
    if (actual !== expected) throw new WrongChain({ upstream, expected, actual });
    genesis = first?.hash ?? null;
    known = true;
  }

  /** URLs are read concurrently, so the right chain may be known only later. */
  function checkGenesis(): void {
    if (genesis === null || identity.genesis === null || genesis === identity.genesis) return;
    throw new WrongChain({ upstream, expected: identity.chainId, actual: identity.chainId });
  }

  function failed(cause: RpcError): void {
    // In these cases the RPC endpoint works, only not for this request, or the request was cancelled.
    if (cause instanceof RangeTooWide || cause instanceof TooManyAddresses) return;
    if (cause instanceof StateUnavailable && cause.reason === 'pruned') return;
    if (cause instanceof NodesDiffer) return;
    if (cause instanceof RpcUnreachable && cause.reason === 'aborted') return;
    pauseAfter(cause, false);
  }

  function pauseAfter(cause: RpcError, byHead: boolean): void {
    error = cause;
    known = false;
    // Requests in flight together fail together: that is one failure.
    if (pausedUntil > now()) return;
    const longest = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10));
    const requestedMs = cause instanceof RpcRateLimited ? (cause.retryAfterSeconds ?? 0) * 1000 : 0;
    const jittered = longest * (0.5 + random() / 2);
    pausedUntil = now() + Math.max(Math.min(requestedMs, MAX_REQUESTED_MS), jittered);
    failures++;
    headFailed = byHead;
  }

  function worked(): void {
    failures = 0;
    headFailed = false;
    pausedUntil = 0;
    error = null;
  }
}
