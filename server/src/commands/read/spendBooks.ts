import { existsSync } from 'node:fs';
import {
  createPayer,
  listPurchases,
  type Payer,
  type Purchase,
  type SpendStore,
} from '@assay/client';
import { createFileStore } from '@assay/client/node';
import { UsageError } from '../../cli/usageError.ts';
import type { Terminal } from '../command.ts';
import { DEMO_MCP_SPEND, DEMO_SPEND } from './demo.ts';
import { spendFolder } from './payer.ts';

/** The values of `--state`: an open payment is `expired` once it can no longer be charged. */
export const STATES = ['open', 'expired', 'paid', 'charged', 'written-off'] as const;
export type SpendState = (typeof STATES)[number];

/** A payment and its spend store. */
export interface BookedPurchase extends Omit<Purchase, 'state'> {
  readonly state: SpendState;
  readonly book: string;
  readonly store: SpendStore;
}

/** Long enough to be unique in practice. */
const MIN_PREFIX = 6;

/**
 * Returns all payments of the command line and of `assay mcp`, including those to the demo of this folder; oldest
 * first.
 */
export async function listBooked(
  env: Terminal['env'],
  nowSeconds: number,
): Promise<BookedPurchase[]> {
  const folders = {
    'command line': spendFolder(env),
    mcp: spendFolder(env, 'mcp-spend'),
    demo: DEMO_SPEND,
    'demo mcp': DEMO_MCP_SPEND,
  };
  // Reading a store would create its folder.
  const books = Object.entries(folders).filter(([, folder]) => existsSync(folder));
  const lists = await Promise.all(
    books.map(async ([book, folder]) => {
      const store = createFileStore(folder);
      const purchases = await listPurchases(store);
      return purchases.map((one) => ({ ...one, state: stateOf(one, nowSeconds), book, store }));
    }),
  );
  return lists.flat().sort((a, b) => a.at - b.at);
}

function stateOf({ state, chargeableUntil }: Purchase, nowSeconds: number): SpendState {
  if (state === 'paid' || state === 'charged' || state === 'written-off') return state;
  return chargeableUntil !== null && chargeableUntil < nowSeconds ? 'expired' : 'open';
}

/** Finds a payment by its id or by the prefix that tables show; undefined if there is none. */
export function findBooked(
  purchases: readonly BookedPurchase[],
  given: string,
): BookedPurchase | undefined {
  const id = given.replace(/…$/, '').toLowerCase();
  const exact = purchases.find((one) => one.id === id);
  if (exact !== undefined || id.length < MIN_PREFIX) return exact;
  const [found, other] = purchases.filter((one) => one.id.startsWith(id));
  if (other === undefined) return found;
  throw new UsageError(`several payments start with ${id}; use the full id`);
}

/** Creates a payer that resends signed payments and cannot sign: it has no key and no allowed recipient. */
export function openResender({ payer, host, store }: BookedPurchase): Payer {
  return createPayer({
    signer: {
      address: payer,
      signTypedData: () => Promise.reject(new Error('signing is disabled here')),
    },
    budget: { perCall: 0n, total: 0n },
    allow: { networks: [], assets: [], recipients: [], hosts: [host], allowLoopback: true },
    store,
    timeoutMs: 60_000,
  });
}
