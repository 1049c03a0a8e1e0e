import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import type { StoreConfig } from '../../src/config/config.ts';
import { type AssayProcess, startAssay } from '../assayProcess.ts';
import { createHeldRpc, type HeldRpc } from './heldRpc.ts';
import { chainsOf, type Scenario } from './scenario.ts';

/** A step has two ranges for each concurrent request: so small, it ends long before the middle of a short chain. */
const STEPS = { logRange: 1, concurrency: 2 };

interface ChainKeys {
  readonly id: number;
  readonly rpc: readonly string[];
}

/** How far a chain was read when the process was killed. */
export interface Progress {
  /** The first block to read. */
  readonly start: number;
  readonly indexed: number;
  readonly head: number;
}

/**
 * Runs the built server on the scenario's file in a process of its own, and ends it as `kill -9` does once a part of
 * every chain is committed. Requests for the rest wait, so no backfill is complete.
 */
export async function killWhileIndexing(
  scenario: Scenario,
  store: StoreConfig,
  text: string,
): Promise<Progress[]> {
  const held = new Map<number, HeldRpc>();
  for (const { chainId, url, tip } of chainsOf(scenario)) {
    const middle = Math.floor((startOf(scenario, chainId) + tip.number) / 2);
    held.set(chainId, await createHeldRpc(url, middle));
  }
  const { databaseUrl } = store;
  const plain = parse(text) as { chains: ChainKeys[] };
  const chains = plain.chains.map((chain) => {
    return { ...chain, rpc: [held.get(chain.id)!.url], ...STEPS };
  });
  const file = join(store.folder, 'scenario.yaml');
  await writeFile(file, stringify({ ...plain, chains, store: { folder: store.folder } }));
  const assay = startAssay('start', file, {
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  });
  try {
    return await Promise.race([untilPartial(assay, scenario, held), assay.failed]);
  } finally {
    await assay.kill();
    await Promise.all([...held.values()].map((rpc) => rpc.close()));
  }
}

function startOf({ families, feeds = [] }: Scenario, chainId: number): number {
  const sources = [...families.flatMap(({ places }) => places), ...feeds];
  const own = sources.filter(({ chain }) => chain.chainId === chainId);
  return Math.min(...own.map(({ startBlock }) => startBlock));
}

/** Waits until every chain has committed something and waits for the rest. */
async function untilPartial(
  assay: AssayProcess,
  scenario: Scenario,
  held: ReadonlyMap<number, HeldRpc>,
): Promise<Progress[]> {
  const port = await assay.port;
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/status`);
    const { chains } = (await response.json()) as {
      chains: readonly { chainId: number; indexedBlock: string | null }[];
    };
    const found = chainsOf(scenario).flatMap(({ chainId, tip }) => {
      const row = chains.find((one) => one.chainId === chainId);
      if (row?.indexedBlock == null || !held.get(chainId)!.isHolding()) return [];
      const [start, indexed] = [startOf(scenario, chainId), Number(row.indexedBlock)];
      return indexed < start ? [] : { start, indexed, head: tip.number };
    });
    if (found.length === held.size) return found;
    await sleep(50);
  }
}
