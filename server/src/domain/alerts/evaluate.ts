import type { AlertRule } from './rule.ts';

/** What an alert is after its last transition. */
export interface AlertState {
  readonly active: boolean;
  /** When it last fired; null: never. */
  readonly firedAt: number | null;
}

export const NEVER_FIRED: AlertState = { active: false, firedAt: null };

/** A measured value at a time; null: unknown, which changes nothing. */
export interface Observation {
  readonly at: number;
  readonly value: bigint | null;
  /** Something happened at this time that is reported even if the alert is active or silent. */
  readonly isNews?: boolean;
}

export interface Transition {
  readonly at: number;
  readonly status: 'fired' | 'cleared';
  readonly value: bigint;
}

/** A transition of an earlier evaluation. */
export interface StoredTransition extends Pick<Transition, 'at' | 'status'> {
  readonly id: number;
  /** Was reported as final, so it stays. */
  readonly isFinal: boolean;
}

type Bounds = Pick<AlertRule, 'fire' | 'clear' | 'silence'>;

export interface Evaluated {
  readonly state: AlertState;
  readonly transitions: readonly Transition[];
}

/** Takes observations in order of time. Taking them in two parts gives the same as taking them at once. */
export function evaluate(
  rule: Bounds,
  former: AlertState,
  observations: readonly Observation[],
): Evaluated {
  const transitions: Transition[] = [];
  let state = former;
  for (const { at, value, isNews = false } of observations) {
    if (value === null) continue;
    const status = isNews && value >= rule.fire ? 'fired' : transitionAt(rule, state, at, value);
    if (status === undefined) continue;
    const transition = { at, status, value };
    transitions.push(transition);
    state = after(state, transition);
  }
  return { state, transitions };
}

/**
 * Evaluates observations whose times were evaluated before with less data. Returns what to add to the stored transitions
 * and which of them no longer hold.
 */
export function evaluateAgain(
  rule: Bounds,
  former: AlertState,
  observations: readonly Observation[],
  stored: readonly StoredTransition[],
): { readonly added: readonly Transition[]; readonly retracted: readonly StoredTransition[] } {
  const found: Transition[] = [];
  let state = former;
  let rest = observations;
  for (const fixed of stored.filter(({ isFinal }) => isFinal)) {
    take(rest.filter(({ at }) => at < fixed.at));
    rest = rest.filter(({ at }) => at > fixed.at);
    state = after(state, fixed);
  }
  take(rest);
  const added = found.filter((one) => !stored.some((other) => isSame(one, other)));
  const retracted = stored.filter(
    (one) => !one.isFinal && !found.some((other) => isSame(one, other)),
  );
  return { added, retracted };

  function take(part: readonly Observation[]): void {
    const next = evaluate(rule, state, part);
    found.push(...next.transitions);
    state = next.state;
  }
}

type Step = Pick<Transition, 'at' | 'status'>;

function isSame(a: Step, b: Step): boolean {
  return a.at === b.at && a.status === b.status;
}

/** The state that transitions lead to. A retraction is the state without the retracted ones. */
export function stateAfter(
  transitions: readonly Step[],
  former: AlertState = NEVER_FIRED,
): AlertState {
  return transitions.reduce(after, former);
}

function after(state: AlertState, { at, status }: Step): AlertState {
  return status === 'fired'
    ? { active: true, firedAt: at }
    : { active: false, firedAt: state.firedAt };
}

function transitionAt(
  { fire, clear, silence }: Bounds,
  { active, firedAt }: AlertState,
  at: number,
  value: bigint,
): Transition['status'] | undefined {
  if (active) return value <= clear ? 'cleared' : undefined;
  // It fires when the silence is over, if the value is still there.
  const isSilent = firedAt !== null && at < firedAt + silence;
  return value >= fire && !isSilent ? 'fired' : undefined;
}
