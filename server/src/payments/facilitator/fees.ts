import { type Nodes, readQuantity, readResult } from '../chain/nodes.ts';

export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface FeeSource {
  /** Some seconds old at most. Throws NodesUnavailable, or FeesAboveCap. */
  current(): Promise<Fees>;
  /** Wei that a unit of gas costs now: less than what is offered for it. As old, and throws the same. */
  price(): Promise<bigint>;
  /** To be read anew: a node found them too low. */
  forget(): void;
}

interface Seen {
  readonly fees: Fees;
  readonly price: bigint;
}

/** The chain asks for more than the operator is ready to pay. */
export class FeesAboveCap extends Error {
  override readonly name = 'FeesAboveCap';

  constructor() {
    super('the payment chain asks for more gas money than maxFeePerGas allows: raise it, or wait');
  }
}

const AGE_MS = 5_000;
/** A thousandth of a gwei, where a node will not name a tip. */
const PLAIN_TIP = 1_000_000n;

export function createFeeSource(options: {
  nodes: Nodes;
  /** Wei. */
  cap: bigint;
  /** Milliseconds. */
  now?: () => number;
}): FeeSource {
  const { nodes, cap, now = Date.now } = options;
  let kept: { readonly at: number; readonly seen: Promise<Seen> } | undefined;

  return {
    current: async () => (await look()).fees,
    price: async () => (await look()).price,
    forget,
  };

  function look(): Promise<Seen> {
    if (kept !== undefined && now() - kept.at < AGE_MS) return kept.seen;
    const asked = { at: now(), seen: read() };
    kept = asked;
    asked.seen.catch(() => {
      if (kept === asked) kept = undefined;
    });
    return asked.seen;
  }

  function forget(): void {
    kept = undefined;
  }

  async function read(): Promise<Seen> {
    const [block, tip] = await nodes.ask([
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_maxPriorityFeePerGas', params: [] },
    ]);
    const header = readResult(block) as { baseFeePerGas?: unknown } | null;
    const base = readQuantity(header?.baseFeePerGas);
    if (base > cap) throw new FeesAboveCap();
    const wanted = 'result' in tip! ? readQuantity(tip.result) : PLAIN_TIP;
    // Twice the base fee: it can rise by an eighth per block, so six full blocks do not overtake it.
    const maxFeePerGas = smaller(2n * base + wanted, cap);
    const maxPriorityFeePerGas = smaller(wanted, maxFeePerGas);
    const price = smaller(base + maxPriorityFeePerGas, maxFeePerGas);
    return { fees: { maxFeePerGas, maxPriorityFeePerGas }, price };
  }
}

/** Enough to replace a transaction of these fees in any pool (an eighth); null when the cap forbids it. */
export function bumpFees(fees: Fees, current: Fees | null, cap: bigint): Fees | null {
  const least = raise(fees.maxFeePerGas, 8n);
  if (least > cap) return null;
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
