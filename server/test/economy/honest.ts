import { expect } from 'vitest';
import type { Wallet } from '../../../devnet/src/index.ts';
import { lower } from '../../src/domain/hex.ts';
import type { SignedAuthorization } from '../../src/payments/authorization/payment.ts';
import { REFUSAL_CODES } from '../../src/payments/gate/refusalCodes.ts';
import { pause } from '../../src/runtime/pause.ts';
import { header, type Reply } from '../paidTestServer.ts';
import type { Market } from './market.ts';

/** One response that an honest payer buys, and all payments signed for it. */
export interface Purchase {
  readonly path: string;
  readonly signed: SignedAuthorization[];
  /** Bodies of its 200 responses; exactly one if everything works. */
  readonly answers: string[];
  /** Statuses and codes along the way, shown if the test fails. */
  readonly said: string[];
}

/** Keeps within the server's rate limit per payer. */
const MIN_PAUSE_MS = 100;
/** Longer than any injected fault, and than the validity of an authorization. */
const TIMEOUT_MS = 180_000;
const REMEDIES = new Map(REFUSAL_CODES.map(({ code, remedy }) => [code, remedy]));

/** Buys as documented: signs a new payment where the documentation says so, otherwise sends the same one again. */
export async function buy(
  market: Market,
  wallet: Wallet,
  options: { readonly id: string; readonly address: string; readonly identified: boolean },
): Promise<Purchase> {
  const { chain, shop, random } = market;
  const path = `/api/v1/agent/node/honest:${options.id}`;
  const purchase: Purchase = { path, signed: [], answers: [], said: [] };
  const until = performance.now() + TIMEOUT_MS;
  let text = sign();
  while (performance.now() < until) {
    const reply = await send(text);
    const said = reply === undefined ? 'gone' : saidBy(reply);
    purchase.said.push(said);
    if (reply?.status === 200) {
      purchase.answers.push(reply.body.toString());
      await pause(MIN_PAUSE_MS);
      return purchase;
    }
    if (reply?.status === 402) {
      const remedy = REMEDIES.get(said.slice(4));
      if (remedy !== 'sign' && remedy !== 'same-again') break;
      if (remedy === 'sign') text = sign();
    }
    await pause(200 + random.int(300));
  }
  return purchase;

  function sign(): string {
    const payment = market.sign({ from: lower(wallet.address), key: wallet.privateKey });
    purchase.signed.push(payment);
    const name = `${options.id}_${purchase.signed.length}`.padStart(16, '0');
    return header(chain, payment, options.identified ? { identifier: name } : {});
  }

  /**
   * A third of its connections break, even during the response. Only a client with a payment identifier can get that
   * response again, so only those clients break theirs.
   */
  async function send(payment: string): Promise<Reply | undefined> {
    const breaks = options.identified && random.int(3) === 0;
    const signal = breaks ? AbortSignal.timeout(5 + random.int(200)) : undefined;
    const headers = { 'x-forwarded-for': options.address };
    try {
      return await shop.buy(payment, { path, headers, ...(signal && { signal }) });
    } catch {
      return undefined;
    }
  }
}

export function saidBy(reply: Reply): string {
  if (reply.status === 429) return `429 ${JSON.parse(reply.body.toString()).detail}`;
  if (reply.status !== 402) return String(reply.status);
  return `402 ${(JSON.parse(reply.body.toString()) as { error: string }).error}`;
}

/** Expects exactly one response, for the requested node, and exactly one charge. */
export function expectServedOnce(
  { path, signed, answers, said }: Purchase,
  used: ReadonlySet<string>,
): void {
  const charges = signed.filter(({ authorization }) => used.has(authorization.nonce)).length;
  const nodeId = path.slice(path.lastIndexOf('/') + 1);
  const own = [JSON.stringify({ nodeId })];
  expect({ answers, charges }, `${path}: ${said.join(', ')}`).toEqual({ answers: own, charges: 1 });
}
