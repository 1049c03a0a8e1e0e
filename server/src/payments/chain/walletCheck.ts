import { encodeAbiParameters, universalSignatureValidatorByteCode } from 'viem';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import { hexQuantity } from '../../domain/hexQuantity.ts';
import { createDigest } from '../authorization/digest.ts';
import type { PaymentTerms, SignedAuthorization } from '../authorization/payment.ts';
import { type Nodes, NodesUnavailable, readResult } from './nodes.ts';
import { isRevert } from './revertCode.ts';
import { unwrapSignature } from './walletSignature.ts';

/** `isValidSignature(bytes32,bytes)`; also its return value for a valid signature. */
const SIGNATURE_SELECTOR = '0x1626ba7e';

/** Gas cap for verifying a wallet's signature: without it, any contract could keep an RPC endpoint busy. */
const MAX_CHECK_GAS = 3_000_000;

/** Returns a function that asks a contract wallet on chain whether it signed. It throws NodesUnavailable if unknown. */
export function createWalletCheck(options: {
  readonly nodes: Nodes;
  readonly terms: PaymentTerms;
  /** Factories of smart wallets that may be deployed for a payment (EIP-6492). */
  readonly factories?: readonly Address[];
}): (payment: SignedAuthorization) => Promise<boolean> {
  const { nodes, terms } = options;
  const factories = new Set((options.factories ?? []).map(lower));
  const digest = createDigest(terms);

  return async function isSignedByWallet(payment) {
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
  };

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
}
