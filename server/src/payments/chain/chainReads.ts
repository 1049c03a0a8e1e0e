import { encodeAbiParameters, universalSignatureValidatorByteCode } from 'viem';
import { RangeTooWide } from '../../chain/rpcError.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import { hexQuantity } from '../../domain/hexQuantity.ts';
import { createDigest } from '../authorization/digest.ts';
import type { Authorization, PaymentTerms, SignedAuthorization } from '../authorization/payment.ts';
import { askState, readState } from './authorizationState.ts';
import { type Nodes, NodesUnavailable, readQuantity, readResult } from './nodes.ts';
import type { Fate, PaymentChain } from './paymentChain.ts';
import { addressTopic, CANCELED_TOPIC, parseReceipt, paysUs, USED_TOPIC } from './receipt.ts';
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

/** `isValidSignature(bytes32,bytes)`, which is also what it answers for yes. */
const SIGNATURE_SELECTOR = '0x1626ba7e';

/** A signature that takes more to check than would be settled is no good; else any contract could keep a node busy. */
const MOST_CHECK_GAS = 3_000_000;

const HEAD_AGE_MS = 1_000;
/** A node this much older than what another one said lags, or the chain was cut back: then it stays so. */
const LAG_MS = 30_000;

/** Throws NodesUnavailable when nobody can say for sure. */
export function createPaymentChain(options: {
  nodes: Nodes;
  terms: PaymentTerms;
  /** Makers of smart wallets that may be deployed for a payment (EIP-6492). */
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

  return { fateOf, isUnused, isSignedByWallet, head, timeOf };

  function head(): Promise<Head> {
    if (recent !== undefined && now() - recent.at < HEAD_AGE_MS) return recent.head;
    const asked = { at: now(), head: readLatest() };
    recent = asked;
    asked.head.catch(() => {
      if (recent === asked) recent = undefined;
    });
    return asked.head;
  }

  async function isUnused(authorization: Authorization): Promise<boolean> {
    const { number } = await readFurthest();
    return !(await isUsed(authorization, number));
  }

  async function fateOf(authorization: Authorization, fromBlock: number): Promise<Fate> {
    // A state of this very block: a node that has not reached it cannot answer "unused" by mistake.
    const { number } = await readFurthest();
    if (!(await isUsed(authorization, number))) return { fate: 'unused' };
    const end = await findEnd(authorization, Math.min(fromBlock, number), number);
    if (end === null) return usedBefore(authorization, fromBlock);
    if (end.topic === CANCELED_TOPIC) return { fate: 'void' };
    const [answer] = await nodes.ask([
      { method: 'eth_getTransactionReceipt', params: [end.transaction] },
    ]);
    const receipt = parseReceipt(readResult(answer));
    if (receipt === null) throw new NodesUnavailable();
    // Whom the authorization names: the configured payee may be another by now.
    const payTo = authorization.to;
    if (!paysUs(receipt, { asset, payTo }, authorization)) return { fate: 'void' };
    return { fate: 'paid', transaction: receipt.transaction, blockNumber: receipt.blockNumber };
  }

  /** Used, but not by any log since: either it was used long ago, or the node does not show all its logs. */
  async function usedBefore(authorization: Authorization, fromBlock: number): Promise<Fate> {
    if (fromBlock > 0 && (await isUsed(authorization, fromBlock - 1))) return { fate: 'void' };
    throw new NodesUnavailable();
  }

  async function isUsed(authorization: Authorization, block: number): Promise<boolean> {
    const [answer] = await nodes.ask([askState(asset, authorization, block)]);
    return readState(answer);
  }

  /** The log of its use or of its cancelling, from the oldest block on: most are used at once. */
  async function findEnd(
    { from, nonce }: Authorization,
    fromBlock: number,
    toBlock: number,
  ): Promise<EndLog | null> {
    const topics = [[USED_TOPIC, CANCELED_TOPIC], addressTopic(from), lower(nonce)];
    let start = fromBlock;
    let width = toBlock - fromBlock + 1;
    while (start <= toBlock) {
      const end = Math.min(toBlock, start + width - 1);
      const filter = {
        address: asset,
        topics,
        fromBlock: hexQuantity(start),
        toBlock: hexQuantity(end),
      };
      const [answer] = await nodes.ask([{ method: 'eth_getLogs', params: [filter] }], {
        fromBlock: start,
        toBlock: end,
      });
      if (answer !== undefined && 'error' in answer && answer.error instanceof RangeTooWide) {
        if (end === start) throw new NodesUnavailable();
        width = narrower(answer.error, start, end);
        continue;
      }
      const found = parseEnd(readResult(answer));
      if (found !== null) return found;
      start = end + 1;
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

  /** Runs a validator that deploys the wallet and asks it, none of which stays. */
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

  /** Null for a call that the contract refused. */
  async function call(transaction: { to?: Address; data: string }): Promise<string | null> {
    const bounded = { ...transaction, gas: hexQuantity(MOST_CHECK_GAS) };
    const [answer] = await nodes.ask([{ method: 'eth_call', params: [bounded, 'latest'] }]);
    if (answer !== undefined && 'error' in answer) {
      // A node in trouble says nothing of the signature.
      if (!isRevert(answer) && answer.error.retry) throw new NodesUnavailable();
      return null;
    }
    const result = readResult(answer);
    // A node that answers with nothing has not run it.
    if (typeof result !== 'string') throw new NodesUnavailable();
    return result;
  }

  async function timeOf(block: number): Promise<number> {
    return (await readBlock(hexQuantity(block))).time;
  }

  async function readBlock(block: string): Promise<Head> {
    const [answer] = await nodes.ask([{ method: 'eth_getBlockByNumber', params: [block, false] }]);
    const found = readResult(answer) as { number?: unknown; timestamp?: unknown } | null;
    const number = Number(readQuantity(found?.number));
    return { number, time: Number(readQuantity(found?.timestamp)) };
  }

  /** Of whichever node answers: they differ by a block or two all the time. */
  async function readLatest(): Promise<Head> {
    const seen = await readBlock('latest');
    if (seen.number >= highest.number || now() - highest.at >= LAG_MS) {
      highest = { number: seen.number, at: now() };
    }
    return seen;
  }

  /** One that never goes back: what a payment came to must not be read from before it. */
  async function readFurthest(): Promise<Head> {
    const seen = await readLatest();
    if (seen.number < highest.number) throw new NodesUnavailable();
    return seen;
  }
}

function parseEnd(logs: unknown): EndLog | null {
  if (!Array.isArray(logs)) throw new NodesUnavailable();
  const [first] = logs;
  if (first === undefined) return null;
  const { topics, transactionHash } = first as { topics?: unknown[]; transactionHash?: unknown };
  return { topic: lower(String(topics?.[0])), transaction: lower(String(transactionHash)) };
}

/** What the node proposes where that is less, else half. */
function narrower(error: RangeTooWide, start: number, end: number): number {
  const width = end - start + 1;
  const told = error.suggestedTo === null ? error.maxBlocks : error.suggestedTo - start + 1;
  if (told !== null && told >= 1 && told < width) return told;
  return Math.max(1, Math.floor(width / 2));
}
