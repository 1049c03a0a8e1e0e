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

/** One URL of a chain: its client, the last head it told, and whether it rests after a failure. */
export interface Upstream {
  readonly client: ChainClient;
  head(): Header | null;
  /** The hash of its first block; null while unknown, or where it does not keep it. */
  genesis(): Hex | null;
  /** What was wrong when it was last used; null while it works. */
  error(): RpcError | null;
  /** When its head was last asked for, in ms. */
  askedAt(): number;
  /** Whether a request for its head is still under way. */
  asking(): boolean;
  restsUntil(): number;
  /** Its head now; a slow node is not asked again while it is being asked. */
  ask(): Promise<Header>;
  failed(error: RpcError): void;
  worked(): void;
}

/** What all URLs of a chain must agree on. */
export interface ChainIdentity {
  readonly chainId: number;
  /** Of the URL that was used first, or as the store knows it. */
  genesis: Hex | null;
}

const URGENT = { urgent: true };
const FIRST_REST_MS = 500;
const LONGEST_REST_MS = 30_000;
/** A provider may name hours; then it is still asked now and then. */
const LONGEST_TOLD_MS = 120_000;

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
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<Header> | null = null;
  let restsUntil = 0;
  let failures = 0;
  let headFailed = false;
  /** Whether it has shown to be of this chain since its last failure. */
  let known = false;

  return {
    client,
    head: () => head,
    genesis: () => genesis,
    error: () => error,
    askedAt: () => askedAt,
    asking: () => asking !== null,
    restsUntil: () => restsUntil,
    ask,
    failed,
    worked,
  };

  function ask(): Promise<Header> {
    if (asking !== null) return asking;
    askedAt = now();
    asking = askHead().finally(() => {
      asking = null;
    });
    return asking;
  }

  async function askHead(): Promise<Header> {
    try {
      if (!known) await check();
      checkGenesis();
      const latest = await client.header('latest', URGENT);
      if (latest === null) throw new RpcUnreachable({ upstream, reason: 'garbage' });
      head = latest;
    } catch (cause) {
      if (cause instanceof RpcError) rest(cause, true);
      throw cause;
    }
    error = null;
    // A head alone does not forgive failures of other requests: they would never rest for longer.
    if (headFailed) failures = 0;
    headFailed = false;
    return head;
  }

  /** A URL may come back as another chain, so this is done anew after each failure. */
  async function check(): Promise<void> {
    const expected = identity.chainId;
    const [actual, first] = await Promise.all([client.chainId(), client.header(0, URGENT)]);
    if (actual !== expected) throw new WrongChain({ upstream, expected, actual });
    genesis = first?.hash ?? null;
    known = true;
  }

  /** Asked at the same time as its siblings, it may learn only later that the chain is another. */
  function checkGenesis(): void {
    if (genesis === null || identity.genesis === null || genesis === identity.genesis) return;
    throw new WrongChain({ upstream, expected: identity.chainId, actual: identity.chainId });
  }

  function failed(cause: RpcError): void {
    // In these cases the node answered well, only not this, or it was us who gave up.
    if (cause instanceof RangeTooWide || cause instanceof TooManyAddresses) return;
    if (cause instanceof StateUnavailable && cause.reason === 'pruned') return;
    if (cause instanceof NodesDiffer) return;
    if (cause instanceof RpcUnreachable && cause.reason === 'aborted') return;
    rest(cause, false);
  }

  function rest(cause: RpcError, byHead: boolean): void {
    error = cause;
    known = false;
    // Requests that were under way together fail together: that is one failure.
    if (restsUntil > now()) return;
    const longest = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(failures, 10));
    const told = cause instanceof RpcRateLimited ? (cause.retryAfterSeconds ?? 0) * 1000 : 0;
    const jittered = longest * (0.5 + random() / 2);
    restsUntil = now() + Math.max(Math.min(told, LONGEST_TOLD_MS), jittered);
    failures++;
    headFailed = byHead;
  }

  function worked(): void {
    failures = 0;
    headFailed = false;
    restsUntil = 0;
    error = null;
  }
}
