import type { Config } from '../../config/config.ts';
import { listSource, type RiskListName } from '../../domain/risk/riskLists.ts';
import { DAY, HOUR } from '../../domain/time.ts';
import { pause } from '../../runtime/pause.ts';
import { LEADS } from '../../store/leads.ts';
import { beginChange } from '../../store/risk/change.ts';
import { findFamilyMarks } from '../../store/risk/familyMarks.ts';
import { riskGrades } from '../../store/risk/grades.ts';
import { withGraphLock } from '../../store/risk/graphLock.ts';
import { riskImports } from '../../store/risk/imports.ts';
import type { Store } from '../../store/store.ts';
import { importCatalog, importCurated } from './catalog.ts';
import { refreshFamilies } from './families.ts';
import { becauseText } from './gradeChanges.ts';
import { importSources, type SourceResult } from './importSources.ts';
import { type FoundSource, openList } from './openSourceFolder.ts';
import { GRADING, regradeAll } from './regrade.ts';

/** Where imports and changed grades are logged. */
export interface RiskLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface RiskLoopDeps {
  readonly config: Config;
  readonly store: Store;
  readonly log: RiskLog;
  /** Unix seconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const ASK_TO_LEAD_MS = 5_000;
const LOOK_MS = 5_000;
/** Pause after each check, as a multiple of its duration, which is seconds with thousands of families. */
const REST = 9;
/** Maximum changed grades that one import logs. */
const MAX_LOGGED = 20;
/** How often the graph follows allocations, which change with every tick. */
const REFRESH_SECONDS = 300;

/** Updates the risk graph from the catalog, curated facts, families, and lists, and re-grades as facts age. Never throws. */
export async function runRisk(deps: RiskLoopDeps): Promise<void> {
  const { store, log, signal } = deps;
  while (!signal.aborted) {
    try {
      const leadership = await store.lead(LEADS.riskLists);
      if (leadership !== undefined) {
        const lost = new AbortController();
        void leadership.lost.then(() => lost.abort());
        await keep(deps, lost.signal).finally(() => leadership.release());
      }
    } catch (err) {
      if (signal.aborted) return;
      log.warn({ err }, 'the risk graph could not be brought up to date; it is tried again');
    }
    await pause(ASK_TO_LEAD_MS, signal);
  }
}

async function keep(deps: RiskLoopDeps, lost: AbortSignal): Promise<void> {
  const { config, store, log, now, signal } = deps;
  let marks = '';
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let gradedAt = Number.NEGATIVE_INFINITY;
  let listsAt = await findListsAt(deps);
  // Removes the unfinished change of a process that was killed.
  await withGraphLock(
    store,
    async (leadership) => (await beginChange(store, leadership)).discard(),
    signal,
  );
  report(log, await importCatalog({ store, now: now() }));
  while (!signal.aborted && !lost.aborted) {
    const began = performance.now();
    const found = await findFamilyMarks(store);
    if (found !== marks || now() - refreshedAt >= REFRESH_SECONDS) {
      const { curated } = config.risk;
      if (curated !== undefined)
        await attempt(() => importCurated({ store, now: now(), file: curated }));
      await refreshFamilies({ config, store, now: now() });
      marks = found;
      refreshedAt = now();
    }
    // Grades depend on ages and on the time since an incident, so some change every day.
    if (now() - gradedAt >= DAY) {
      const behind = await riskGrades.isBehind(store, GRADING.methodVersion);
      if (behind || gradedAt > 0) await regradeAll(store, { now: now(), signal });
      gradedAt = now();
    }
    if (now() - listsAt >= config.risk.refreshHours * HOUR) {
      listsAt = now();
      await importLists(deps);
    }
    await pause(Math.max(LOOK_MS, (performance.now() - began) * REST), signal);
  }

  /** An unreadable file of the operator does not stop the rest. */
  async function attempt(work: () => Promise<SourceResult | undefined>): Promise<void> {
    try {
      report(log, await work());
    } catch (err) {
      log.warn({ err }, 'curated facts cannot be read; those before stay');
    }
  }
}

/** Returns the time of the oldest import among the configured lists; minus infinity if one was never imported. */
async function findListsAt({ config, store }: RiskLoopDeps): Promise<number> {
  const names = Object.keys(config.risk.sources) as RiskListName[];
  if (names.length === 0) return Number.POSITIVE_INFINITY;
  const rows = await riskImports.getAll(store);
  const times = names.map((name) => rows.find(({ source }) => source === listSource(name))?.at);
  return Math.min(...times.map((at) => at ?? Number.NEGATIVE_INFINITY));
}

/**
 * Imports all lists together, because they reference each other's names. One that is unavailable does not stop the
 * others.
 */
async function importLists({ config, store, log, now, signal }: RiskLoopDeps): Promise<void> {
  const opened: FoundSource[] = [];
  try {
    for (const [name, location] of Object.entries(config.risk.sources)) {
      const source = listSource(name as RiskListName);
      try {
        opened.push({ source, documents: [await openList(source, location, { signal })] });
      } catch (err) {
        if (!signal.aborted)
          log.warn({ source, err }, 'a list cannot be read; its earlier facts stay');
      }
    }
    const { results } = await importSources({ store, sources: opened, now: now(), signal });
    const finished = results.filter(({ outcome }) => outcome !== undefined || !signal.aborted);
    for (const result of finished) report(log, result);
  } finally {
    for (const { documents } of opened) for (const document of documents) await document.close();
  }
}

function report(log: RiskLog, result: SourceResult | undefined): void {
  if (result === undefined) return;
  const { source, outcome, error } = result;
  if (outcome === undefined) {
    log.warn({ source, err: error }, 'facts could not be imported; earlier ones stay');
    return;
  }
  const { leftOut: _, gradeChanges, ...counts } = outcome;
  for (const change of gradeChanges.slice(0, MAX_LOGGED)) {
    const { id, from, to } = change;
    log.info({ source, id, from, to, because: becauseText(change) }, 'a grade has changed');
  }
  const fields = { ...counts, gradesChanged: gradeChanges.length };
  if (outcome.broken === 0) log.info(fields, 'facts imported');
  else log.warn(fields, 'facts imported from a damaged list; nothing that it lacks was removed');
}
