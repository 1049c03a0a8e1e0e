/** Determines the cost and the limits of a call. */
export type CallKind = 'logs' | 'call' | 'header' | 'head' | 'chainId' | 'receipts';

/**
 * How a rejection looks on the wire. `{name}` in a text is replaced by a value of the call, `{max}` by the limit. Without
 * a code the body is `html`, or empty.
 */
export interface Form {
  readonly status: number;
  readonly code?: number;
  readonly message?: string;
  readonly html?: string;
  /** Share of these responses that have a `Retry-After` header. */
  readonly retryAfter?: number;
}

/** Blocks below the head that can be read; `Infinity`: all. */
export interface Depth {
  readonly state: number;
  readonly logs: number;
}

/** One RPC endpoint behind the provider's URL. Calls are spread over them at random. */
export interface ProviderNode {
  readonly depth: Depth;
  /** Blocks behind the chain's head, drawn per call from this range. */
  readonly lag?: readonly [min: number, max: number];
  /** Returns the logs up to its own head without an error when the range goes beyond it. */
  readonly clipsRanges?: boolean;
  /** Share of the log calls for blocks it lacks that it answers with `[]` instead of an error. */
  readonly emptyShare?: number;
  /** Blocks between its head and its `finalized` and `safe` block. Absent: the target's. */
  readonly finalizedLag?: number;
  /** `blockTimestamp` of its logs: the block's time, or zero. Absent: as the target sends it. */
  readonly logTimestamps?: 'time' | 'zero';
}

export type ProviderFault =
  /** A rejection instead of the response. Forms without a code replace a whole batch. */
  | { readonly kind: 'reject'; readonly share: number; readonly form: Form }
  /** A response that takes this long. */
  | { readonly kind: 'slow'; readonly share: number; readonly seconds: number }
  /** Log calls over more than this many blocks or results that time out. */
  | {
      readonly kind: 'timeout';
      readonly share: number;
      readonly seconds: number;
      readonly blocks?: number;
      readonly results?: number;
      readonly form: Form;
    }
  /** From some request on, every request gets this form; without one, connections are refused. */
  | {
      readonly kind: 'outage';
      readonly share: number;
      readonly seconds: number;
      readonly form: Form | null;
    };

/** Limits the calls of these methods, all methods unless listed, with the forms of the rate limit. */
export interface Variant {
  readonly share: number;
  readonly methods?: readonly string[];
}

export type VariantName = 'random-429' | 'no-logs';

/** An RPC plan: its limits, its rejections, and its faults. */
export interface Profile {
  /** A bucket of units: refilled each second up to `burst`. Null: no limit. */
  readonly rate: {
    readonly perSecond: number;
    readonly burst: number;
    /** How long every call is limited after a call found the bucket empty. */
    readonly penaltySeconds?: number;
    /** Used in turn. */
    readonly forms: readonly Form[];
  } | null;
  readonly costs: Readonly<Record<CallKind, number>> & {
    /** For calls that reach more than this many blocks below the head. */
    readonly deep?: { readonly blocks: number; readonly factor: number };
    /** Of a rejected call. Absent: the full cost. Limited calls cost nothing. */
    readonly rejected?: number;
  };
  readonly quota?: { readonly units: number; readonly per: 'day' | 'month'; readonly form: Form };
  readonly range: {
    readonly max: number;
    /** `difference`: `to − from`; `blocks`: one more. */
    readonly counts: 'blocks' | 'difference';
    readonly form: Form;
    /** Log calls that begin deeper below the head get the same form, however narrow they are. */
    readonly deepest?: number;
  };
  readonly results: {
    readonly max: number;
    readonly form: Form;
    /** Every n-th rejection suggests the rejected range again. */
    readonly uselessHintEvery?: number;
  } | null;
  /** Addresses of a log filter, or addresses and topics together. */
  readonly filter?: {
    readonly max: number;
    readonly counts: 'addresses' | 'parameters';
    readonly form: Form;
  };
  readonly batch: { readonly max: number; readonly form: Form; readonly perItem?: boolean } | null;
  readonly tooDeep: { readonly state: Form; readonly logs: Form };
  readonly beyondHead: { readonly state: Form; readonly logs: Form };
  readonly nodes: readonly [ProviderNode, ...ProviderNode[]];
  readonly faults: readonly ProviderFault[];
  readonly variants?: Partial<Readonly<Record<VariantName, Variant>>>;
}
