import type { ChainClient, Header } from '../chain/chainClient.ts';
import { askVault, isUnfit } from './openFamilies.ts';
import { createFamilyReader, type FamilyReader } from './read/familyReader.ts';
import { readStates } from './read/stateReads.ts';
import { NOTHING_STORED } from './read/storedSource.ts';
import type { FamilySource } from './sources.ts';

/** Families asked together, so that their calls share requests. */
const ASKED_AT_ONCE = 64;

/**
 * Opens the families of a chain as an indexer without a store does. Leaves out those whose contracts do not match the
 * configuration, which are not indexed either.
 */
export async function openWithoutStore(
  at: { readonly client: ChainClient; readonly head: Header },
  sources: readonly FamilySource[],
): Promise<FamilyReader[]> {
  const readers: FamilyReader[] = [];
  for (let first = 0; first < sources.length; first += ASKED_AT_ONCE) {
    const opened = await Promise.all(
      sources.slice(first, first + ASKED_AT_ONCE).map(async (source, i) => {
        try {
          const { facts, vault } = await askVault(at, { source, familyId: first + i + 1 });
          return createFamilyReader(source, facts, vault, NOTHING_STORED);
        } catch (error) {
          if (!isUnfit(error)) throw error;
          return undefined;
        }
      }),
    );
    readers.push(...opened.filter((reader) => reader !== undefined));
  }
  return readers;
}

/** Reads the states of the families as at a tick. */
export async function readTickOnce(
  { client, head }: { readonly client: ChainClient; readonly head: Header },
  readers: readonly FamilyReader[],
): Promise<void> {
  const reads = readers.map((reader) => reader.stateAt(head.number, head.time, 'full'));
  await readStates(client, head.number, reads);
}
