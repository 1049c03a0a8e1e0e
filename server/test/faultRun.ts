import { expect } from 'vitest';
import type { Store } from '../src/store/store.ts';
import { createDatabase, type Engine, withDatabase } from './database.ts';
import { createFaultyRpc, type FaultyRpc } from './faultyRpc.ts';
import { liveAt, startIndexing } from './indexing.ts';
import { type RunningApp, type StatusChain, startTestApp } from './runningApp.ts';
import { type RowsAsked, readRows, type TableRows } from './tableRows.ts';
import type { ServedWorld, WorldConfigOptions } from './world.ts';

/** Small requests, so that a fault can occur between any two, and a short timeout, so that tests need not wait. */
export const FINE_CHAIN = { finality: { depth: 8 }, logRange: 8, timeoutSeconds: 1 };

export interface Reading {
  rows(asked?: RowsAsked): Promise<TableRows>;
}

export interface Reference extends Reading {
  /** Waits until the current chains are indexed. */
  catchUp(): Promise<void>;
  drop(): Promise<void>;
}

/** Indexes the same chains without faults, as the reference. */
export async function indexUndisturbed(
  served: ServedWorld,
  options: WorldConfigOptions = { chain: FINE_CHAIN },
): Promise<Reference> {
  const database = await createDatabase('postgres');
  const store = await database.open();
  const indexing = startIndexing(store, served.config(options));
  const catchUp = () => indexing.until(liveAt(served.heads()));
  await catchUp();
  return {
    rows: (asked) => readRows(store, asked),
    catchUp,
    async drop() {
      await indexing.stop();
      await database.drop();
    },
  };
}

export interface FaultyRun extends Reading {
  readonly engine: Engine;
  readonly app: RunningApp;
  /** The proxy in front of the failing chain. */
  readonly rpc: FaultyRpc;
  /** Stops the server and returns the rows that it leaves. */
  finish(asked?: RowsAsked): Promise<TableRows>;
}

export interface FaultySetup {
  readonly chainId: number;
  /** Default: PostgreSQL. Only one process can use PGlite, so only `finish` reads its rows. */
  readonly engine?: Engine;
  readonly config?: WorldConfigOptions;
  /** Sets up a fault before the server starts. */
  readonly before?: (rpc: FaultyRpc) => Promise<void>;
}

/** Runs the whole server, with a proxy for faults in front of one chain. */
export async function withFaultyApp(
  served: ServedWorld,
  { chainId, engine = 'postgres', before, config }: FaultySetup,
  work: (run: FaultyRun) => Promise<void>,
): Promise<void> {
  const rpc = await createFaultyRpc({ target: served.urlOf(chainId) });
  try {
    await before?.(rpc);
    await withDatabase(engine, async (database) => {
      const urls = { [chainId]: [rpc.url], ...config?.rpc };
      const settings = served.config({ chain: FINE_CHAIN, ...config, rpc: urls });
      const app = await startTestApp(settings, database.config);
      let opened: Promise<Store> | undefined;
      const rows = async (asked?: RowsAsked) => {
        opened ??= database.open();
        return readRows(await opened, asked);
      };
      const finish = async (asked?: RowsAsked) => {
        await app.stop();
        return rows(asked);
      };
      try {
        await work({ engine, app, rpc, rows, finish });
        expectNoPlaces(app, served, rpc);
      } finally {
        await app.stop();
      }
    });
  } finally {
    await rpc.close();
  }
}

/** Neither the status nor the log may contain the address of an RPC endpoint. */
export function expectNoPlaces(app: RunningApp, served: ServedWorld, rpc: FaultyRpc): void {
  const urls = [rpc.url, ...served.world.chains.map(({ url }) => url!)];
  const said = app.bodies() + app.logs();
  expect(said).not.toMatch(/https?:|127\.0\.0\.1|localhost/);
  // Matches a port only after a host, because other numbers in a status can equal it by chance.
  for (const url of urls) expect(said).not.toMatch(new RegExp(`[^"\\s]:${new URL(url).port}\\b`));
}

/** Returns a check that the chain is unreachable with a matching reason. */
export function isFailing(chainId: number, words: RegExp) {
  return (chains: readonly StatusChain[]) =>
    chains.some(
      (chain) =>
        chain.chainId === chainId &&
        chain.state === 'unreachable' &&
        chain.lastError !== null &&
        words.test(chain.lastError.message),
    );
}

export function without(
  heads: ReadonlyMap<number, number>,
  chainId: number,
): ReadonlyMap<number, number> {
  return new Map([...heads].filter(([id]) => id !== chainId));
}
