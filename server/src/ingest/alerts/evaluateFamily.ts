import type { AlertRuleConfig } from '../../config/config.ts';
import {
  type AlertState,
  evaluateAgain,
  NEVER_FIRED,
  type Observation,
  stateAfter,
} from '../../domain/alerts/evaluate.ts';
import { observe, observeGrade } from '../../domain/alerts/observe.ts';
import { type AlertRule, isByClock } from '../../domain/alerts/rule.ts';
import { GRADES } from '../../domain/risk/graph.ts';
import { DAY } from '../../domain/time.ts';
import type { AlertKey, AlertResult, AlertRow } from '../../store/alerts/alerts.ts';
import type { ClockState, UpdateTime, WatchedFamily } from '../../store/alerts/watchedSeries.ts';
import type { Queryable } from '../../store/store.ts';
import { readSeries } from './readSeries.ts';
import { chainsOf, type FamilyToWatch, ruleFor } from './watchedRules.ts';

const WRITE_SECONDS = 60;
/** One call evaluates this period at most, because its ticks are in memory. */
const MAX_SECONDS = 7 * DAY;

/**
 * Evaluates the alerts that follow a family's series, up to the time that all its chains are known to. After a long
 * interruption, the results end earlier, and the next call continues from there.
 */
export async function evaluateSeries(
  db: Queryable,
  family: FamilyToWatch,
  row: WatchedFamily,
  known: readonly AlertRow[],
): Promise<AlertResult[]> {
  const { newestTick, tickUntil, assetDecimals } = row;
  if (newestTick === null || assetDecimals === null) return [];
  const due = family.rules
    .filter(({ kind }) => !isByClock(kind))
    .map((config) => {
      const held = findRow(known, keyOf(config, family, family.chainId));
      // The first time, only the newest tick counts: the ones before are history.
      const after = held === undefined ? newestTick - 1 : held.evaluatedUntil;
      return { config, rule: ruleFor(config, assetDecimals), held, after };
    })
    .filter(({ after }) => after < tickUntil);
  if (due.length === 0) return [];
  const first = Math.min(...due.map(({ after }) => after));
  const until = Math.min(tickUntil, first + MAX_SECONDS);
  const wanted = due.filter(({ after }) => after < until);
  const series = await readSeries(
    db,
    family,
    wanted.map(({ rule }) => rule),
    { after: first, until },
  );
  return wanted.flatMap(({ config, rule, held, after }) => {
    const observations = observe(rule, series, { after, until });
    // Its last value still holds, unless it is evaluated further.
    if (observations.length === 0 && until === tickUntil) return [];
    const key = keyOf(config, family, family.chainId);
    return [resultOf(config, rule, key, { held, observations, after, evaluatedUntil: until })];
  });
}

/** What is read for the alerts that are measured by the clock. */
export interface ClockReadings {
  readonly states: readonly ClockState[];
  readonly feedTimes: ReadonlyMap<string, UpdateTime>;
  readonly grades: ReadonlyMap<string, string>;
  /** Unix seconds. */
  readonly now: number;
}

/** Evaluates the alerts of a family by the clock, those about other chains than `chainId` left out. */
export function evaluateClock(
  family: FamilyToWatch,
  chainId: number,
  known: readonly AlertRow[],
  readings: ClockReadings,
): AlertResult[] {
  const results: AlertResult[] = [];
  for (const config of family.rules.filter(({ kind }) => isByClock(kind))) {
    if (!chainsOf(config, family).includes(chainId)) continue;
    const key = keyOf(config, family, chainId);
    const held = findRow(known, key);
    const rule = ruleFor(config, 0);
    const grade = gradeNumber(readings.grades.get(family.nodeId));
    const observation = observeClock(rule, family, key, held, { ...readings, grade });
    const result = resultOf(config, rule, key, {
      held,
      observations: [observation],
      evaluatedUntil: readings.now,
    });
    const fired = result.transitions.some(({ status }) => status === 'fired');
    const reference = fired ? grade : (held?.reference ?? grade);
    // A value that only grows older is written now and then, for the list of alerts.
    const isRecent = held !== undefined && held.evaluatedUntil > readings.now - WRITE_SECONDS;
    if (isRecent && result.transitions.length === 0) continue;
    results.push({ ...result, reference: config.kind === 'grade-changed' ? reference : null });
  }
  return results;
}

function observeClock(
  rule: AlertRule,
  { familyId, family }: FamilyToWatch,
  { chainId }: AlertKey,
  held: AlertRow | undefined,
  { states, feedTimes, grade, now }: ClockReadings & { readonly grade: number | null },
): Observation {
  const state = states.find((one) => one.familyId === familyId && one.chainId === chainId);
  const age = (since: number | null | undefined) =>
    since == null ? null : BigInt(Math.max(0, now - since));
  const priceAge = (price: UpdateTime | null | undefined) => {
    if (!price?.isCatchingUp) return age(price?.updatedAt);
    // A newer price may be in the blocks that are not read yet: only a price that was old before them is stale.
    const known = BigInt(Math.max(0, price.indexedTime - price.updatedAt));
    return known >= rule.fire ? known : null;
  };
  switch (rule.kind) {
    case 'chain-behind':
      return { at: now, value: age(state?.indexedTime) };
    case 'gap':
      return { at: now, value: state === undefined ? null : BigInt(state.gapSeconds) };
    case 'feed-stale':
      return { at: now, value: priceAge(feedTimes.get(family.priceFeed ?? '')) };
    case 'oracle-stale':
      return { at: now, value: priceAge(state?.published) };
    default: {
      const reference = held?.reference ?? null;
      return observeGrade(rule, stateOf(held), {
        reference: reference === null ? null : BigInt(reference),
        now: grade === null ? null : BigInt(grade),
        at: now,
      });
    }
  }
}

function resultOf(
  { kind, targets }: AlertRuleConfig,
  rule: AlertRule,
  key: AlertKey,
  found: {
    readonly held: AlertRow | undefined;
    readonly observations: readonly Observation[];
    /** The observations begin after this time. */
    readonly after?: number;
    readonly evaluatedUntil: number;
  },
): AlertResult {
  const { held, observations, after = 0, evaluatedUntil } = found;
  const later = held?.later ?? [];
  const former = stateAfter(
    later.filter(({ at }) => at <= after),
    stateOf(held),
  );
  const stored = later.filter(({ at }) => at > after && at <= evaluatedUntil);
  const { added: transitions, retracted } = evaluateAgain(rule, former, observations, stored);
  return {
    ...key,
    ...{ kind, targets, transitions, evaluatedUntil },
    retracted: retracted.map(({ id }) => id),
    byClock: isByClock(kind),
    value: observations.at(-1)?.value ?? null,
    reference: null,
    bounds: { fired: rule.fire, cleared: rule.clear },
  };
}

function stateOf(held: AlertRow | undefined): AlertState {
  return held ?? NEVER_FIRED;
}

function keyOf({ name }: AlertRuleConfig, { familyId }: FamilyToWatch, chainId: number): AlertKey {
  return { name, familyId, chainId };
}

function findRow(known: readonly AlertRow[], key: AlertKey): AlertRow | undefined {
  return known.find(
    ({ name, familyId, chainId }) =>
      name === key.name && familyId === key.familyId && chainId === key.chainId,
  );
}

/** As in `reference`, best first. */
function gradeNumber(grade: string | undefined): number | null {
  const number = (GRADES as readonly (string | undefined)[]).indexOf(grade);
  return number === -1 ? null : number;
}
