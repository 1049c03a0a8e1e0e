import { randomBytes, randomUUID } from 'node:crypto';
import type { Wallet } from '../../../devnet/src/index.ts';
import { type Hex, lower } from '../../src/domain/hex.ts';
import { signDigest } from '../../src/payments/authorization/curve.ts';
import { createDigest } from '../../src/payments/authorization/digest.ts';
import type { Authorization } from '../../src/payments/authorization/payment.ts';
import { REFUSAL_CODES } from '../../src/payments/gate/refusalCodes.ts';
import { pause } from '../../src/runtime/pause.ts';
import type { Member } from './cluster.ts';
import { ask } from './readers.ts';

/** A wanted response, and all payments signed for it. */
export interface Purchase {
  readonly path: string;
  readonly nonces: Hex[];
  readonly said: string[];
  value: bigint;
  body: string | undefined;
}

interface Invoice {
  readonly error: string;
  readonly accepts: readonly {
    readonly scheme: string;
    readonly network: string;
    readonly amount: string;
    readonly asset: Hex;
    readonly payTo: Hex;
    readonly maxTimeoutSeconds: number;
    readonly extra: { readonly name: string; readonly version: string };
  }[];
}

const REMEDIES = new Map(REFUSAL_CODES.map(({ code, remedy }) => [code, remedy]));
/** Kills, restarts, and failovers take seconds, and a payment stays valid for a minute. */
const TIMEOUT_MS = 180_000;

/** Buys one response after another until stopped, as documented, alternating between the servers. */
export function startBuying(servers: readonly Member[], wallets: readonly Wallet[]) {
  const purchases: Purchase[] = [];
  let stopped = false;
  const running = wallets.map(async (wallet, buyer) => {
    for (let n = 0; !stopped; n++) {
      const path = `/api/v1/agent/search?q=thing-${buyer}-${n}`;
      const purchase: Purchase = { path, nonces: [], said: [], value: 0n, body: undefined };
      purchases.push(purchase);
      await buy(servers, wallet, purchase);
      await pause(150);
    }
  });
  return {
    purchases,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}

async function buy(servers: readonly Member[], wallet: Wallet, purchase: Purchase): Promise<void> {
  const until = performance.now() + TIMEOUT_MS;
  let header: string | undefined;
  for (let turn = 0; performance.now() < until; turn++) {
    const server = servers[turn % servers.length]!;
    const headers = header === undefined ? {} : { 'payment-signature': header };
    const reply = await ask(server.url + purchase.path, headers);
    if (reply?.status === 200) {
      purchase.body = reply.body;
      return;
    }
    if (reply?.status === 402) {
      const invoice = JSON.parse(reply.body) as Invoice;
      purchase.said.push(`402 ${invoice.error}`);
      const remedy = header === undefined ? 'sign' : REMEDIES.get(invoice.error);
      if (remedy !== 'sign' && remedy !== 'same-again') return;
      if (remedy === 'sign') header = sign(invoice, wallet, purchase);
    } else purchase.said.push(String(reply?.status ?? 'gone'));
    await pause(200);
  }
}

function sign({ accepts }: Invoice, wallet: Wallet, purchase: Purchase): string {
  const accepted = accepts[0]!;
  const now = Math.floor(Date.now() / 1000);
  const authorization: Authorization = {
    from: lower(wallet.address),
    to: accepted.payTo,
    value: BigInt(accepted.amount),
    validAfter: BigInt(now - 600),
    validBefore: BigInt(now + accepted.maxTimeoutSeconds),
    nonce: `0x${randomBytes(32).toString('hex')}`,
  };
  purchase.nonces.push(authorization.nonce);
  purchase.value = authorization.value;
  const digest = createDigest({
    chainId: Number(accepted.network.split(':')[1]),
    asset: accepted.asset,
    assetName: accepted.extra.name,
    assetVersion: accepted.extra.version,
  } as Parameters<typeof createDigest>[0]);
  const signature = signDigest(wallet.privateKey, digest(authorization));
  const texts = Object.fromEntries(
    Object.entries(authorization).map(([name, value]) => [name, String(value)]),
  );
  const payload = {
    x402Version: 2,
    accepted,
    payload: { signature, authorization: texts },
    extensions: { 'payment-identifier': { info: { id: randomUUID() } } },
  };
  return Buffer.from(JSON.stringify(payload)).toString('base64');
}
