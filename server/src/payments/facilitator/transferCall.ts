import { encodeAbiParameters, toFunctionSelector } from 'viem';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import type { SignerOf } from '../authorization/curveSigner.ts';
import { authorizationWords } from '../authorization/digest.ts';
import type { PaymentTerms, SignedAuthorization } from '../authorization/payment.ts';
import { type UndeployedWallet, unwrapSignature } from '../chain/walletSignature.ts';

/** The call that settles a payment, the same for every sender. */
export interface TransferCall {
  readonly to: Address;
  readonly data: Hex;
  /** By a plain key: its gas is known. A wallet's code may need any amount. */
  readonly plain: boolean;
  /** For a call that deploys the payer's wallet: the call to send if the wallet is already deployed. */
  readonly ifDeployed: TransferCall | null;
}

const FIELDS = 'address,address,uint256,uint256,uint256,bytes32';
const BY_PARTS = toFunctionSelector(`transferWithAuthorization(${FIELDS},uint8,bytes32,bytes32)`);
const BY_BYTES = toFunctionSelector(`transferWithAuthorization(${FIELDS},bytes)`);
const AGGREGATE = toFunctionSelector('aggregate3((address,bool,bytes)[])');

/** Built once per payment, so that verification and settlement send the same bytes. */
export function createTransferCall(options: {
  terms: PaymentTerms;
  /** Factories of smart wallets whose deployment this server may send (EIP-6492). */
  factories: readonly Address[];
  multicall: Address;
  signerOf: SignerOf;
}): (payment: SignedAuthorization) => TransferCall {
  const { terms, signerOf } = options;
  const factories = new Set(options.factories.map(lower));
  const made = new WeakMap<SignedAuthorization, TransferCall>();

  return (payment) => {
    const known = made.get(payment);
    if (known !== undefined) return known;
    const call = build(payment);
    made.set(payment, call);
    return call;
  };

  function build(payment: SignedAuthorization): TransferCall {
    const { authorization, signature } = payment;
    const words = authorizationWords(authorization);
    if (signerOf(payment) === lower(authorization.from)) {
      const data = byParts(words, signature);
      return { to: terms.asset, data, plain: true, ifDeployed: null };
    }
    const { inner, undeployed } = unwrapSignature(signature);
    const data = byBytes(words, inner);
    const transfer = { to: terms.asset, data, plain: false, ifDeployed: null };
    if (undeployed === null || !factories.has(lower(undeployed.factory))) return transfer;
    return deployFirst(undeployed, transfer);
  }

  /** In one transaction, so that nothing can happen in between. */
  function deployFirst(wallet: UndeployedWallet, transfer: TransferCall): TransferCall {
    const call = {
      type: 'tuple[]',
      components: [{ type: 'address' }, { type: 'bool' }, { type: 'bytes' }],
    } as const;
    const list = encodeAbiParameters(
      [call],
      [
        [
          [wallet.factory, false, wallet.data],
          [transfer.to, false, transfer.data],
        ],
      ],
    );
    const data: Hex = `${AGGREGATE}${list.slice(2)}`;
    return { to: options.multicall, data, plain: false, ifDeployed: transfer };
  }
}

function byParts(words: string, signature: Hex): Hex {
  const v = Number.parseInt(signature.slice(-2), 16);
  // The token accepts only 27 and 28.
  const vWord = (v < 27 ? v + 27 : v).toString(16).padStart(64, '0');
  return `${BY_PARTS}${words}${vWord}${signature.slice(2, 130)}`;
}

function byBytes(words: string, signature: Hex): Hex {
  const length = (signature.length - 2) / 2;
  const padded = signature.slice(2).padEnd(Math.ceil(length / 32) * 64, '0');
  // Seven words precede the signature's length.
  const offset = (7 * 32).toString(16).padStart(64, '0');
  return `${BY_BYTES}${words}${offset}${length.toString(16).padStart(64, '0')}${padded}`;
}
