import type { Hex } from '../src/domain/hex.ts';
import { type Child, startChild } from './childProcess.ts';
import type { SellOptions } from './children/sell.ts';
import type { TestDatabase } from './database.ts';
import type { TokenChain } from './tokenChain.ts';

/** A row of the ledger. */
export interface SellerRow {
  readonly payer: Hex;
  readonly nonce: Hex;
  readonly value: string;
  /** 1 claimed, 2 settling, 3 settled, 4 released, 5 unknown. */
  readonly state: number;
  readonly deliveredAt: number | null;
}

/** A server process that sells, and kills itself at a given step. */
export interface Seller {
  readonly url: string;
  /** Identifies the process in each of its responses. */
  readonly life: string;
  readonly child: Child;
  /** Kills the process once this many payments reach this step. With `freeze`, none of them continues. */
  arm(step: string, count: number, freeze?: boolean): Promise<void>;
  /** What `assay payments list` prints. */
  list(): Promise<readonly string[]>;
  rows(): Promise<readonly SellerRow[]>;
}

export async function startSeller(
  database: TestDatabase,
  chain: Pick<TokenChain, 'url' | 'terms' | 'keys' | 'multicall'>,
  ahead = 0,
  settings: Pick<SellOptions, 'limits' | 'timeoutSeconds'> = {},
): Promise<Seller> {
  const { url, terms, keys, multicall } = chain;
  const options: SellOptions = {
    store: database.config,
    chain: { url, terms, keys, multicall },
    ahead,
    ...settings,
  };
  const child = startChild('sell.ts', JSON.stringify(options));
  const line = await child.nextLine();
  if (line === undefined) throw new Error(`the seller ended: ${child.errors()}`);
  const said = JSON.parse(line) as { url: string; control: string; life: string };

  async function ask<T>(path: string): Promise<T> {
    const response = await fetch(said.control + path);
    if (!response.ok) throw new Error(await response.text());
    const text = await response.text();
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  return {
    url: said.url,
    life: said.life,
    child,
    arm: (step, count, freeze = true) =>
      ask(`/arm?${new URLSearchParams({ step, count: `${count}`, freeze: `${freeze}` })}`),
    list: () => ask('/list'),
    rows: () => ask('/rows'),
  };
}
