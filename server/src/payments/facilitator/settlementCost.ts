import { pause } from '../../runtime/pause.ts';
import type { Authorization, PaymentTerms, SignedAuthorization } from '../authorization/payment.ts';
import { type Nodes, readResult } from '../chain/nodes.ts';
import type { Fate, PaymentChain } from '../chain/paymentChain.ts';
import { parseReceipt, paysUs, type Receipt } from '../chain/receipt.ts';
import type { GasGuard, GasLoss } from './gasGuard.ts';

/** Writes down what each mined settlement took, and who is to blame for what it took in vain. */
export interface SettlementCost {
  /** Resolves when that is known, or cannot be found out. */
  mined(
    settlement: {
      readonly payment: SignedAuthorization;
      /** Its limit. */
      readonly gas: bigint;
      readonly hasCode: boolean;
    },
    receipt: Receipt,
  ): Promise<void>;
  close(): void;
}

/**
 * Blocks in which somebody else may have had it paid before us: by seconds as a rule; by as long as an authorization is
 * valid, on chains of four blocks a second, where what we sent was long in coming.
 */
const BLOCKS_BEFORE = [64, 4_096];
/** The pauses between two tries to have the chain's word, which double: some four minutes in all. */
const FIRST_PAUSE_MS = 500;
const MOST_TRIES = 9;

export function createSettlementCost(deps: {
  readonly guard: GasGuard;
  readonly nodes: Nodes;
  readonly terms: PaymentTerms;
  /** Without it every payer is to blame. */
  readonly fateOf: PaymentChain['fateOf'] | undefined;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onGasLost: (loss: GasLoss) => void;
}): SettlementCost {
  const { guard, nodes, terms, fateOf, now } = deps;
  const closing = new AbortController();
  return { mined, close: () => closing.abort() };

  async function mined(
    { payment, gas: limit, hasCode }: Parameters<SettlementCost['mined']>[0],
    receipt: Receipt,
  ): Promise<void> {
    const { from: payer } = payment.authorization;
    const { transaction, wei } = receipt;
    const gas = receipt.gasUsed > 0n ? receipt.gasUsed : limit;
    if (paysUs(receipt, terms, payment.authorization)) {
      guard.settled(payer, { gas, wei }, hasCode);
      return;
    }
    const loss = { payer, transaction, gas, wei, at: now() };
    guard.failed(loss);
    const blamed = await isToBlame(payment, receipt);
    if (blamed) guard.blame(loss);
    deps.onGasLost({ ...loss, blamed });
  }

  /** Whether its payer made it fail. A node that does not answer proves nothing against anybody. */
  async function isToBlame(payment: SignedAuthorization, receipt: Receipt): Promise<boolean> {
    for (let tries = 0; tries < MOST_TRIES && !closing.signal.aborted; tries++) {
      try {
        return await judge(payment, receipt);
      } catch {
        await pause(FIRST_PAUSE_MS * 2 ** tries, closing.signal);
      }
    }
    return false;
  }

  async function judge(
    { authorization }: SignedAuthorization,
    { blockNumber, transaction }: Receipt,
  ): Promise<boolean> {
    if (fateOf === undefined) return true;
    const before = await fateSince(fateOf, authorization, blockNumber);
    if (before !== 'unused') return before === 'void';
    // Nobody has used it: it failed by itself, unless a reorganisation took back both that and who was faster. It may be
    // going on: only what is the same before and after counts.
    const params = [transaction];
    const [answer] = await nodes.ask([{ method: 'eth_getTransactionReceipt', params }]);
    if (parseReceipt(readResult(answer))?.blockNumber !== blockNumber) return false;
    return (await fateSince(fateOf, authorization, blockNumber)) !== 'paid';
  }
}

async function fateSince(
  fateOf: PaymentChain['fateOf'],
  authorization: Authorization,
  blockNumber: number,
): Promise<Fate['fate']> {
  let fate: Fate['fate'] = 'void';
  for (const blocks of BLOCKS_BEFORE) {
    if (fate !== 'void') break;
    ({ fate } = await fateOf(authorization, Math.max(0, blockNumber - blocks)));
  }
  return fate;
}
