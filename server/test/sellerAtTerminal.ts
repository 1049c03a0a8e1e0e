import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAddress } from 'viem';
import {
  type HostileSeller,
  type Received,
  type Sale,
  startHostileSeller,
} from '../../client/test/hostileSeller.ts';
import { STABLECOIN } from '../../devnet/src/plan.ts';
import { runOnTerminal, type Shown } from './fakeTerminal.ts';
import type { TokenChain } from './tokenChain.ts';

const PAY_TO = getAddress(`0x${'1a'.repeat(20)}`);

/** A seller that the test controls, and a terminal user with a separate key and state folder. */
export interface SellerAtTerminal {
  readonly seller: HostileSeller;
  readonly payTo: string;
  readonly env: Readonly<Record<string, string>>;
  /** Changes how the seller responds from now on. */
  sell(how: (sale: Sale) => void): void;
  /** Runs `assay risk schema` with a key and these flags; on a terminal if `typed` is given. */
  buy(flags?: string, typed?: string): Promise<Shown>;
  run(line: string, columns?: number): Promise<Shown>;
  /** Runs `assay spend --json` for this seller. */
  list(flags?: string): Promise<Record<string, string | null>[]>;
  close(): Promise<void>;
}

export async function openSellerAtTerminal(how: (sale: Sale) => void): Promise<SellerAtTerminal> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-terminal-'));
  const terms = {
    chainId: 8453,
    asset: STABLECOIN,
    assetName: 'USD Coin',
    assetVersion: '2',
    payTo: PAY_TO,
  };
  let current = how;
  // Nothing is settled here, so the seller needs only the chain's terms.
  const seller = await startHostileSeller({ terms } as unknown as TokenChain, (sale) =>
    current(sale),
  );
  const env = {
    ...{ XDG_STATE_HOME: folder, ASSAY_URL: seller.url, NO_COLOR: '1' },
    ASSAY_PRIVATE_KEY: '42'.repeat(32),
  };
  const run = (line: string, columns?: number, typed?: string) =>
    runOnTerminal(line, {
      env,
      ...(columns !== undefined && { columns }),
      ...(typed !== undefined && { typed }),
    });
  return {
    seller,
    payTo: PAY_TO,
    env,
    sell(next) {
      current = next;
    },
    buy(flags = '--yes --max-usd 0.05', typed) {
      const line = `risk schema --json --allow-loopback ${flags}`;
      return run(line, typed === undefined ? undefined : 80, typed);
    },
    run,
    async list(flags = '') {
      const { out } = await run(`spend --json --host ${seller.host} ${flags}`);
      return JSON.parse(out);
    },
    async close() {
      await seller.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the recipient of each signed payment. */
export function recipientsOf(payments: readonly Received[]): string[] {
  return payments.map(({ authorization }) => getAddress(authorization.to));
}
