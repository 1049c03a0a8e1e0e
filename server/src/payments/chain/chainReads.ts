import { encodeAbiParameters, universalSignatureValidatorByteCode } from 'viem';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import { hexQuantity } from '../../domain/hexQuantity.ts';
import { createDigest } from '../authorization/digest.ts';
import type { Authorization, PaymentTerms, SignedAuthorization } from '../authorization/payment.ts';
import { readState, stateCall } from './authorizationState.ts';
import { readLogPages } from './logPages.ts';
import { type Nodes, NodesUnavailable, readQuantity, readResult } from './nodes.ts';
import type { OnChainStatus, PaymentChain } from './paymentChain.ts';
import {
  addressTopic,
  CANCELED_TOPIC,
  parseReceipt,
  paysUs,
  type Receipt,
  USED_TOPIC,
} from './receipt.ts';
import { isRevert } from './revertCode.ts';
import { unwrapSignature } from './walletSignature.ts';

interface Head {
  readonly number: number;
  readonly time: number;
}

interface EndLog {
  readonly topic: Hex;
  readonly transaction: Hex;
}

/** `isValidSignature(bytes32,bytes)`; also its return value for a valid signature. */
const SIGNATURE_SELECTOR = '0x1626ba7e';

/** Gas cap for verifying a wallet's signature: without it, any contract could keep an RPC endpoint busy. */
const MAX_CHECK_GAS = 3_000_000;

/** Blocks that a search by time first goes back; the step doubles each time. */
const FIRST_STEP = 32;
const HEAD_AGE_MS = 1_000;
/** A lower head is treated as a lagging RPC endpoint for this long, and as a reorg after it. */
const LAG_MS = 30_000;

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
  const factories = new Set((options.factories ?? []).map(lower));
  const digest = createDigest(terms);
  let recent: { readonly at: number; readonly head: Promise<Head> } | undefined;
  let highest = { number: 0, at: Number.NEGATIVE_INFINITY };

  return { getOnChainStatus, isPaidBy, isUnused, isSignedByWallet, head, timeOf, blockBefore };

  function head(): Promise<Head> {
    if (recent !== undefined && now() - recent.at < HEAD_AGE_MS) return recent.head;
    const request = { at: now(), head: readLatest() };
    recent = request;
    request.head.catch(() => {
      if (recent === request) recent = undefined;
    });
    return request.head;
  }

  async function isUnused(authorization: Authorization): Promise<boolean> {
    const { number } = await readFurthest();
    return !(await isUsed(authorization, number));
  }

  async function getOnChainStatus(
    authorization: Authorization,
    fromBlock: number,
  ): Promise<OnChainStatus> {
    // Reads the state at that block, so that a lagging RPC endpoint fails instead of returning "unused".
    const { number } = await readFurthest();
    if (!(await isUsed(authorization, number))) return { status: 'unused' };
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

  async function isSignedByWallet(payment: SignedAuthorization): Promise<boolean> {
    const { authorization, signature } = payment;
    const { inner, undeployed } = unwrapSignature(signature);
    const hash = digest(authorization);
    if (undeployed !== null && factories.has(lower(undeployed.factory))) {
      return isSignedByUndeployed(authorization.from, hash, signature);
    }
    const args = encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes' }], [hash, inner]);
    const data = `${SIGNATURE_SELECTOR}${args.slice(2)}`;
    const result = await call({ to: authorization.from, data });
    return result?.startsWith(SIGNATURE_SELECTOR) === true && result.length === 66;
  }

  /** Calls a validator that deploys the wallet and verifies with it; nothing persists. */
  async function isSignedByUndeployed(
    wallet: Address,
    hash: Hex,
    signature: Hex,
  ): Promise<boolean> {
    const args = encodeAbiParameters(
      [{ type: 'address' }, { type: 'bytes32' }, { type: 'bytes' }],
      [wallet, hash, signature],
    );
    const data = `${universalSignatureValidatorByteCode}${args.slice(2)}`;
    return (await call({ data })) === '0x01';
  }

  /** Returns null if the contract reverted. */
  async function call(transaction: { to?: Address; data: string }): Promise<string | null> {
    const bounded = { ...transaction, gas: hexQuantity(MAX_CHECK_GAS) };
    const [answer] = await nodes.request([{ method: 'eth_call', params: [bounded, 'latest'] }]);
    if (answer !== undefined && 'error' in answer) {
      // A failing RPC endpoint proves nothing about the signature.
      if (!isRevert(answer) && answer.error.retry) throw new NodesUnavailable();
      return null;
    }
    const result = readResult(answer);
    // An RPC endpoint that returns no data has not run the call.
    if (typeof result !== 'string') throw new NodesUnavailable();
    return result;
  }

  async function timeOf(block: number): Promise<number> {
    return (await readBlock(hexQuantity(block))).time;
  }

  async function blockBefore(time: number): Promise<number> {
    let block = await readLatest();
    for (let step = FIRST_STEP; block.number > 0 && block.time >= time; step *= 2) {
      block = await readBlock(hexQuantity(Math.max(0, block.number - step)));
    }
    return block.number;
  }

  async function readBlock(block: string): Promise<Head> {
    const [answer] = await nodes.request([
      { method: 'eth_getBlockByNumber', params: [block, false] },
    ]);
    const found = readResult(answer) as { number?: unknown; timestamp?: unknown } | null;
    const number = Number(readQuantity(found?.number));
    return { number, time: Number(readQuantity(found?.timestamp)) };
  }

  /** Reads the head of the current RPC endpoint; endpoints often differ by a block or two. */
  async function readLatest(): Promise<Head> {
    const seen = await readBlock('latest');
    if (seen.number >= highest.number || now() - highest.at >= LAG_MS) {
      highest = { number: seen.number, at: now() };
    }
    return seen;
  }

  /** Never returns a lower block than before: an on-chain status must not come from an older state. */
  async function readFurthest(): Promise<Head> {
    const seen = await readLatest();
    if (seen.number < highest.number) throw new NodesUnavailable();
    return seen;
  }
}

function parseEnd(logs: readonly unknown[]): EndLog | null {
  const [first] = logs;
  if (first === undefined) return null;
  const { topics, transactionHash } = first as { topics?: unknown[]; transactionHash?: unknown };
  return { topic: lower(String(topics?.[0])), transaction: lower(String(transactionHash)) };
}
