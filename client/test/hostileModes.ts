import type { TokenChain } from '../../server/test/tokenChain.ts';
import { BUDGET, STRANGER } from './hostileKit.ts';
import { encode, PRICE, receiptOf, type Sale, wayOf } from './hostileSeller.ts';
import { sendJson } from './localServer.ts';

/** The context of a mode, in addition to the request. */
export interface Around {
  readonly chain: TokenChain;
  /** Settles all received payments on chain. */
  cash(): Promise<unknown>;
  /** A host that is not in the allow list. */
  readonly elsewhere: string;
}

/** JSON that throws a TypeError when it is made a string. */
export const NO_TEXT = { toString: 1, valueOf: 1 };

export type Mode = (sale: Sale, around: Around) => void | Promise<void>;

const paidHeaders = ({ payment }: Sale, changes: object = {}) => ({
  'payment-response': receiptOf(payment!.authorization.from, changes),
});

function status(code: number, headers: Record<string, string> = {}, body: object = {}): Mode {
  return ({ response }) => sendJson(response, body, { status: code, headers });
}

function redirect(code: number): Mode {
  return ({ response, request }, { elsewhere }) =>
    void response.writeHead(code, { location: elsewhere + request.url }).end();
}

function text(body: string): Mode {
  return (sale) => void sale.response.writeHead(200, paidHeaders(sale)).end(body);
}

/** Ways in which a seller that has a payment can end a call without a response. */
export const ENDS: Readonly<Record<string, Mode>> = {
  refused: ({ bill }) => bill(),
  expired: ({ bill }) => bill({ invoice: { error: 'authorization_expired' } }),
  used: ({ bill }) => bill({ invoice: { error: 'authorization_already_used' } }),
  poor: ({ bill }) => bill({ invoice: { error: 'insufficient_funds' } }),
  failed: (sale) => sale.bill({ headers: paidHeaders(sale, { success: false }) }),
  'charged and denied': async ({ bill }, { cash }) => {
    await cash();
    bill();
  },
  'more expensive': ({ bill, turn }) => bill({ way: { amount: `${PRICE + BigInt(turn + 1)}` } }),
  'too expensive': ({ bill }) => bill({ way: { amount: `${BUDGET.perCall + 1n}` } }),
  'another recipient': ({ bill }) => bill({ way: { payTo: `0x${'0b'.repeat(20)}` } }),
  conflict: status(409),
  'refused and settled': (sale) => sale.bill({ headers: paidHeaders(sale) }),
  'not found': status(404),
  invalid: status(400),
  'no invoice': status(402),
  'an unreadable invoice': status(402, { 'payment-required': encode([]) }),
  redirected: ({ response }) => void response.writeHead(302, { location: '/elsewhere' }).end(),
  broken: status(500),
};

/** More of them, and false responses. */
export const AFTER_PAYMENT: Readonly<Record<string, Mode>> = {
  ...ENDS,
  'charged and broken': async (sale, around) => {
    await around.cash();
    status(500)(sale, around);
  },
  'charged and not found': async (sale, around) => {
    await around.cash();
    status(404)(sale, around);
  },
  'charged and hung up': async ({ response }, { cash }) => {
    await cash();
    response.destroy();
  },
  'charged and delivered': async ({ deliver }, { cash }) => {
    await cash();
    deliver();
  },
  cheaper: ({ bill, turn }) => bill({ way: { amount: `${PRICE - BigInt(turn + 1)}` } }),
  'to a stranger for one unit': ({ bill }) => bill({ way: { payTo: STRANGER, amount: '1' } }),
  'in another token': ({ bill }) => bill({ way: { asset: STRANGER } }),
  'on another network': ({ bill }) => bill({ way: { network: 'eip155:1' } }),
  'for another resource': ({ bill }, { elsewhere }) =>
    bill({ invoice: { resource: { url: `${elsewhere}/grade` } } }),
  'in progress for ever': ({ bill }) => bill({ invoice: { error: 'payment_in_progress' } }),
  unrecorded: status(409, {}, { code: 'payment_unrecorded' }),
  forbidden: status(403),
  'too many': status(429, { 'retry-after': '0' }),
  'come again': status(503, { 'retry-after': '0' }),
  'come in a year': status(503, { 'retry-after': '31536000' }),
  'redirected elsewhere': redirect(307),
  'hung up': ({ response }) => void response.destroy(),
  'silent after the payment': () => {},
  'silent in the answer': ({ response }) => void response.writeHead(200).write('{'),
  'an empty answer': text(''),
  'a page': text('<html>paid</html>'),
  'half an answer': text('{"_riskTier":'),
  'a receipt of another': ({ deliver }) => deliver({ 'payment-response': receiptOf(STRANGER) }),
  'a receipt of objects': ({ deliver }) =>
    deliver({
      'payment-response': encode({ success: true, network: 'eip155:8453', payer: NO_TEXT }),
    }),
  'a problem of objects': status(500, {}, { detail: NO_TEXT, title: NO_TEXT, errors: 'x' }),
  'no list of mistakes': status(400, {}, { errors: [null], candidates: 'x', detail: 1 }),
  'no base64 for a receipt': ({ deliver }) => deliver({ 'payment-response': '%%%' }),
};

/** Invoices that a seller can send. */
export const BEFORE_PAYMENT: Readonly<Record<string, Mode>> = {
  ...Object.fromEntries(
    Object.entries({
      'a strange asset': { asset: STRANGER },
      'a strange recipient': { payTo: STRANGER },
      'a strange network': { network: 'eip155:1' },
      'a network that looks like it': { network: 'eip155:08453' },
      'another scheme': { scheme: 'upto' },
      'no domain': { extra: {} },
      'no time': { maxTimeoutSeconds: 0 },
      'a year of time': { maxTimeoutSeconds: 365 * 86_400 },
      'a hex amount': { amount: '0xc350' },
      'an amount as object': { amount: NO_TEXT },
      'a negative amount': { amount: '-50000' },
      'an amount of nothing': { amount: '0' },
      'an amount as number': { amount: 50_000 },
      '10^40': { amount: `1${'0'.repeat(40)}` },
      '10^78': { amount: `1${'0'.repeat(78)}` },
      'one unit too many': { amount: `${BUDGET.perCall + 1n}` },
      'one unit': { amount: '1' },
    }).map(([name, way]): [string, Mode] => [name, ({ bill }) => bill({ way })]),
  ),
  'another path': ({ bill }) => bill({ invoice: { resource: { url: 'https://evil.example/x' } } }),
  'an oversized invoice': ({ bill }) =>
    bill({ headers: { 'payment-required': 'x'.repeat(13_000) } }),
  'no ways': ({ bill }) => bill({ ways: [] }),
  'a bait among ways': ({ bill }, { chain }) =>
    bill({ ways: [wayOf(chain, { amount: '1', payTo: STRANGER }), wayOf(chain)] }),
  'an identifier of its own': ({ bill }) =>
    bill({ invoice: { extensions: { 'payment-identifier': { info: { id: 'x'.repeat(20) } } } } }),
  'no identifier': ({ bill }) => bill({ invoice: { extensions: {} } }),
  'version one': ({ bill }) => bill({ invoice: { x402Version: 1 } }),
  'sent elsewhere': redirect(308),
  'broken at once': status(500),
  'busy at once': status(503, { 'retry-after': '0' }),
  'silent at once': () => {},
};

/** Sells without cheating. */
export const honestMode: Mode = ({ payment, bill, deliver }) => (payment ? deliver() : bill());
