import { randomUUID } from 'node:crypto';
import type { Wallet } from '../../devnet/src/index.ts';
import { type Hex, lower } from '../src/domain/hex.ts';
import type { TokenChain } from './tokenChain.ts';

/** A request that a client sends and may send again. */
export interface SignedRequest {
  readonly path: string;
  readonly payer: Wallet;
  readonly nonce: Hex;
  readonly value: bigint;
  readonly header: string;
}

/** Signs a request with its payment once, so that the same bytes can be sent again after any outcome. */
export function signRequest(
  chain: TokenChain,
  options: {
    readonly path: string;
    readonly payer: Wallet;
    readonly price: bigint;
    readonly identified?: boolean;
    /** A key other than the payer's, for a forged signature. */
    readonly key?: Hex;
    /** Seconds by which the seller's clock is ahead. */
    readonly ahead?: number;
  },
): SignedRequest {
  const { path, payer, price, ahead = 0 } = options;
  const { authorization, signature } = chain.pay({
    from: lower(payer.address),
    key: options.key ?? payer.privateKey,
    value: price,
    validBefore: BigInt(chain.now() + ahead + chain.terms.maxTimeoutSeconds),
  });
  const { asset, payTo, maxTimeoutSeconds, assetName, assetVersion } = chain.terms;
  const payload = {
    x402Version: 2,
    accepted: {
      scheme: 'exact',
      network: `eip155:${chain.terms.chainId}`,
      amount: String(price),
      asset,
      payTo,
      maxTimeoutSeconds,
      extra: { name: assetName, version: assetVersion },
    },
    payload: {
      signature,
      authorization: {
        ...authorization,
        value: String(authorization.value),
        validAfter: String(authorization.validAfter),
        validBefore: String(authorization.validBefore),
      },
    },
    ...(options.identified && {
      extensions: { 'payment-identifier': { info: { id: randomUUID() } } },
    }),
  };
  const header = Buffer.from(JSON.stringify(payload)).toString('base64');
  return { path, payer, nonce: authorization.nonce, value: price, header };
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Headers;
}

/** Returns undefined if the server ended before the response was complete. */
export async function sendSigned(
  url: string,
  { path, header }: SignedRequest,
): Promise<Answer | undefined> {
  try {
    const response = await fetch(url + path, { headers: { 'payment-signature': header } });
    return {
      status: response.status,
      body: await response.text(),
      headers: response.headers,
    };
  } catch {
    return undefined;
  }
}

/** Returns the code of a 402, or undefined. */
export function refusalOf(answer: Answer | undefined): string | undefined {
  if (answer?.status !== 402) return undefined;
  return (JSON.parse(answer.body) as { error: string }).error;
}

/** Sends the same bytes until the response is no longer a retry. */
export async function retrySigned(
  url: string,
  request: SignedRequest,
  seconds = 30,
): Promise<Answer | undefined> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await sendSigned(url, request);
    const soon = answer?.status === 503 || refusalOf(answer) === 'payment_in_progress';
    if (!soon || performance.now() > end) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
