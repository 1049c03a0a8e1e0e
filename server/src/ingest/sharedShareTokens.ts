import type { Address } from '../domain/hex.ts';
import { families } from '../store/families/families.ts';
import { sources } from '../store/sources/sources.ts';
import type { Leadership, Store } from '../store/store.ts';
import { vaults } from '../store/vaults/vaults.ts';
import { forgetFamily } from './forget.ts';
import type { Reader } from './read/reader.ts';
import type { Registered } from './register.ts';

export interface SharedTokenOptions {
  readonly store: Store;
  readonly leadership: Leadership;
  readonly chainId: number;
  readonly registered: readonly Registered[];
}

/**
 * Reads only one family per share token, because two would count the same shares twice. The first by name is read, and
 * keeps this role while it is halted. It also takes over from a family that is no longer configured.
 */
export async function resolveSharedShareTokens(
  options: SharedTokenOptions,
  readers: Map<string, Reader>,
  broken: Map<string, string>,
): Promise<void> {
  const { store, chainId, registered } = options;
  const known = await vaults.getOfChain(store, chainId);
  const rows = new Map(known.map((row) => [row.familyId, row]));
  const owner = new Map<Address, { readonly key: string; readonly familyId: number }>();
  for (const { source, familyId } of [...registered].sort(byKey)) {
    if (source.kind !== 'family') continue;
    const row = rows.get(familyId!);
    if (row === undefined || row.address !== source.chain.address) continue;
    const first = owner.get(row.share);
    if (first === undefined) owner.set(row.share, { key: source.key, familyId: familyId! });
    else if (readers.delete(source.key)) {
      broken.set(
        source.key,
        `family ${source.family.slug} on chain ${chainId} has the same share token as ${first.key.replace(':', ' ')}: make them one family, with ${row.address} under vaults`,
      );
    }
  }
  const configured = new Set(registered.map(({ familyId }) => familyId));
  for (const { familyId, share } of known) {
    if (!configured.has(familyId) && owner.has(share)) await takeOver(options, familyId);
  }
}

/** Deletes a family's source and rows. If the family is configured again, it starts at its first block. */
async function takeOver(
  { leadership, chainId }: SharedTokenOptions,
  familyId: number,
): Promise<void> {
  await leadership.transaction(async (tx) => {
    // Locks sources before families, in the order of a step that another process may be committing.
    await sources.removeOfFamily(tx, chainId, familyId);
    await families.lock(tx, [familyId]);
    await forgetFamily(tx, familyId, chainId);
    await vaults.remove(tx, familyId, chainId);
  });
}

function byKey(a: Registered, b: Registered): number {
  return a.source.key < b.source.key ? -1 : 1;
}
