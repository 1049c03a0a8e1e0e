import type { Config } from '../config/config.ts';
import { families } from '../store/families/families.ts';
import { sources } from '../store/sources/sources.ts';
import type { Store } from '../store/store.ts';
import { forgetFamily, forgetFeed } from './forget.ts';
import { type Source, sourcesOf } from './sources.ts';

/** A configured source with the id of its family in the store. */
export type Registered = { readonly source: Source; readonly familyId: number | null };

/**
 * Synchronizes the list of sources in the store with the configuration. New sources, and those whose contracts changed,
 * start at their first block; the others keep their rows and checkpoints.
 */
export async function registerSources(store: Store, config: Config): Promise<Registered[]> {
  return store.transaction(async (tx) => {
    const rows = await families.register(
      tx,
      config.families.map(({ slug }) => slug),
    );
    const idOf = new Map(rows.map((row) => [row.slug, row.familyId]));
    const known = new Map(
      (await sources.getAll(tx)).map((row) => [`${row.chainId} ${row.key}`, row]),
    );
    const registered: Registered[] = [];
    const changed: Registered[] = [];
    const added: Parameters<typeof sources.insert>[1][number][] = [];
    const readable = new Map<number, string[]>();
    for (const source of sourcesOf(config)) {
      const familyId = source.kind === 'family' ? idOf.get(source.family.slug)! : null;
      const feed = source.kind === 'feed' ? source.feed.name : null;
      const held = known.get(`${source.chainId} ${source.key}`);
      known.delete(`${source.chainId} ${source.key}`);
      if (held === undefined) added.push({ ...source, familyId, feed });
      else if (held.fingerprint !== source.fingerprint) {
        await sources.restart(tx, source);
        changed.push({ source, familyId });
      } else addTo(readable, source.chainId, source.key);
      registered.push({ source, familyId });
    }
    await sources.insert(tx, added);
    // Sources that are no longer configured keep their rows, but families do not wait for them.
    const gone = new Map<number, string[]>();
    for (const row of known.values()) addTo(gone, row.chainId, row.key);
    for (const [chainId, keys] of readable) await sources.setReadable(tx, chainId, keys, true);
    for (const [chainId, keys] of gone) await sources.setReadable(tx, chainId, keys, false);
    // Locks sources before families, in the order of a step that another process may be committing.
    await families.lock(
      tx,
      changed.flatMap(({ familyId }) => familyId ?? []),
    );
    for (const { source, familyId } of changed) {
      if (source.kind === 'feed') await forgetFeed(tx, source.feed.name, source.chainId);
      else await forgetFamily(tx, familyId!, source.chainId);
    }
    return registered;
  });
}

function addTo(keys: Map<number, string[]>, chainId: number, key: string): void {
  const known = keys.get(chainId);
  if (known === undefined) keys.set(chainId, [key]);
  else known.push(key);
}
