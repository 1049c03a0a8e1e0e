import type { Config } from '../config/config.ts';
import { custody } from '../store/custody/custody.ts';
import { families } from '../store/families/families.ts';
import { history } from '../store/history/history.ts';
import { historyVaults } from '../store/history/historyVaults.ts';
import { movements } from '../store/movements/movements.ts';
import { pools } from '../store/pools/pools.ts';
import { positions } from '../store/positions/positions.ts';
import { feedPhases } from '../store/prices/feedPhases.ts';
import { prices } from '../store/prices/prices.ts';
import { sharePrices } from '../store/prices/sharePrices.ts';
import { walletQueues } from '../store/queues/walletQueues.ts';
import { depositRequests } from '../store/requests/depositRequests.ts';
import { sources } from '../store/sources/sources.ts';
import type { Queryable, Store } from '../store/store.ts';
import { chainTicks } from '../store/ticks/chainTicks.ts';
import { type Source, sourcesOf } from './sources.ts';

/** A source of the configuration with the store's number of its family. */
export type Registered = { readonly source: Source; readonly familyId: number | null };

/**
 * Brings the store's list of sources in line with the configuration. A new one starts at its first block and
 * one whose contracts changed starts anew; the others keep their rows and checkpoints.
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
    for (const source of sourcesOf(config)) {
      const familyId = source.kind === 'family' ? idOf.get(source.family.slug)! : null;
      const feed = source.kind === 'feed' ? source.feed.name : null;
      const held = known.get(`${source.chainId} ${source.key}`);
      known.delete(`${source.chainId} ${source.key}`);
      if (held === undefined) await sources.insert(tx, { ...source, familyId, feed });
      else if (held.fingerprint !== source.fingerprint) {
        await sources.restart(tx, source);
        changed.push({ source, familyId });
      } else await sources.setReadable(tx, source.chainId, [source.key], true);
      registered.push({ source, familyId });
    }
    // What is no longer configured keeps its rows but holds nobody back.
    for (const row of known.values()) await sources.setReadable(tx, row.chainId, [row.key], false);
    // Sources first, then families: the order of a step, which another process may be committing right now.
    await families.lock(
      tx,
      changed.flatMap(({ familyId }) => familyId ?? []),
    );
    for (const { source, familyId } of changed) await forget(tx, source, familyId);
    return registered;
  });
}

/** Removes what was read from a source that starts anew, and what was derived from it. */
async function forget(tx: Queryable, source: Source, familyId: number | null): Promise<void> {
  const { chainId } = source;
  if (source.kind === 'feed') {
    await prices.removeAbove(tx, source.feed.name, chainId, -1);
    await feedPhases.removeAbove(tx, source.feed.name, chainId, -1);
    return;
  }
  const id = familyId!;
  await history.removeOfSource(tx, id, chainId);
  await movements.removeOfSource(tx, id, chainId);
  await sharePrices.removeAbove(tx, id, chainId, -1);
  await pools.removeAbove(tx, id, chainId, -1);
  await chainTicks.removeFrom(tx, id, chainId, 0);
  await historyVaults.removeOfSource(tx, id, chainId);
  await custody.removeOfSource(tx, id, chainId);
  await walletQueues.removeOfSource(tx, id, chainId);
  await depositRequests.removeOfSource(tx, id, chainId);
  // Positions are folded again from the movements that remain.
  await positions.removeOfFamily(tx, id);
  await families.setPositionUntil(tx, id, 0);
  await families.setTickUntil(tx, id, 0);
}
