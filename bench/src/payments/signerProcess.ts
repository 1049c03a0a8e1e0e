import { randomBytes } from 'node:crypto';
import type { Hex } from 'viem';
import { loadBuilt } from '../loadBuilt.ts';
import { answerMessages } from '../vaultApi/worker.ts';
import { PATH, type PaymentWorld, PRICE } from './paymentWorld.ts';

// Signs the payments before the measurement.
export type SignerMessage =
  | { readonly kind: 'start'; readonly world: PaymentWorld }
  /** Paid requests for the server on this port, by its invoice. */
  | { readonly kind: 'payments'; readonly port: number; readonly count: number }
  /** Signatures only. */
  | { readonly kind: 'authorizations'; readonly count: number }
  /** The same settlements as transactions for the chain. */
  | {
      readonly kind: 'transactions';
      readonly key: Hex;
      readonly first: number;
      readonly count: number;
    };

/** An authorization as in a payment, with every number as text. */
export interface AuthorizationTexts {
  readonly authorization: Readonly<Record<string, string>>;
  readonly signature: Hex;
}

interface Signed {
  readonly authorization: Record<string, unknown>;
  readonly signature: Hex;
}

let signing: Promise<Signing> | undefined;
let turn = 0;

answerMessages<SignerMessage>(async (message) => {
  if (message.kind === 'start') signing = prepare(message.world);
  const signer = await signing!;
  if (message.kind === 'payments') return { requests: await payments(signer, message) };
  if (message.kind === 'authorizations') {
    return { payments: Array.from({ length: message.count }, () => texts(signer.pay())) };
  }
  if (message.kind === 'transactions') return { requests: transactions(signer, message) };
  return {};
});

interface Signing {
  readonly world: PaymentWorld;
  pay(): Signed;
  transaction(key: Hex, nonce: number): Hex;
}

async function prepare(world: PaymentWorld): Promise<Signing> {
  const { signDigest } = await loadBuilt('payments/authorization/curve.js');
  const { createSignerOf } = await loadBuilt('payments/authorization/curveSigner.js');
  const { createDigest } = await loadBuilt('payments/authorization/digest.js');
  const { createTransferCall } = await loadBuilt('payments/facilitator/transferCall.js');
  const { signTransaction } = await loadBuilt('payments/facilitator/signedTransaction.js');
  const { terms, payers, multicall } = world;
  const digest = createDigest(terms);
  const signerOf = createSignerOf(terms);
  const transferCall = createTransferCall({ terms, factories: [], multicall, signerOf });
  return { world, pay, transaction };

  /** Signs with each payer in turn. */
  function pay(): Signed {
    const { address, privateKey } = payers[turn++ % payers.length]!;
    const now = BigInt(Math.floor(Date.now() / 1000));
    const authorization = {
      from: address.toLowerCase(),
      to: terms.payTo,
      value: PRICE,
      validAfter: now - 600n,
      validBefore: now + BigInt(terms.maxTimeoutSeconds),
      nonce: `0x${randomBytes(32).toString('hex')}`,
    };
    return { authorization, signature: signDigest(privateKey, digest(authorization)) };
  }

  function transaction(key: Hex, nonce: number): Hex {
    const { to, data } = transferCall(pay());
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n };
    return signTransaction(key, { chainId: terms.chainId, nonce, to, data, gas: 160_000n, fees })
      .raw;
  }
}

function texts({ authorization, signature }: Signed): AuthorizationTexts {
  const entries = Object.entries(authorization).map(([name, value]) => [name, String(value)]);
  return { authorization: Object.fromEntries(entries), signature };
}

/** Returns payments as the stock client builds them: the terms of the invoice and the signature. */
async function payments(
  { pay }: Signing,
  { port, count }: { readonly port: number; readonly count: number },
): Promise<string[]> {
  const refused = await fetch(`http://127.0.0.1:${port}${PATH}`);
  const header = refused.headers.get('payment-required')!;
  const invoice = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
  return Array.from({ length: count }, () => {
    const payment = {
      x402Version: 2,
      resource: invoice.resource,
      accepted: invoice.accepts[0],
      payload: texts(pay()),
    };
    const encoded = Buffer.from(JSON.stringify(payment)).toString('base64');
    return `GET ${PATH} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\npayment-signature: ${encoded}\r\n\r\n`;
  });
}

function transactions(
  { world, transaction }: Signing,
  { key, first, count }: { readonly key: Hex; readonly first: number; readonly count: number },
): string[] {
  const { host } = new URL(world.url);
  return Array.from({ length: count }, (_, i) => {
    const params = [transaction(key, first + i)];
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: i,
      method: 'eth_sendRawTransaction',
      params,
    });
    const head = `POST / HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n`;
    return `${head}content-length: ${body.length}\r\n\r\n${body}`;
  });
}
