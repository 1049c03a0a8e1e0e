import { createStore } from './store.ts';

const KEY = 'assay-wallets';
const MAX = 8;

/** Wallets that were looked up in this browser, newest first. */
export const recentWallets = createStore<readonly string[]>(read());

export function rememberWallet(address: string): void {
  const others = recentWallets.get().filter((one) => one.toLowerCase() !== address.toLowerCase());
  write([address, ...others].slice(0, MAX));
}

export function forgetWallets(): void {
  write([]);
}

function write(addresses: readonly string[]): void {
  recentWallets.set(addresses);
  try {
    localStorage.setItem(KEY, JSON.stringify(addresses));
  } catch {
    // Without storage, the list lasts until the page is closed.
  }
}

function read(): readonly string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    const isAddress = (one: unknown): one is string =>
      typeof one === 'string' && /^0x[0-9a-fA-F]{40}$/.test(one);
    return Array.isArray(found) ? found.filter(isAddress).slice(0, MAX) : [];
  } catch {
    return [];
  }
}
