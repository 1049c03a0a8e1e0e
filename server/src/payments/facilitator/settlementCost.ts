import { pause } from '../../runtime/pause.ts';
import type { Authorization, PaymentTerms, SignedAuthorization } from '../authorization/payment.ts';
import { type Nodes, readResult } from '../chain/nodes.ts';
import type { OnChainStatus, PaymentChain } from '../chain/paymentChain.ts';
import { parseReceipt, paysUs, type Receipt } from '../chain/receipt.ts';
import type { GasGuard, GasLoss } from './gasGuard.ts';

/** Records the cost of each mined settlement, and whether the payer caused its failure. */
export interface SettlementCost {
  /** Resolves when the cause is known, or cannot be determined. */
  mined(
    settlement: {
      readonly payment: SignedAuthorization;
      /** The gas limit. */
      readonly gas: bigint;
      readonly hasCode: boolean;
    },
    receipt: Receipt,
  ): Promise<void>;
  close(): void;
}

/**
 * Blocks in which another sender may have settled it first: seconds as a rule; as long as an authorization is valid on
 * chains of four blocks a second, if this server's transaction took long to be mined.
 */
const BLOCKS_BEFORE = [64, 4_096];
/** The pauses between two attempts to read the status, which double: about four minutes in total. */
const FIRST_PAUSE_MS = 500;
const MAX_TRIES = 9;

export function createSettlementCost(deps: {
  readonly guard: GasGuard;
  readonly nodes: Nodes;
  readonly terms: PaymentTerms;
  /** Absent: every failure counts against its payer. */
  readonly getOnChainStatus: PaymentChain['getOnChainStatus'] | undefined;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onGasLost: (loss: GasLoss) => void;
}): SettlementCost {
  const { guard, nodes, terms, getOnChainStatus, now } = deps;
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
    const loss = { payer, transaction, gas, wei, hasCode, at: now() };
    guard.failed(loss);
    const penalized = await isCausedByPayer(payment, receipt);
    if (penalized) guard.penalize(loss);
    deps.onGasLost({ ...loss, penalized });
  }

  /** Whether the payer caused the failure. While no RPC endpoint responds, nothing is proven against it. */
  async function isCausedByPayer(payment: SignedAuthorization, receipt: Receipt): Promise<boolean> {
    for (let tries = 0; tries < MAX_TRIES && !closing.signal.aborted; tries++) {
      try {
        return await checkCause(payment, receipt);
      } catch {
        await pause(FIRST_PAUSE_MS * 2 ** tries, closing.signal);
      }
    }
    return false;
  }

  async function checkCause(
    { authorization }: SignedAuthorization,
    { blockNumber, transaction }: Receipt,
  ): Promise<boolean> {
    if (getOnChainStatus === undefined) return true;
    const before = await getStatusSince(getOnChainStatus, authorization, blockNumber);
    if (before !== 'unused') return before === 'void';
    // Unused: the settlement itself failed, unless a reorg removed both it and an earlier use. The reorg may still be
    // in progress, so only a status that is the same before and after counts.
    const params = [transaction];
    const [answer] = await nodes.request([{ method: 'eth_getTransactionReceipt', params }]);
    if (parseReceipt(readResult(answer))?.blockNumber !== blockNumber) return false;
    return (await getStatusSince(getOnChainStatus, authorization, blockNumber)) !== 'paid';
  }
}

async function getStatusSince(
  getOnChainStatus: PaymentChain['getOnChainStatus'],
  authorization: Authorization,
  blockNumber: number,
): Promise<OnChainStatus['status']> {
  let status: OnChainStatus['status'] = 'void';
  for (const blocks of BLOCKS_BEFORE) {
    if (status !== 'void') break;
    ({ status } = await getOnChainStatus(authorization, Math.max(0, blockNumber - blocks)));
  }
  return status;
}
