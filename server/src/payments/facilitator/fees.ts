import { type Nodes, readQuantity, readResult } from '../chain/nodes.ts';

export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface FeeSource {
  /** At most some seconds old. Throws NodesUnavailable or FeesAboveCap. */
  current(): Promise<Fees>;
  /** The current wei per gas, which is less than the fee offered. Same age and errors as `current`. */
  price(): Promise<bigint>;
  /** Discards cached fees, because an RPC endpoint found them too low. */
  forget(): void;
}

interface Seen {
  readonly fees: Fees;
  readonly price: bigint;
}

/** Gas costs more than the operator's cap. */
export class FeesAboveCap extends Error {
  override readonly name = 'FeesAboveCap';

  constructor() {
    super('gas on the payment chain costs more than maxFeePerGas allows: raise it, or wait');
  }
}

const AGE_MS = 5_000;
/** A thousandth of a gwei, for RPC endpoints that do not return a tip. */
const PLAIN_TIP = 1_000_000n;

export function createFeeSource(options: {
  nodes: Nodes;
  /** Wei. */
  cap: bigint;
  /** Milliseconds. */
  now?: () => number;
}): FeeSource {
  const { nodes, cap, now = Date.now } = options;
  let cached: { readonly at: number; readonly seen: Promise<Seen> } | undefined;

  return {
    current: async () => (await readCached()).fees,
    price: async () => (await readCached()).price,
    forget,
  };

  function readCached(): Promise<Seen> {
    if (cached !== undefined && now() - cached.at < AGE_MS) return cached.seen;
    const request = { at: now(), seen: read() };
    cached = request;
    request.seen.catch(() => {
      if (cached === request) cached = undefined;
    });
    return request.seen;
  }

  function forget(): void {
    cached = undefined;
  }

  async function read(): Promise<Seen> {
    const [block, tip] = await nodes.request([
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_maxPriorityFeePerGas', params: [] },
    ]);
    const header = readResult(block) as { baseFeePerGas?: unknown } | null;
    const base = readQuantity(header?.baseFeePerGas);
    if (base > cap) throw new FeesAboveCap();
    const wanted = 'result' in tip! ? readQuantity(tip.result) : PLAIN_TIP;
    // Twice the base fee covers about six full blocks, each of which can raise it by an eighth.
    const maxFeePerGas = smaller(2n * base + wanted, cap);
    const maxPriorityFeePerGas = smaller(wanted, maxFeePerGas);
    const price = smaller(base + maxPriorityFeePerGas, maxFeePerGas);
    return { fees: { maxFeePerGas, maxPriorityFeePerGas }, price };
  }
}

/** Raises fees enough to replace the transaction in any pool (an eighth); null if that exceeds the cap. */
export function bumpFees(fees: Fees, current: Fees | null, cap: bigint): Fees | null {
  const minimum = raise(fees.maxFeePerGas, 8n);
  if (minimum > cap) return null;
  const wanted = larger(raise(fees.maxFeePerGas, 4n), current?.maxFeePerGas ?? 0n);
  const maxFeePerGas = smaller(wanted, cap);
  const tip = larger(raise(fees.maxPriorityFeePerGas, 4n), current?.maxPriorityFeePerGas ?? 0n);
  return { maxFeePerGas, maxPriorityFeePerGas: smaller(tip, maxFeePerGas) };
}

function raise(value: bigint, part: bigint): bigint {
  return value + value / part + 1n;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
