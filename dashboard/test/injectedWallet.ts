import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { type DemoServer, statusOf } from './demoPages.ts';
import { expectHarmless, HOSTILE_QUERY } from './hostileNames.ts';
import { expectFits, LOOKS, openPages, violations } from './openPages.ts';

/** How the page discovers the wallet. */
type Kind = 'eip6963' | 'window.ethereum';

/** The wallet's behavior. */
interface Mood {
  chainId: number;
  /** Whether it has the requested chain. */
  knowsChain: boolean;
  /** Whether its owner rejects. */
  refuses: boolean;
}

interface Wallet {
  readonly address: string;
  /** All requests, in order. */
  readonly asked: string[];
  /** Returns the number of signatures. */
  signed(): number;
  readonly mood: Mood;
}

/** Injects a browser wallet that signs with a real key outside the page, like an extension. */
async function injectWallet(context: BrowserContext, key: string, kind: Kind): Promise<Wallet> {
  const account = privateKeyToAccount(key as Hex);
  const asked: string[] = [];
  let signed = 0;
  const mood: Mood = { chainId: 8453, knowsChain: true, refuses: false };
  await context.exposeFunction('askWallet', async (method: string, params: unknown[]) => {
    asked.push(method);
    if (mood.refuses && method !== 'eth_chainId') {
      return { error: { code: 4001, message: 'User rejected the request.' } };
    }
    switch (method) {
      case 'eth_requestAccounts':
        return { result: [account.address] };
      case 'eth_chainId':
        return { result: `0x${mood.chainId.toString(16)}` };
      case 'wallet_switchEthereumChain':
        if (!mood.knowsChain) return { error: { code: 4902, message: 'Unrecognized chain ID.' } };
        mood.chainId = Number((params[0] as { chainId: string }).chainId);
        return { result: null };
      case 'eth_signTypedData_v4': {
        const { domain, types, primaryType, message } = JSON.parse(params[1] as string);
        expect(params[0]).toBe(account.address);
        expect(Number(domain.chainId)).toBe(mood.chainId);
        signed += 1;
        return { result: await account.signTypedData({ domain, types, primaryType, message }) };
      }
      default:
        return { error: { code: 4200, message: `not supported: ${method}` } };
    }
  });
  await context.addInitScript(PROVIDER[kind]);
  return { address: account.address, asked, signed: () => signed, mood };
}

const ASK = `{
  on() {},
  async request({ method, params }) {
    const { result, error } = await globalThis.askWallet(method, params ?? []);
    // Wallets throw objects that are not Errors.
    if (error) throw error;
    return result;
  },
}`;
const PROVIDER: Readonly<Record<Kind, string>> = {
  'window.ethereum': `globalThis.ethereum = ${ASK};`,
  // Some announce themselves before the page requests it, and some later.
  eip6963: `{
    const detail = Object.freeze({ info: { uuid: '1', name: 'Test\\u202e <b>wallet</b>' }, provider: ${ASK} });
    addEventListener('eip6963:requestProvider', () => setTimeout(() =>
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })), 50));
  }`,
};

/** A browser wallet pays a server that is not the demo: rejected, on the wrong chain, too expensive, and paid. */
export async function payWithOwnWallet(
  browser: Browser,
  demo: DemoServer,
  /** Price of the dependencies: more than a browser may spend per day. */
  price: string,
): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const wallet = await injectWallet(opened.context, demo.wallets[1]!.privateKey, 'eip6963');
  const page = await opened.open(`/risk?q=${HOSTILE_QUERY}&label=Pool`);
  const search = page.getByRole('button', { name: /^Search for .* for \$0\.001$/ });
  const connect = page.getByRole('button', { name: 'Test <b>wallet</b>' });
  await connect.waitFor();
  // The price is shown first; the wallet gets no request before its button is pressed.
  expect(await search.isDisabled()).toBe(true);
  expect(wallet.asked).toEqual([]);
  expect(await violations(page)).toEqual([]);

  wallet.mood.refuses = true;
  await connect.click();
  await page.getByRole('alert').getByText('rejected the request in your wallet').waitFor();
  wallet.mood.refuses = false;
  await connect.click();
  await page.getByText('Limit: $10 per day').waitFor();

  wallet.mood.refuses = true;
  await search.click();
  await alertOf(page, 'You rejected the request in your wallet. Nothing was signed or charged.');
  Object.assign(wallet.mood, { refuses: false, chainId: 1, knowsChain: false });
  await search.click();
  await alertOf(page, 'Your wallet does not have the payment chain');
  expect(wallet.signed()).toBe(0);
  expect(wallet.asked.at(-1)).toBe('wallet_switchEthereumChain');

  // It is on another chain, and switches when requested.
  wallet.mood.knowsChain = true;
  await search.click();
  await page.locator('.hits tbody a').first().click();
  expect(wallet.mood.chainId).toBe(8453);
  await page.getByRole('button', { name: 'Buy the grade for $0.05' }).click();
  await page.locator('.grade.big').waitFor();
  await expectHarmless(page);
  expect(wallet.signed()).toBe(2);
  const links = page.locator('.receipt a');
  expect(await links.count()).toBe(2);
  for (const href of await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))) {
    const [, transaction] = /^https:\/\/basescan\.org\/tx\/(0x[0-9a-f]{64})$/.exec(href!)!;
    expect(await statusOf(demo, transaction!)).toBe('0x1');
  }

  // Above the daily limit of this browser: reported before anything is signed.
  await page.getByRole('button', { name: `Buy the dependencies for ${price}` }).click();
  await alertOf(page, 'The spending limit of this browser is reached');
  expect(wallet.signed()).toBe(2);
  expect(await violations(page)).toEqual([]);
  expect(opened.problems().filter((problem) => !problem.includes('402'))).toEqual([]);
  await opened.close();
  await payAtPhone(browser, demo);
}

/** On a phone, with the wallet in `window.ethereum`. */
async function payAtPhone(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl, LOOKS[3]);
  await injectWallet(opened.context, demo.wallets[2]!.privateKey, 'window.ethereum');
  const page = await opened.open(`/risk?q=${HOSTILE_QUERY}&label=Pool`);
  await page.getByRole('button', { name: 'Browser wallet' }).click();
  await page.getByRole('button', { name: /^Search for/ }).click();
  await page.locator('.receipt a').waitFor();
  await expectFits(page);
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Browser wallet' }).waitFor();
  await opened.close();
}

async function alertOf(page: Page, words: string): Promise<void> {
  await page.getByRole('alert').getByText(words).waitFor();
}
