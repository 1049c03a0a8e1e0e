/** One case of a fit: its value in each column, and whether the event happened. */
export interface FitRow {
  readonly values: readonly number[];
  readonly happened: boolean;
}

export interface Fit {
  /** Logarithm of the hazard over the full period, before the columns. */
  readonly base: number;
  /** Contribution of each column. */
  readonly logs: readonly number[];
}

const STEPS = 50;
const ENOUGH = 1e-10;

/**
 * Fits log hazards by maximum likelihood with a ridge: the event has probability 1 − exp(−h), h = exp(base + Σ log × value).
 * `pull` is the inverse of the prior variance of each log; 4 means that most multipliers are between 0.4 and 2.7. Uses
 * Newton's method with halved steps: the objective is smooth and small, and the result does not depend on chance.
 */
export function fitHazard(rows: readonly FitRow[], pull: number | readonly number[]): Fit {
  const columns = rows[0]!.values.length;
  const pulls = [0, ...(typeof pull === 'number' ? new Array(columns).fill(pull) : pull)];
  const full = rows.map(({ values, happened }) => ({ values: [1, ...values], happened }));
  const share = full.filter(({ happened }) => happened).length / full.length;
  let theta = [Math.log(Math.max(share, 0.01)), ...new Array(columns).fill(0)] as number[];
  let loss = lossAt(full, pulls, theta);
  for (let step = 0; step < STEPS; step += 1) {
    const move = newtonStep(full, pulls, theta);
    let next = theta;
    let nextLoss = Number.POSITIVE_INFINITY;
    for (let part = 1; part > 1e-6 && !(nextLoss <= loss); part /= 2) {
      next = theta.map((value, column) => value - part * move[column]!);
      nextLoss = lossAt(full, pulls, next);
    }
    if (!(nextLoss <= loss)) break;
    const gained = loss - nextLoss;
    [theta, loss] = [next, nextLoss];
    if (gained < ENOUGH) break;
  }
  return { base: theta[0]!, logs: theta.slice(1) };
}

export function logHazard({ base, logs }: Fit, values: readonly number[]): number {
  return values.reduce((sum, value, column) => sum + value * logs[column]!, base);
}

function lossAt(rows: readonly FitRow[], pulls: readonly number[], theta: readonly number[]) {
  const held = theta.reduce((sum, value, column) => sum + 0.5 * pulls[column]! * value ** 2, 0);
  return rows.reduce((sum, { values, happened }) => {
    const hazard = hazardAt(values, theta);
    return sum + (happened ? -Math.log(-Math.expm1(-hazard)) : hazard);
  }, held);
}

function hazardAt(values: readonly number[], theta: readonly number[]): number {
  let log = 0;
  for (let column = 0; column < theta.length; column += 1) log += theta[column]! * values[column]!;
  return Math.exp(Math.min(4, Math.max(-30, log)));
}

function newtonStep(
  rows: readonly FitRow[],
  pulls: readonly number[],
  theta: readonly number[],
): number[] {
  const size = theta.length;
  const gradient = theta.map((value, column) => pulls[column]! * value);
  const matrix = theta.map((_, row) =>
    theta.map((__, column) => (row === column ? pulls[row]! + 1e-9 : 0)),
  );
  for (const { values, happened } of rows) {
    const hazard = hazardAt(values, theta);
    const chance = -Math.expm1(-hazard);
    const slope = happened ? (-hazard * Math.exp(-hazard)) / chance : hazard;
    // The expected curvature is never negative, so the step always goes downhill.
    const bend = (hazard ** 2 * Math.exp(-hazard)) / chance;
    for (let row = 0; row < size; row += 1) {
      if (values[row] === 0) continue;
      gradient[row]! += slope * values[row]!;
      for (let column = 0; column < size; column += 1)
        matrix[row]![column]! += bend * values[row]! * values[column]!;
    }
  }
  return solve(matrix, gradient);
}

/** Solves by Gaussian elimination with partial pivoting. */
function solve(matrix: number[][], right: number[]): number[] {
  const size = right.length;
  for (let at = 0; at < size; at += 1) {
    let pivot = at;
    for (let row = at + 1; row < size; row += 1)
      if (Math.abs(matrix[row]![at]!) > Math.abs(matrix[pivot]![at]!)) pivot = row;
    [matrix[at], matrix[pivot]] = [matrix[pivot]!, matrix[at]!];
    [right[at], right[pivot]] = [right[pivot]!, right[at]!];
    for (let row = at + 1; row < size; row += 1) {
      const times = matrix[row]![at]! / matrix[at]![at]!;
      if (times === 0) continue;
      for (let column = at; column < size; column += 1)
        matrix[row]![column]! -= times * matrix[at]![column]!;
      right[row]! -= times * right[at]!;
    }
  }
  const found = new Array<number>(size).fill(0);
  for (let row = size - 1; row >= 0; row -= 1) {
    let rest = right[row]!;
    for (let column = row + 1; column < size; column += 1)
      rest -= matrix[row]![column]! * found[column]!;
    found[row] = rest / matrix[row]![row]!;
  }
  return found;
}
