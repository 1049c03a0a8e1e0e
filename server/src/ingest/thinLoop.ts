import type { FamilyConfig } from '../config/config.ts';
import type { Retention } from '../domain/series/retention.ts';
import { pause } from '../runtime/pause.ts';
import { families } from '../store/families/families.ts';
import { type SourceRow, sources } from '../store/sources/sources.ts';
import type { Leadership, Store } from '../store/store.ts';
import type { Registered } from './register.ts';
import type { FamilySource } from './sources.ts';
import { type FamilyToThin, isDue, thinNext } from './thin.ts';

export interface ThinLoopDeps {
  readonly store: Store;
  readonly leadership: Leadership;
  readonly chainId: number;
  readonly allRegistered: readonly Registered[];
  readonly retention: Retention;
  readonly signal: AbortSignal;
  readonly onThinned: (rows: number) => void;
  readonly onError: (error: unknown) => void;
}

/** How often to check for old days. One becomes old per day. */
const LOOK_MS = 300_000;
/** Pause after each piece, as a multiple of its duration, so that other transactions can run. */
const REST = 4;
const SHORTEST_REST_MS = 5;

/** Thins old ticks of the families whose first settlement chain is led, one day at a time. */
export async function runThinning(deps: ThinLoopDeps): Promise<void> {
  const { store, leadership, signal, retention } = deps;
  const own = familiesToThin(deps.chainId, deps.allRegistered);
  if (own.length === 0) return;
  while (!signal.aborted) {
    try {
      let rows = 0;
      for (const family of await findDueFamilies()) rows += await thinFamily(family);
      if (rows > 0) deps.onThinned(rows);
    } catch (error) {
      if (!signal.aborted) deps.onError(error);
    }
    await pause(LOOK_MS, signal);
  }

  async function findDueFamilies(): Promise<FamilyToThin[]> {
    const [rows, all] = await Promise.all([families.getAll(store), sources.getAll(store)]);
    const byId = new Map(rows.map((row) => [row.familyId, row]));
    const read = new Map<number | null, SourceRow[]>(rows.map((row) => [row.familyId, []]));
    for (const source of all) read.get(source.familyId)?.push(source);
    return own.filter((family) => {
      const row = byId.get(family.familyId);
      const its = read.get(family.familyId) ?? [];
      return row !== undefined && isDue(row, its, family, retention);
    });
  }

  async function thinFamily(family: FamilyToThin): Promise<number> {
    let rows = 0;
    while (!signal.aborted) {
      const began = performance.now();
      const thinned = await leadership.transaction((tx) => thinNext(tx, family, retention));
      if (thinned === null) break;
      rows += thinned.rows;
      const took = performance.now() - began;
      await pause(Math.max(SHORTEST_REST_MS, REST * took), signal);
    }
    return rows;
  }
}

/**
 * Returns the families of which this is the first settlement chain that is read, so that only one leader thins each.
 */
export function familiesToThin(chainId: number, all: readonly Registered[]): FamilyToThin[] {
  const chainsOf = new Map<number, FamilySource[]>();
  for (const { source, familyId } of all) {
    if (source.kind !== 'family') continue;
    chainsOf.set(familyId!, [...(chainsOf.get(familyId!) ?? []), source]);
  }
  const known = [...chainsOf].map(([familyId, own]) => ({ familyId, own, ...own[0]!.family }));
  const feeders = known.filter(({ feederOf }) => feederOf !== null);
  return known.flatMap(({ familyId, own, ...family }) => {
    const first = own.find(({ chain }) => chain.role === 'settlement') ?? own[0]!;
    if (first.chainId !== chainId) return [];
    const chainIds = own.map((source) => source.chainId);
    const shownWith = feeders.filter((other) => isShownWith(other, family, known));
    return [{ familyId, chainIds, shownWith: shownWith.map((feeder) => feeder.familyId) }];
  });
}

type Family = Pick<FamilyConfig, 'slug' | 'feederOf' | 'bindingDeclarationAddress'>;

/**
 * Whether a feeder is shown with the pools of this master: the last one in its chain of masters, or one with the same
 * declarations.
 */
function isShownWith(feeder: Family, master: Family, known: readonly Family[]): boolean {
  if (feeder.feederOf === null || master.feederOf !== null) return false;
  if (feeder.bindingDeclarationAddress === master.bindingDeclarationAddress) return true;
  let last: Family | undefined = feeder;
  while (last !== undefined && last.feederOf !== null) {
    const { feederOf }: Family = last;
    last = known.find(({ slug }) => slug === feederOf);
  }
  return last?.slug === master.slug;
}
