import type { Hex } from '../domain/hex.ts';

/** What a node said with its no, to be matched against and never shown: it may carry its URL, a key or a host name. */
export interface NodeWords {
  /** In lower case. */
  readonly text: string;
  /** What a reverted call returned. */
  readonly data: Hex | null;
}

const NO_WORDS: NodeWords = { text: '', data: null };

/** What can go wrong between us and a node. Every text that is shown is written by us. */
export abstract class RpcError extends Error {
  /** Whether the same request may succeed later, unchanged. */
  abstract readonly retry: boolean;
  /** Which of the chain's upstreams failed, from 1. */
  readonly upstream: number;
  // Private, so that nothing that prints or serialises an error shows it.
  #words = NO_WORDS;

  constructor(upstream: number, safeText: string) {
    super(safeText);
    this.name = new.target.name;
    this.upstream = upstream;
  }

  /** Fit for logs and for the status page: no URL, host, key or text of the node. */
  get safeText(): string {
    return this.message;
  }

  /** The node's own; empty where it gave no answer. */
  get words(): NodeWords {
    return this.#words;
  }

  quoting(words: NodeWords): this {
    this.#words = words;
    return this;
  }
}

export type UnreachableReason =
  | 'connection'
  | 'timeout'
  | 'status'
  | 'garbage'
  | 'oversized'
  | 'unhealthy'
  | 'aborted';

const UNREACHABLE_TEXTS: Record<UnreachableReason, string> = {
  connection: 'does not accept or keep a connection',
  timeout: 'did not answer in time',
  status: 'answered with an HTTP error',
  garbage: 'answered with something that is not a valid JSON-RPC answer',
  oversized: 'answered with more bytes than are accepted',
  unhealthy: 'says that it cannot serve requests now',
  aborted: 'was asked no further: the request was cancelled',
};

/** No usable answer came back. */
export class RpcUnreachable extends RpcError {
  readonly retry = true;
  readonly reason: UnreachableReason;
  /** The HTTP status where that was the failure. */
  readonly status: number | null;

  constructor(fields: { upstream: number; reason: UnreachableReason; status?: number }) {
    super(fields.upstream, unreachableText(fields));
    this.reason = fields.reason;
    this.status = fields.status ?? null;
  }
}

function unreachableText(fields: {
  upstream: number;
  reason: UnreachableReason;
  status?: number;
}): string {
  const subject = `rpc ${fields.upstream}`;
  if (fields.status === 401 || fields.status === 403) {
    return `${subject} refuses our credentials (HTTP ${fields.status}): check the key in its URL`;
  }
  const status = fields.status === undefined ? '' : ` ${fields.status}`;
  return `${subject} ${UNREACHABLE_TEXTS[fields.reason]}${status}`;
}

/** The node wants fewer requests. */
export class RpcRateLimited extends RpcError {
  readonly retry = true;
  readonly retryAfterSeconds: number | null;
  /** Whether the plan's calls for the day or the month are used up: waiting a little does not help. */
  readonly quota: boolean;

  constructor(fields: { upstream: number; retryAfterSeconds: number | null; quota?: boolean }) {
    const wait = fields.retryAfterSeconds === null ? '' : ` for ${fields.retryAfterSeconds} s`;
    super(
      fields.upstream,
      fields.quota === true
        ? `the plan of rpc ${fields.upstream} has no calls left for the day or the month`
        : `rpc ${fields.upstream} limits our request rate${wait}`,
    );
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.quota = fields.quota ?? false;
  }
}

/** The node wants a narrower eth_getLogs: by blocks, by results or by bytes. */
export class RangeTooWide extends RpcError {
  readonly retry = false;
  /** The last block of a range with the same start that the node says it would answer. */
  readonly suggestedTo: number | null;
  /** The node's own limit in blocks, where it names one: it will not change with the data. */
  readonly maxBlocks: number | null;

  constructor(fields: {
    upstream: number;
    suggestedTo: number | null;
    maxBlocks: number | null;
  }) {
    const limit = fields.maxBlocks === null ? '' : ` (at most ${fields.maxBlocks} blocks)`;
    super(fields.upstream, `rpc ${fields.upstream} wants a narrower log range${limit}`);
    this.suggestedTo = fields.suggestedTo;
    this.maxBlocks = fields.maxBlocks;
  }
}

/** The node rejects an eth_getLogs for the number of addresses in its filter, regardless of the range. */
export class TooManyAddresses extends RpcError {
  readonly retry = false;
  /** The node's limit, where its message names one. */
  readonly maxAddresses: number | null;

  constructor(fields: { upstream: number; maxAddresses: number | null }) {
    const limit = fields.maxAddresses === null ? '' : ` (at most ${fields.maxAddresses})`;
    super(
      fields.upstream,
      `rpc ${fields.upstream} rejected the log filter: too many addresses${limit}`,
    );
    this.maxAddresses = fields.maxAddresses;
  }
}

/** The node is well but does not hold what was asked: pruned state or logs, or a block it has not reached. */
export class StateUnavailable extends RpcError {
  readonly retry: boolean;
  readonly reason: 'pruned' | 'unknown-block';
  /** What of the block it does not keep. */
  readonly of: 'state' | 'logs';

  constructor(fields: {
    upstream: number;
    reason: 'pruned' | 'unknown-block';
    of?: 'state' | 'logs';
  }) {
    const of = fields.of ?? 'state';
    super(
      fields.upstream,
      fields.reason === 'pruned'
        ? `rpc ${fields.upstream} no longer keeps the ${of} of that block: an archive node is needed`
        : `rpc ${fields.upstream} does not have that block`,
    );
    this.reason = fields.reason;
    this.of = of;
    this.retry = fields.reason === 'unknown-block';
  }
}

const CODE_WORDS: Record<number, string> = {
  3: 'execution reverted',
  [-32700]: 'parse error',
  [-32600]: 'invalid request',
  [-32601]: 'unknown method',
  [-32602]: 'invalid parameters',
  [-32603]: 'internal error',
  [-32000]: 'server error',
  [-32004]: 'unsupported method',
};

/** Any other JSON-RPC error. */
export class RpcRefused extends RpcError {
  readonly retry: boolean;
  readonly code: number;
  readonly reverted: boolean;

  constructor(fields: { upstream: number; code: number; reverted: boolean }) {
    const word = fields.reverted ? 'execution reverted' : (CODE_WORDS[fields.code] ?? 'error');
    super(fields.upstream, `rpc ${fields.upstream} refused the request: ${word} (${fields.code})`);
    this.code = fields.code;
    this.reverted = fields.reverted;
    this.retry = !fields.reverted && (fields.code === -32603 || isServerCode(fields.code));
  }
}

/** -32000 to -32099 are the server's own; -32004 among them means a method that will never exist. */
function isServerCode(code: number): boolean {
  return code <= -32000 && code >= -32099 && code !== -32004;
}

/** The URL belongs to another chain than the configuration says. */
export class WrongChain extends RpcError {
  readonly retry = false;
  readonly expected: number;
  /** Equal to `expected` when the id agrees but the first block is another chain's. */
  readonly actual: number;

  constructor(fields: { upstream: number; expected: number; actual: number }) {
    super(
      fields.upstream,
      fields.actual === fields.expected
        ? `rpc ${fields.upstream} answers for another chain with id ${fields.actual}: its first block differs`
        : `rpc ${fields.upstream} answers for chain ${fields.actual}, the configuration says ${fields.expected}`,
    );
    this.expected = fields.expected;
    this.actual = fields.actual;
  }
}
