import type { Address, Hex } from '../../domain/hex.ts';
import { createSignerOf, type SignerOf } from '../curveSigner.ts';
import type { PaymentTerms, SignedAuthorization } from '../payment.ts';
import { askState, readState } from './authorizationState.ts';
import { type Balance, createBalances } from './balances.ts';
import {
  type Facilitator,
  FacilitatorUnavailable,
  type Settlement,
  type Verification,
} from './facilitator.ts';
import { createFeeSource } from './fees.ts';
import { createKeyPool } from './keyPool.ts';
import {
  type NodeRefusal,
  type Nodes,
  NodesUnavailable,
  readQuantity,
  readResult,
} from './nodes.ts';
import { paysUs, type Receipt } from './receipt.ts';
import { createReceiptPoll } from './receiptPoll.ts';
import { isRevert, type RevertCode, revertCode } from './revertCode.ts';
import { createSender } from './sender.ts';
import type { Transaction } from './transaction.ts';
import { createTransferCall, type TransferCall } from './transferCall.ts';

export interface EmbeddedFacilitator extends Facilitator {
  readonly kind: 'embedded';
  readonly addresses: readonly Address[];
  /** The keys' gas money as last read: each minute and after settlements. */
  balances(): readonly Balance[];
  refreshBalances(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly nodes: Nodes;
  readonly terms: PaymentTerms;
  /** They pay the gas. Nothing else should send with them. */
  readonly privateKeys: readonly Hex[];
  readonly multicall: Address;
  /** Makers of smart wallets that may be deployed for a payment (EIP-6492); none unless told. */
  readonly factories?: readonly Address[];
  /** Shared with whoever proves signatures before, so that each is recovered once. */
  readonly signerOf?: SignerOf;
  /** Wei per gas. */
  readonly maxFeePerGas: bigint;
  /** For payments by plain keys. */
  readonly gasLimit?: bigint;
  readonly bumpAfterMs?: number;
  readonly reorgCheckMs?: number;
  readonly patienceMs?: number;
  /** Wei. */
  readonly lowBalance?: bigint;
  readonly onLowBalance?: (balance: Balance) => void;
  /** Unix seconds. */
  readonly now?: () => number;
}

/**
 * A transfer by authorization took 69 000 gas on the test token, 86 000 for the payee's first one. The rest is for tokens
 * behind a proxy; what is not used is not paid.
 */
const GAS_LIMIT = 160_000n;
/** A wallet that wants more than this to check a signature is not worth settling. */
const WALLET_GAS_LIMIT = 1_500_000n;

export function createEmbeddedFacilitator(options: EmbeddedOptions): EmbeddedFacilitator {
  const { nodes, terms, maxFeePerGas, gasLimit = GAS_LIMIT } = options;
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const transferCall = createTransferCall({
    terms,
    factories: options.factories ?? [],
    multicall: options.multicall,
    signerOf: options.signerOf ?? createSignerOf(terms),
  });
  const receipts = createReceiptPoll({ nodes });
  const fees = createFeeSource({ nodes, cap: maxFeePerGas });
  const pool = createKeyPool(
    options.privateKeys.map((privateKey) =>
      createSender({
        privateKey,
        chainId: terms.chainId,
        nodes,
        receipts,
        fees,
        feeCap: maxFeePerGas,
        bumpAfterMs: options.bumpAfterMs ?? 4_000,
        reorgCheckMs: options.reorgCheckMs ?? 4_000,
        patienceMs: options.patienceMs ?? 30_000,
      }),
    ),
  );
  const balances = createBalances({
    nodes,
    senders: pool.senders,
    low: options.lowBalance ?? 0n,
    onLow: options.onLowBalance ?? (() => {}),
  });
  void balances.refresh();
  // Whoever asks, the answer is the same; only an account must be named.
  const caller = pool.senders[0]!.address;

  return {
    kind: 'embedded',
    addresses: pool.senders.map(({ address }) => address),
    verify,
    settle,
    balances: balances.current,
    refreshBalances: balances.refresh,
    close,
  };

  async function verify(payment: SignedAuthorization): Promise<Verification> {
    const { validAfter, validBefore } = payment.authorization;
    if (validBefore <= BigInt(now())) return { ok: false, code: 'authorization_expired' };
    try {
      const call = await chooseCall(payment);
      let code = await simulate(call, 'latest');
      // The newest block may be older than the authorization: what counts is the next one.
      if (code === 'authorization_not_yet_valid' && validAfter < BigInt(now())) {
        code = await simulate(call, 'pending');
      }
      return code === null ? { ok: true } : { ok: false, code };
    } catch (error) {
      if (error instanceof NodesUnavailable) throw new FacilitatorUnavailable();
      throw error;
    }
  }

  async function chooseCall(payment: SignedAuthorization): Promise<TransferCall> {
    const call = transferCall(payment);
    if (call.standing === null) return call;
    const [answer] = await nodes.ask([
      { method: 'eth_getCode', params: [payment.authorization.from, 'latest'] },
    ]);
    const code = readResult(answer);
    if (typeof code !== 'string') throw new NodesUnavailable();
    return code === '0x' ? call : call.standing;
  }

  /** Null when it would go through. */
  async function simulate(
    call: Pick<TransferCall, 'to' | 'data'>,
    block: string,
  ): Promise<RevertCode | null> {
    const [answer] = await nodes.ask([
      { method: 'eth_call', params: [{ from: caller, to: call.to, data: call.data }, block] },
    ]);
    if (!('result' in answer!)) return readRevert(answer!);
    // A node that answers with nothing has not run it.
    if (typeof answer.result !== 'string') throw new NodesUnavailable();
    return null;
  }

  async function settle(payment: SignedAuthorization): Promise<Settlement> {
    const { validBefore } = payment.authorization;
    try {
      const call = await chooseCall(payment);
      const { to, data } = call;
      const gas = call.plain ? gasLimit : await estimate(call);
      if (gas === 'authorization_already_used') return { outcome: 'unknown' };
      if (typeof gas === 'string') return refused(gas);
      return await settleBy(payment, { to, data, gas, deadline: Number(validBefore) });
    } catch (error) {
      if (error instanceof NodesUnavailable) return refused('facilitator_unavailable');
      return { outcome: 'unknown' };
    }
  }

  /** Gas with a margin, or why it would fail. */
  async function estimate(call: TransferCall): Promise<bigint | RevertCode> {
    const [answer] = await nodes.ask([
      { method: 'eth_estimateGas', params: [{ from: caller, to: call.to, data: call.data }] },
    ]);
    if (!('result' in answer!)) return readRevert(answer!);
    const gas = (readQuantity(answer.result) * 13n) / 10n;
    return gas > WALLET_GAS_LIMIT ? 'payment_would_fail' : gas;
  }

  /** From here on a payment may be under way: doubt is `unknown`. */
  async function settleBy(
    payment: SignedAuthorization,
    transaction: Transaction,
  ): Promise<Settlement> {
    const sent = await pool.send(transaction);
    balances.touch();
    if (sent.outcome !== 'mined') return sent;
    const { receipt } = sent;
    if (paysUs(receipt, terms, payment.authorization)) {
      return { outcome: 'settled', transaction: receipt.transaction };
    }
    if (receipt.succeeded) return { outcome: 'unknown' };
    const code = await whyReverted(receipt, payment, transaction).catch(() => null);
    return code === null ? { outcome: 'unknown' } : refused(code);
  }

  /** Null when it was used: by somebody who saw our transaction and was faster, perhaps to our own good. */
  async function whyReverted(
    { blockNumber }: Receipt,
    { authorization }: SignedAuthorization,
    { to, data }: Transaction,
  ): Promise<RevertCode | null> {
    const [state] = await nodes.ask([askState(terms.asset, authorization, blockNumber)]);
    if (readState(state)) return null;
    const code = await simulate({ to, data }, `0x${blockNumber.toString(16)}`);
    // Would pass there: it ran out of gas, or something changed within the block.
    return code ?? 'payment_would_fail';
  }

  async function close(): Promise<void> {
    pool.close();
    receipts.close();
    balances.close();
  }
}

function refused(code: string): Settlement {
  return { outcome: 'refused', code };
}

function readRevert(refusal: NodeRefusal): RevertCode {
  // A refusal that is no revert says nothing of the payment.
  if (!isRevert(refusal) && refusal.error.retry) throw new NodesUnavailable();
  const { data, text } = refusal.error.words;
  return revertCode(data, text);
}
