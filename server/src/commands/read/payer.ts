import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  allowDemo,
  type Client,
  createPayer,
  getOffer,
  type OpenPayment,
  type Payer,
  type PayerOptions,
  type Price,
  type Signer,
  type SpendStore,
} from '@assay/client';
import { createFileStore } from '@assay/client/node';
import { confirm } from '../../cli/confirm.ts';
import type { FlagValues } from '../../cli/flags.ts';
import { UsageError } from '../../cli/usageError.ts';
import { isLoopbackHost } from '../../domain/loopback.ts';
import { timeText } from '../../terminal/times.ts';
import type { Terminal } from '../command.ts';
import { DEMO_SPEND, findDemo, type RunningDemo } from './demo.ts';
import { choosePrice } from './offer.ts';
import { NotPaid } from './paidFailures.ts';
import { canAsk, findChangedRecipient } from './recipient.ts';
import { openSigner } from './signer.ts';
import { findStablecoin, STABLECOINS, usdOf } from './stablecoins.ts';

/** The limits and the key of a payment. */
export interface PaySettings {
  /** Base units; undefined: the price that the user confirms. */
  readonly most: bigint | undefined;
  readonly yes: boolean;
  readonly keyFile: string | undefined;
  readonly keystore: string | undefined;
  /** The only allowed recipient. */
  readonly payTo: string | undefined;
  /** The accepted new recipient of a host. */
  readonly acceptPayTo: string | undefined;
  readonly allowLoopback: boolean;
  /** RPC endpoint of the payment chain. */
  readonly rpc: string | undefined;
  /** Id of an earlier payment for the same request; a new one is signed despite it. */
  readonly replaces: string | undefined;
}

export function readRpc(flags: FlagValues): string | undefined {
  const url = flags.get('rpc');
  if (url === undefined || /^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    return url;
  throw new UsageError('--rpc must be the URL of an RPC endpoint, such as https://…; correct it');
}

/** The client requires a total budget; here each call has its own cap. */
export const ANY_TOTAL = 2n ** 200n;

/** Creates a payer for this URL that pays after confirmation. */
export async function openPayer(
  client: Client,
  asked: string,
  settings: PaySettings,
  terminal: Terminal,
): Promise<Payer> {
  const url = new URL(asked);
  const demo = findDemo(url.origin);
  checkHost(url, demo, settings);
  const signer = await openSigner(settings, demo, terminal);
  const store = createFileStore(demo ? DEMO_SPEND : spendFolder(terminal.env));
  const left = await findOpenPayment(store, url, signer, settings.replaces);
  const offer = left === undefined ? await getOffer(client, url.href) : undefined;
  const price = left ? priceOf(left) : offer ? choosePrice(offer) : undefined;
  let maySignNew = false;
  if (price !== undefined) {
    const before = await findChangedRecipient({
      store,
      url,
      price,
      left,
      demo,
      settings,
      terminal,
    });
    maySignNew = await agree({ url, price, left, before }, settings, terminal);
  }
  return createPayer({
    signer,
    store,
    budget: { perCall: settings.most ?? price?.amount ?? 0n, total: ANY_TOTAL },
    ...termsOf(url, demo, price?.payTo, settings),
    // Another process can close the earlier payment first; then the user has not agreed to a new one.
    beforeSign: ({ isSignedAgain }) => isSignedAgain || maySignNew,
    // Settlement takes as long as the chain needs.
    timeoutMs: 60_000,
  });
}

/** Runs before any key is read. */
export function checkHost(
  url: URL,
  demo: RunningDemo | undefined,
  { allowLoopback }: Pick<PaySettings, 'allowLoopback'>,
): void {
  if (!isLoopbackHost(url.hostname)) {
    if (url.protocol === 'https:') return;
    throw new NotPaid(
      `${url.origin} is not paid: without HTTPS, others on the network could change the price; use https`,
    );
  }
  if (demo !== undefined || allowLoopback) return;
  throw new NotPaid(
    'a server on this machine is treated as the demo, which is paid with its own wallets: run this in the folder of its .assay/demo.json, or add --allow-loopback if it is not the demo',
  );
}

/** Returns the allowed recipients at this URL, and the trusted RPC endpoint. */
export function termsOf(
  url: URL,
  demo: RunningDemo | undefined,
  payTo: string | undefined,
  {
    allowLoopback,
    rpc,
    acceptPayTo,
  }: Pick<PaySettings, 'allowLoopback' | 'rpc'> & Partial<Pick<PaySettings, 'acceptPayTo'>>,
): Pick<PayerOptions, 'allow' | 'proof'> {
  // The demo can be reached by several host names.
  const hosts = [url.host];
  if (demo) return { allow: { ...allowDemo(demo), hosts }, proof: { rpc: nodesOf(demo), hosts } };
  return {
    allow: {
      networks: STABLECOINS.map(({ network }) => network),
      assets: STABLECOINS.map(({ asset }) => asset),
      recipients: [payTo, acceptPayTo].filter((address) => address !== undefined),
      hosts,
      ...(allowLoopback && { allowLoopback }),
    },
    // The endpoint is proof only for its own network.
    ...(rpc && {
      proof: { rpc: Object.fromEntries(STABLECOINS.map(({ network }) => [network, rpc])) },
    }),
  };
}

function nodesOf({ chains }: RunningDemo): Record<string, string> {
  return Object.fromEntries(chains.map(({ chainId, rpcUrl }) => [`eip155:${chainId}`, rpcUrl]));
}

export function spendFolder(env: Terminal['env'], name = 'spend'): string {
  return join(env.XDG_STATE_HOME || join(homedir(), '.local/state'), 'assay', name);
}

/** Returns an unresolved earlier payment for the same request, which the payer resends. */
function findOpenPayment(
  store: SpendStore,
  { href }: URL,
  { address }: Signer,
  replaces: string | undefined,
): Promise<OpenPayment | undefined> {
  return store.transact((book) => ({
    result: [...(book?.open ?? []), ...(book?.unanswered ?? [])].find(
      ({ state, url, request, payer, replaced, id }) =>
        state !== 'reserved' &&
        url === href &&
        request === undefined &&
        payer === address &&
        !replaced &&
        id !== replaces,
    ),
  }));
}

function priceOf({ amount, network, asset, payTo }: OpenPayment): Price {
  return { amount: BigInt(amount), network, asset, payTo };
}

/** Returns whether a new payment may be signed, not only the earlier one resent. Throws NotPaid if the user declines. */
async function agree(
  {
    url,
    price,
    left,
    before,
  }: {
    readonly url: URL;
    readonly price: Price;
    readonly left: OpenPayment | undefined;
    /** The previous recipient, if it changed. */
    readonly before: string | undefined;
  },
  { most, yes }: PaySettings,
  terminal: Terminal,
): Promise<boolean> {
  const usd = usdOf(price.amount);
  const isAgreed = yes && before === undefined;
  const note = (text: string) => terminal.errors.write(`${text}\n`);
  if (left?.state === 'charged') {
    note(
      `The payment of ${timeText(left.reservedAt)} UTC (${usd} USD) was charged without a response. Requesting the response again.`,
    );
    return isAgreed;
  }
  if (left !== undefined && left.validBefore > Date.now() / 1000) {
    note(
      `resending the payment of ${timeText(left.reservedAt)} UTC (${usd} USD): it is charged once`,
    );
    return isAgreed;
  }
  if (most !== undefined && price.amount > most) {
    throw new NotPaid(
      `the price is ${usd} USD, and --max-usd allows ${usdOf(most)}; nothing was paid: raise --max-usd to pay it`,
    );
  }
  if (isAgreed) return true;
  if (left !== undefined) {
    note(
      `An earlier payment for this (${timeText(left.reservedAt)} UTC) is unresolved. If it was charged, this costs nothing.`,
    );
  }
  const token = findStablecoin(price)?.name ?? price.asset;
  const question =
    before === undefined
      ? `Pay ${usd} USD (${token}) to ${price.payTo}?`
      : `${url.host} was paid at ${before} so far. Pay ${usd} USD (${token}) to ${price.payTo} instead?`;
  if (await confirm(question, { input: terminal.input, output: terminal.errors })) {
    return true;
  }
  throw new NotPaid('nothing was paid');
}

/** Requires explicit consent in flags if there is no terminal. */
export function checkCanAsk({ most, yes }: PaySettings, { input, errors }: Terminal): void {
  if (yes && most === undefined) {
    throw new UsageError('--yes pays without confirmation: set --max-usd to the maximum price');
  }
  if (yes || canAsk({ input, errors })) return;
  throw new UsageError(
    'there is no terminal to confirm the payment: add --yes and --max-usd, or --dry-run to see the price',
  );
}
