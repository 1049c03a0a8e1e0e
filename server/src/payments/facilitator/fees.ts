import { type Nodes, readQuantity, readResult } from './nodes.ts';

export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface FeeSource {
  /** Some seconds old at most. Throws NodesUnavailable, or FeesAboveCap. */
  current(): Promise<Fees>;
  /** To be read anew: a node found them too low. */
  forget(): void;
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
  let kept: { readonly at: number; readonly fees: Promise<Fees> } | undefined;

  return { current, forget };

  function current(): Promise<Fees> {
    if (kept !== undefined && now() - kept.at < AGE_MS) return kept.fees;
    const asked = { at: now(), fees: read() };
    kept = asked;
    asked.fees.catch(() => {
      if (kept === asked) kept = undefined;
    });
    return asked.fees;
  }

  function forget(): void {
    kept = undefined;
  }

  async function read(): Promise<Fees> {
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
    return { maxFeePerGas, maxPriorityFeePerGas: smaller(wanted, maxFeePerGas) };
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
