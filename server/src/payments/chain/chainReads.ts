import { type Address, type Hex, lower } from '../../domain/hex.ts';
import type { Authorization, PaymentTerms } from '../authorization/payment.ts';
import { readState, stateCall } from './authorizationState.ts';
import { readLogPages } from './logPages.ts';
import { type Nodes, NodesUnavailable, readResult } from './nodes.ts';
import type { OnChainStatus, PaymentChain } from './paymentChain.ts';
import { createPaymentHeads } from './paymentHeads.ts';
import {
  addressTopic,
  CANCELED_TOPIC,
  parseReceipt,
  paysUs,
  type Receipt,
  USED_TOPIC,
} from './receipt.ts';
import { createWalletCheck } from './walletCheck.ts';

interface EndLog {
  readonly topic: Hex;
  readonly transaction: Hex;
}

/** Throws NodesUnavailable when the result is not certain. */
export function createPaymentChain(options: {
  nodes: Nodes;
  terms: PaymentTerms;
  /** Factories of smart wallets that may be deployed for a payment (EIP-6492). */
  factories?: readonly Address[];
  /** Milliseconds. */
  now?: () => number;
}): PaymentChain {
  const { nodes, terms, now = Date.now } = options;
  const asset = lower(terms.asset);
  const { head, timeOf, blockBefore, readFurthest } = createPaymentHeads(nodes, now);
  const isSignedByWallet = createWalletCheck(options);

  return { getOnChainStatus, isPaidBy, isUnused, isSignedByWallet, head, timeOf, blockBefore };

  async function isUnused(authorization: Authorization): Promise<boolean> {
    const { number } = await readFurthest();
    return !(await isUsed(authorization, number));
  }

  async function getOnChainStatus(
    authorization: Authorization,
    fromBlock: number,
  ): Promise<OnChainStatus> {
    // Reads the state at that block, so that a lagging RPC endpoint fails instead of returning "unused".
    const at = await readFurthest();
    const { number } = at;
    if (!(await isUsed(authorization, number))) return { status: 'unused', at };
    const end = await findEnd(authorization, Math.min(fromBlock, number), number);
    if (end === null) return usedBefore(authorization, fromBlock);
    if (end.topic === CANCELED_TOPIC) return { status: 'void' };
    const receipt = await readReceipt(end.transaction);
    if (receipt === null) throw new NodesUnavailable();
    if (!pays(receipt, authorization)) return { status: 'void' };
    return { status: 'paid', transaction: receipt.transaction, blockNumber: receipt.blockNumber };
  }

  async function isPaidBy(authorization: Authorization, transaction: Hex): Promise<boolean | null> {
    const receipt = await readReceipt(transaction);
    return receipt === null ? null : pays(receipt, authorization);
  }

  async function readReceipt(transaction: Hex): Promise<Receipt | null> {
    const [answer] = await nodes.request([
      { method: 'eth_getTransactionReceipt', params: [transaction] },
    ]);
    return parseReceipt(readResult(answer));
  }

  /** Checks the recipient that the authorization names: the configured one may have changed since. */
  function pays(receipt: Receipt, authorization: Authorization): boolean {
    return paysUs(receipt, { asset, payTo: authorization.to }, authorization);
  }

  /** Used, but without a log since `fromBlock`: it was used earlier, or the RPC endpoint omits logs. */
  async function usedBefore(
    authorization: Authorization,
    fromBlock: number,
  ): Promise<OnChainStatus> {
    if (fromBlock > 0 && (await isUsed(authorization, fromBlock - 1))) {
      return { status: 'void', earlier: true };
    }
    throw new NodesUnavailable();
  }

  async function isUsed(authorization: Authorization, block: number): Promise<boolean> {
    const [answer] = await nodes.request([stateCall(asset, authorization, block)]);
    return readState(answer);
  }

  /** Finds the log of its use or cancellation, oldest block first, because most are used soon after the claim. */
  async function findEnd(
    { from, nonce }: Authorization,
    fromBlock: number,
    toBlock: number,
  ): Promise<EndLog | null> {
    const topics = [[USED_TOPIC, CANCELED_TOPIC], addressTopic(from), lower(nonce)];
    const filter = { address: asset, topics };
    for await (const { logs } of readLogPages(nodes, filter, { fromBlock, toBlock })) {
      const found = parseEnd(logs);
      if (found !== null) return found;
    }
    return null;
  }
}

function parseEnd(logs: readonly unknown[]): EndLog | null {
  const [first] = logs;
  if (first === undefined) return null;
  const { topics, transactionHash } = first as { topics?: unknown[]; transactionHash?: unknown };
  return { topic: lower(String(topics?.[0])), transaction: lower(String(transactionHash)) };
}
