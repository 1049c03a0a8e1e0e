import type { ChainClient, Header } from '../chain/chainClient.ts';
import { readExpectedPools } from './expectedPools.ts';
import { type AskedVault, askVault, isUnfit } from './openFamilies.ts';
import { createFamilyReader, type FamilyReader } from './read/familyReader.ts';
import { readStates } from './read/stateReads.ts';
import { NOTHING_STORED } from './read/storedSource.ts';
import type { FamilySource } from './sources.ts';

/** Families asked together, so that their calls share requests. */
const ASKED_AT_ONCE = 64;

type At = { readonly client: ChainClient; readonly head: Header };
type Asked = AskedVault & { readonly source: FamilySource };

export interface OpenedWithoutStore {
  readonly readers: readonly FamilyReader[];
  /** Whether all pools that registries declared were read. */
  readonly hasAllPools: boolean;
}

/**
 * Opens the families of a chain as an indexer does that has read their pools and nothing else. Leaves out those whose
 * contracts do not match the configuration, which are not indexed either.
 */
export async function openWithoutStore(
  at: At,
  sources: readonly FamilySource[],
): Promise<OpenedWithoutStore> {
  const asked: Asked[] = [];
  for (let first = 0; first < sources.length; first += ASKED_AT_ONCE) {
    const some = sources.slice(first, first + ASKED_AT_ONCE);
    const fit = await Promise.all(some.map((source, i) => askFit(at, source, first + i + 1)));
    asked.push(...fit.filter((one) => one !== undefined));
  }
  const declared = await readExpectedPools(
    at,
    asked.map(({ vault }) => vault),
  );
  const readers = asked.map(({ source, facts, vault }) =>
    createFamilyReader(source, facts, vault, {
      ...NOTHING_STORED,
      pools: declared.poolsOf(vault),
    }),
  );
  return { readers, hasAllPools: declared.complete };
}

async function askFit(at: At, source: FamilySource, familyId: number): Promise<Asked | undefined> {
  try {
    return { source, ...(await askVault(at, { source, familyId })) };
  } catch (error) {
    if (!isUnfit(error)) throw error;
    return undefined;
  }
}

/** Reads the states of the families as at a tick. */
export async function readTickOnce(
  { client, head }: At,
  readers: readonly FamilyReader[],
): Promise<void> {
  const reads = readers.map((reader) => reader.stateAt(head.number, head.time, 'full'));
  await readStates(client, head.number, reads);
}
