import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { STABLECOIN } from '../../devnet/src/plan.ts';
import type { TokenChain } from '../../server/test/tokenChain.ts';
import { type LocalServer, sendJson, startLocalServer } from './localServer.ts';

/** A payment as the seller receives it. */
export interface Received {
  readonly header: string;
  readonly url: string;
  /** Name of the requested response, if the caller sends it. */
  readonly want: string | undefined;
  readonly identifier: string | undefined;
  readonly signature: Hex;
  readonly authorization: {
    readonly from: Hex;
    readonly to: Hex;
    readonly value: string;
    readonly validAfter: string;
    readonly validBefore: string;
    readonly nonce: Hex;
  };
}

/** A request and the seller's possible reactions. */
export interface Sale {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Undefined for a request without a payment. */
  readonly payment: Received | undefined;
  /** Number of earlier requests of this kind, paid or not. */
  readonly turn: number;
  /** Sends a valid 402, with the given changes. */
  bill(changes?: Bill): void;
  /** Sends a valid response with its receipt, with the given headers changed. */
  deliver(headers?: Record<string, string>): void;
}

export interface Bill {
  readonly way?: object;
  readonly ways?: readonly object[];
  readonly invoice?: object;
  readonly headers?: Record<string, string>;
}

export interface HostileSeller extends LocalServer {
  readonly host: string;
  /** All received payments. */
  readonly payments: readonly Received[];
  /** The payments that the chain accepted. */
  readonly taken: readonly Received[];
  /** Settles all received payments, or the picked ones, on chain. Returns the result. */
  cash(
    isPicked?: (payment: Received) => boolean,
  ): Promise<{ readonly charges: number; readonly amount: bigint }>;
}

export const PRICE = 50_000n;

const TRANSFER = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
]);

/** Starts a seller that handles each request as the test says, and can settle every payment that it received. */
export async function startHostileSeller(
  chain: TokenChain,
  sell: (sale: Sale) => void | Promise<void>,
): Promise<HostileSeller> {
  const payments: Received[] = [];
  const taken: Received[] = [];
  const turns = { paid: 0, unpaid: 0 };
  const server = await startLocalServer((request, response) => {
    const payment = readPayment(request);
    if (payment) payments.push(payment);
    const turn = turns[payment ? 'paid' : 'unpaid']++;
    return sell({
      request,
      response,
      payment,
      turn,
      bill: (changes) => bill(chain, server.url, request, response, changes),
      deliver: (headers = {}) => {
        const receipt = { 'payment-response': receiptOf(payment?.authorization.from) };
        sendJson(response, { url: request.url }, { headers: { ...receipt, ...headers } });
      },
    });
  });

  async function cash(isPicked: (payment: Received) => boolean = () => true) {
    const before = await chain.balance(chain.terms.payTo);
    let charges = 0;
    for (const payment of payments.filter(isPicked)) {
      const { authorization: of, signature } = payment;
      const { from, to, value, validAfter, validBefore, nonce } = of;
      const times = [BigInt(value), BigInt(validAfter), BigInt(validBefore)] as const;
      const data = encodeFunctionData({
        abi: TRANSFER,
        args: [from, to, ...times, nonce, signature],
      });
      const done = await chain.send(STABLECOIN, data).catch(() => undefined);
      if (done?.status !== '0x1') continue;
      charges++;
      taken.push(payment);
    }
    return { charges, amount: (await chain.balance(chain.terms.payTo)) - before };
  }

  return { ...server, host: new URL(server.url).host, payments, taken, cash };
}

export function wayOf({ terms }: TokenChain, changes: object = {}): object {
  return {
    scheme: 'exact',
    network: `eip155:${terms.chainId}`,
    amount: String(PRICE),
    asset: terms.asset,
    payTo: terms.payTo,
    maxTimeoutSeconds: 60,
    extra: { name: terms.assetName, version: terms.assetVersion },
    ...changes,
  };
}

export function receiptOf(payer: string | undefined, changes: object = {}): string {
  const network = 'eip155:8453';
  return encode({ success: true, transaction: `0x${'ab'.repeat(32)}`, network, payer, ...changes });
}

export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

function bill(
  chain: TokenChain,
  origin: string,
  { url }: IncomingMessage,
  response: ServerResponse,
  { way, ways, invoice, headers }: Bill = {},
): void {
  const sent = {
    x402Version: 2,
    error: 'payment_required',
    resource: { url: origin + url, description: 'x', mimeType: 'application/json' },
    accepts: ways ?? [wayOf(chain, way)],
    extensions: { 'payment-identifier': { info: { required: false }, schema: {} } },
    ...invoice,
  };
  sendJson(response, sent, {
    status: 402,
    headers: { 'payment-required': encode(sent), ...headers },
  });
}

function readPayment({ headers, url }: IncomingMessage): Received | undefined {
  const header = headers['payment-signature'];
  if (typeof header !== 'string') return undefined;
  const { payload, extensions } = JSON.parse(Buffer.from(header, 'base64').toString());
  const identifier = extensions?.['payment-identifier']?.info.id as string | undefined;
  return { header, url: url!, want: headers['x-want'], identifier, ...payload } as Received;
}
