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
import { UsageError } from '../../cli/usageError.ts';
import { isLoopbackHost } from '../../domain/loopback.ts';
import { timeText } from '../../terminal/times.ts';
import type { Terminal } from '../command.ts';
import { DEMO_SPEND, findDemo, type RunningDemo } from './demo.ts';
import { choosePrice } from './offer.ts';
import { NotPaid } from './paidFailures.ts';
import { openSigner } from './signer.ts';
import { findStablecoin, STABLECOINS, usdOf } from './stablecoins.ts';

/** What somebody is willing to pay, and how. */
export interface PaySettings {
  /** Base units; undefined: what is asked for when it is confirmed. */
  readonly most: bigint | undefined;
  readonly yes: boolean;
  readonly keyFile: string | undefined;
  readonly payTo: string | undefined;
  readonly realChain: boolean;
}

/** A budget needs a cap over all time; here each call has its own. */
export const ANY_TOTAL = 2n ** 200n;

/** A payer that may buy what is at this address, once somebody has agreed to it. */
export async function openTill(
  client: Client,
  asked: string,
  settings: PaySettings,
  terminal: Terminal,
): Promise<Payer> {
  const url = new URL(asked);
  const demo = await findDemo(url.origin);
  checkPlace(url, demo, settings);
  const { keyFile } = settings;
  const signer = await openSigner({ keyFile, env: terminal.env, demo });
  const store = createFileStore(demo ? DEMO_SPEND : spendFolder(terminal.env));
  const left = await findLeft(store, url, signer);
  const offer = left === undefined ? await getOffer(client, url.href) : undefined;
  const price = left ? priceOf(left) : offer ? choosePrice(offer) : undefined;
  if (price !== undefined) {
    await checkRecipient(store, url, price, settings, demo);
    await agree(price, left, settings, terminal);
  }
  return createPayer({
    signer,
    store,
    budget: { perCall: settings.most ?? price?.amount ?? 0n, total: ANY_TOTAL },
    ...termsOf(url, demo, price?.payTo, settings),
    // A settlement takes as long as a chain needs.
    timeoutMs: 60_000,
  });
}

/** Before any key is read. */
export function checkPlace(
  url: URL,
  demo: RunningDemo | undefined,
  { realChain }: Pick<PaySettings, 'realChain'>,
): void {
  if (!isLoopbackHost(url.hostname)) {
    if (url.protocol === 'https:') return;
    throw new NotPaid(
      `${url.origin} is not paid: who listens in could change the price; use https`,
    );
  }
  if (demo !== undefined || realChain) return;
  throw new NotPaid(
    'a server on this machine is taken for the demo, which is paid with its own wallets: run this in the folder of its .assay/demo.json, or add --real-chain where it is none',
  );
}

/** Who may be paid at this address, and whose word counts there. */
export function termsOf(
  url: URL,
  demo: RunningDemo | undefined,
  payTo: string | undefined,
  { realChain }: Pick<PaySettings, 'realChain'>,
): Pick<PayerOptions, 'allow' | 'proof'> {
  // By whichever of its names the demo is asked.
  const hosts = [url.host];
  if (demo) return { allow: { ...allowDemo(demo), hosts }, proof: { rpc: nodesOf(demo), hosts } };
  return {
    allow: {
      networks: STABLECOINS.map(({ network }) => network),
      assets: STABLECOINS.map(({ asset }) => asset),
      recipients: payTo === undefined ? [] : [payTo],
      hosts,
      ...(realChain && { realLoopback: true }),
    },
  };
}

function nodesOf({ chains }: RunningDemo): Record<string, string> {
  return Object.fromEntries(chains.map(({ chainId, rpcUrl }) => [`eip155:${chainId}`, rpcUrl]));
}

export function spendFolder(env: Terminal['env'], name = 'spend'): string {
  return join(env.XDG_STATE_HOME || join(homedir(), '.local/state'), 'assay', name);
}

/** A payment for the very same that was sent, and of which the end is not known. */
function findLeft(
  store: SpendStore,
  { href }: URL,
  { address }: Signer,
): Promise<OpenPayment | undefined> {
  return store.transact((book) => ({
    result: book?.open.find(
      ({ state, url, payer }) => state === 'signed' && url === href && payer === address,
    ),
  }));
}

function priceOf({ amount, network, asset, payTo }: OpenPayment): Price {
  return { amount: BigInt(amount), network, asset, payTo };
}

/** Who was paid there before is who is paid there, until somebody says otherwise. */
async function checkRecipient(
  store: SpendStore,
  { host }: URL,
  { payTo }: Price,
  settings: PaySettings,
  demo: RunningDemo | undefined,
): Promise<void> {
  const paid = (await store.getRecords()).filter((record) => record.host === host).at(-1)?.payTo;
  const expected = settings.payTo ?? (demo ? demo.payTo : paid);
  if (expected === undefined || expected.toLowerCase() === payTo.toLowerCase()) return;
  const why = settings.payTo === undefined && !demo ? `, and was paid at ${expected} before` : '';
  throw new NotPaid(
    `${host} wants ${payTo} to be paid${why}; nothing was paid: if that is right, say --pay-to ${payTo}`,
  );
}

async function agree(
  price: Price,
  left: OpenPayment | undefined,
  { most, yes }: PaySettings,
  terminal: Terminal,
): Promise<void> {
  const usd = usdOf(price.amount);
  const note = (text: string) => terminal.errors.write(`${text}\n`);
  if (left !== undefined && left.validBefore > Date.now() / 1000) {
    note(
      `sending the payment of ${timeText(left.reservedAt)} UTC again (${usd} USD): it is charged once`,
    );
    return;
  }
  if (most !== undefined && price.amount > most) {
    throw new NotPaid(
      `it costs ${usd} USD, and --max-usd allows ${usdOf(most)}; nothing was paid: raise --max-usd to pay it`,
    );
  }
  if (yes) return;
  if (left !== undefined) {
    note(
      `paid for at ${timeText(left.reservedAt)} UTC and not answered: if that was charged, this costs nothing`,
    );
  }
  const token = findStablecoin(price)?.name ?? price.asset;
  const question = `Pay ${usd} USD (${token}) to ${price.payTo}?`;
  if (await confirm(question, { input: terminal.input, output: terminal.errors })) return;
  throw new NotPaid('nothing was paid');
}

/** Who cannot be asked must have said so. */
export function checkCanAsk({ most, yes }: PaySettings, { input, errors }: Terminal): void {
  if (yes && most === undefined) {
    throw new UsageError('--yes pays without asking: say with --max-usd how much at most');
  }
  if (yes || (input.isTTY && errors.isTTY)) return;
  throw new UsageError(
    'there is no terminal to ask on before paying: add --yes and --max-usd, or --dry-run to see the price',
  );
}
