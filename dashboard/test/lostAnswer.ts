import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { DemoServer } from './demoPages.ts';
import { openPages } from './openPages.ts';

const WARNING =
  /A charge of \$0\.05 to 0x\w{4}…\w{4} is not confirmed yet\. Try again; you won't pay twice\./;
const CONTRADICTION = "You're charged only if the request succeeds.";

/** The response to a payment is lost, and then the page is reloaded: the payment is not lost. */
export async function loseAnswer(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open('/risk?q=delta&label=Pool');
  await page.getByRole('button', { name: /^Search for/ }).click();
  await page.locator('.hits tbody a').first().click();
  const buy = page.getByRole('button', { name: /^Buy the grade for \$0\.05/ });
  await page.getByText(CONTRADICTION).first().waitFor();

  // The server responds and is paid, but the page does not receive the response.
  const headers: string[] = [];
  await page.route('**/api/v1/agent/node/**', async (route) => {
    const header = route.request().headers()['payment-signature'];
    if (header === undefined) return route.continue();
    headers.push(header);
    await route.fetch();
    return route.abort();
  });
  await buy.click();
  const card = page.locator('section:has(#node)');
  const warning = card.getByRole('alert').getByText(WARNING);
  await warning.waitFor();
  expect(await card.getByText(CONTRADICTION).count()).toBe(0);

  await page.reload();
  await warning.waitFor();
  expect(await card.getByText(CONTRADICTION).count()).toBe(0);
  // Nothing is sent before the user tries again.
  const sent = headers.length;
  expect(sent).toBeGreaterThan(0);

  await page.unroute('**/api/v1/agent/node/**');
  const again: string[] = [];
  page.on('request', (request) => {
    const header = request.headers()['payment-signature'];
    if (header !== undefined && request.url().includes('/node/')) again.push(header);
  });
  await buy.click();
  await card.locator('.grade.big').waitFor();
  expect(await warning.count()).toBe(0);
  // It is the same payment: the chain accepts one per nonce at most.
  expect(again.length).toBeGreaterThan(0);
  expect(new Set([...headers, ...again].map(nonceOf)).size).toBe(1);
  await opened.close();
}

function nonceOf(header: string): string {
  const { payload } = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as {
    payload: { authorization: { nonce: string } };
  };
  return payload.authorization.nonce;
}
