import type { Hex } from '../domain/hex.ts';

/** The text and data of an RPC endpoint's error, for matching only: it may contain its URL, a key, or a host name. */
export interface RawRpcError {
  /** In lower case. */
  readonly text: string;
  /** The return data of a reverted call. */
  readonly data: Hex | null;
}

const NO_RAW_ERROR: RawRpcError = { text: '', data: null };

/** A failed RPC request. Every text that is shown comes from this file, never from the RPC endpoint. */
export abstract class RpcError extends Error {
  /** Whether the same request may succeed later, unchanged. */
  abstract readonly retry: boolean;
  /** Which of the chain's upstreams failed, from 1. */
  readonly upstream: number;
  // Private, so that nothing that prints or serializes an error shows it.
  #raw = NO_RAW_ERROR;

  constructor(upstream: number, safeText: string) {
    super(safeText);
    this.name = new.target.name;
    this.upstream = upstream;
  }

  /** Safe for logs and the status page: no URL, host, key, or text of the RPC endpoint. */
  get safeText(): string {
    return this.message;
  }

  /** The RPC endpoint's error; empty if it did not respond. */
  get raw(): RawRpcError {
    return this.#raw;
  }

  withRaw(raw: RawRpcError): this {
    this.#raw = raw;
    return this;
  }
}

export type UnreachableReason =
  | 'connection'
  | 'timeout'
  | 'server-timeout'
  | 'status'
  | 'garbage'
  | 'oversized'
  | 'unhealthy'
  | 'aborted';

const UNREACHABLE_TEXTS: Record<UnreachableReason, string> = {
  connection: 'does not accept or keep a connection',
  timeout: 'did not answer in time',
  'server-timeout': 'reported a timeout',
  status: 'answered with an HTTP error',
  garbage: 'answered with something that is not a valid JSON-RPC answer',
  oversized: 'answered with more bytes than are accepted',
  unhealthy: 'says that it cannot serve requests now',
  aborted: 'was asked no further: the request was cancelled',
};

/** No usable response came back. */
export class RpcUnreachable extends RpcError {
  readonly retry = true;
  readonly reason: UnreachableReason;
  /** The HTTP status, if that was the failure. */
  readonly status: number | null;

  constructor(fields: { upstream: number; reason: UnreachableReason; status?: number }) {
    super(fields.upstream, unreachableText(fields));
    this.reason = fields.reason;
    this.status = fields.status ?? null;
  }

  /** Whether the request took too long, here or behind the URL: a smaller one may not. */
  get isTimeout(): boolean {
    return this.reason === 'timeout' || this.reason === 'server-timeout';
  }
}

function unreachableText(fields: {
  upstream: number;
  reason: UnreachableReason;
  status?: number;
}): string {
  const subject = `rpc ${fields.upstream}`;
  if (fields.status === 401 || fields.status === 403) {
    return `${subject} rejected the credentials (HTTP ${fields.status}): check the key in its URL`;
  }
  const status = fields.status === undefined ? '' : ` ${fields.status}`;
  return `${subject} ${UNREACHABLE_TEXTS[fields.reason]}${status}`;
}

/** The RPC endpoint rejected the request rate. */
export class RpcRateLimited extends RpcError {
  readonly retry = true;
  readonly retryAfterSeconds: number | null;
  /** Whether the plan's calls for the day or the month are used up: a short wait does not help. */
  readonly quota: boolean;

  constructor(fields: { upstream: number; retryAfterSeconds: number | null; quota?: boolean }) {
    const wait = fields.retryAfterSeconds === null ? '' : ` for ${fields.retryAfterSeconds} s`;
    super(
      fields.upstream,
      fields.quota === true
        ? `the plan of rpc ${fields.upstream} has no calls left for the day or the month`
        : `rpc ${fields.upstream} limits the request rate${wait}`,
    );
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.quota = fields.quota ?? false;
  }
}

/** The RPC endpoint rejected the range of an eth_getLogs: by blocks, results, or bytes. */
export class RangeTooWide extends RpcError {
  readonly retry = false;
  /** The last block of an acceptable range with the same start, if the error contains it. */
  readonly suggestedTo: number | null;
  /** The limit in blocks, if the error contains one: it does not depend on the data. */
  readonly maxBlocks: number | null;

  constructor(fields: {
    upstream: number;
    suggestedTo: number | null;
    maxBlocks: number | null;
  }) {
    const limit = fields.maxBlocks === null ? '' : ` (at most ${fields.maxBlocks} blocks)`;
    super(fields.upstream, `rpc ${fields.upstream} rejected the log range as too wide${limit}`);
    this.suggestedTo = fields.suggestedTo;
    this.maxBlocks = fields.maxBlocks;
  }
}

/** The RPC endpoint rejected the number of addresses in the filter of an eth_getLogs, regardless of the range. */
export class TooManyAddresses extends RpcError {
  readonly retry = false;
  /** The limit, if the error contains one. */
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

/** The RPC endpoint works but does not have the data: pruned state or logs, or a block it has not reached. */
export class StateUnavailable extends RpcError {
  readonly retry: boolean;
  readonly reason: 'pruned' | 'unknown-block';
  /** Which data of the block it lacks. */
  readonly of: 'state' | 'logs';
  /** Whether the text can mean either, so that the distance from the head decides (distance.ts). */
  readonly mayBePruned: boolean;

  constructor(fields: {
    upstream: number;
    reason: 'pruned' | 'unknown-block';
    of?: 'state' | 'logs';
    mayBePruned?: boolean;
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
    this.mayBePruned = fields.mayBePruned ?? false;
    this.retry = fields.reason === 'unknown-block';
  }
}

const CODE_TEXTS: Record<number, string> = {
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
    const word = fields.reverted ? 'execution reverted' : (CODE_TEXTS[fields.code] ?? 'error');
    super(fields.upstream, `rpc ${fields.upstream} refused the request: ${word} (${fields.code})`);
    this.code = fields.code;
    this.reverted = fields.reverted;
    this.retry = !fields.reverted && (fields.code === -32603 || isServerCode(fields.code));
  }
}

/** -32000 to -32099 are server errors; -32004 among them means an unsupported method. */
function isServerCode(code: number): boolean {
  return code <= -32000 && code >= -32099 && code !== -32004;
}

/** The URL belongs to another chain than configured. */
export class WrongChain extends RpcError {
  readonly retry = false;
  readonly expected: number;
  /** Equal to `expected` if the ID matches but the first block differs. */
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
