/** A statement has at most so many wallets. */
export const MAX_WALLETS = 20;

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** The wallets of a page, which are one owner. */
export interface AskedWallets {
  /** Each once, in the order of the request. */
  readonly wallets: readonly string[];
  /** Texts that are not addresses. */
  readonly wrong: readonly string[];
}

/** Reads addresses that are separated by commas, spaces, or lines. */
export function walletsIn(text: string): AskedWallets {
  const texts = text.split(/[\s,;]+/).filter((one) => one !== '');
  const wallets = new Map<string, string>();
  for (const one of texts.filter((one) => ADDRESS.test(one))) {
    if (!wallets.has(one.toLowerCase())) wallets.set(one.toLowerCase(), one);
  }
  return { wallets: [...wallets.values()], wrong: texts.filter((one) => !ADDRESS.test(one)) };
}

/** The first wallet is the path, so that the link of one wallet stays as it is. */
export function hrefOf([first = '', ...others]: readonly string[]): string {
  return `/wallet/${first}${others.length === 0 ? '' : `?with=${others.join(',')}`}`;
}
