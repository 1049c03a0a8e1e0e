import type { Case } from './dataset.ts';
import { THEN } from './dataset.ts';
import type { Bands, Method, Weights } from './method.ts';
import { START, TRUST } from './startWeights.ts';

/** The factors whose weights are fitted; the others keep the shipped ones. */
export const FITTED = [
  'category',
  'tvl',
  'token',
  'fork',
  'settlement',
  'audit',
  'oracle',
] as const;
type Fitted = (typeof FITTED)[number];

/** The row of each factor that means "as usual": multipliers are told relative to it. */
export const REFERENCE: Readonly<Record<Exclude<Fitted, 'category'>, string>> = {
  tvl: '1e7',
  token: 'none',
  fork: 'no',
  settlement: 'no',
  audit: 'claimed',
  oracle: 'major',
};

/** How hard a weight is held to its start value: as so many pseudo-observations. */
const PULL = 8;
/** Outcomes are shown for about half of the protocols, whatever their fate. */
export const SHOWN = 0.5;
const STEPS = 200;
/** The anchor of a decentralised exchange, in percent per year: the fit tells ratios, this sets their level. */
const LEVEL = 0.6;

interface Row {
  readonly columns: readonly number[];
  readonly values: readonly number[];
  readonly dead: boolean;
}

/**
 * Fits log hazards by maximum likelihood with a ridge: a protocol is shown dead with probability SHOWN × (1 − exp(−h)),
 * h = exp(b + Σ log multipliers). Rugs are not fitted apart: the few there are would be learned by heart.
 */
export function fitWeights(cases: readonly Case[], method: Method): Weights {
  const columns = columnsOf();
  const rows = cases.map(({ facts, dead }) => rowOf(method.bands(facts, THEN), columns, dead));
  const priors = [...columns.keys()].map(priorOf);
  const theta = descend(rows, priors);
  const logs = Object.fromEntries([...columns].map(([name, column]) => [name, theta[column + 1]!]));
  return { ...method.weights, ...toTables(logs) };
}

function columnsOf(): Map<string, number> {
  const names = FITTED.flatMap((factor) =>
    Object.keys(START[factor]).map((band) => `${factor}/${band}`),
  );
  return new Map(names.map((name, column) => [name, column]));
}

function priorOf(name: string): number {
  const [factor, band] = split(name);
  const table: Readonly<Record<string, number>> = START[factor];
  return (TRUST[factor] ?? 1) * Math.log(table[band]!);
}

function split(name: string): [Fitted, string] {
  const slash = name.indexOf('/');
  return [name.slice(0, slash) as Fitted, name.slice(slash + 1)];
}

function rowOf(bands: Bands, columns: ReadonlyMap<string, number>, dead: boolean): Row {
  const entries = FITTED.flatMap((factor): [number, number][] => {
    if (factor === 'tvl')
      return bands.tvl.map(({ band, share }) => [columns.get(`tvl/${band}`)!, share]);
    const band = bands[factor];
    return band === undefined ? [] : [[columns.get(`${factor}/${band}`)!, 1]];
  });
  return {
    columns: entries.map(([column]) => column),
    values: entries.map(([, value]) => value),
    dead,
  };
}

/** Accelerated gradient descent with a diagonal scale; the objective is smooth and small. */
function descend(rows: readonly Row[], priors: readonly number[]): number[] {
  const theta = [-1, ...priors];
  const slow = theta.map(() => 0);
  const square = theta.map(() => 0);
  for (let step = 1; step <= STEPS; step += 1) {
    const gradient = gradientAt(rows, priors, theta);
    const rate = 0.1 / Math.sqrt(1 + step / 40);
    for (let column = 0; column < theta.length; column += 1) {
      slow[column] = 0.9 * slow[column]! + 0.1 * gradient[column]!;
      square[column] = 0.999 * square[column]! + 0.001 * gradient[column]! ** 2;
      const mean = slow[column]! / (1 - 0.9 ** step);
      const size = Math.sqrt(square[column]! / (1 - 0.999 ** step)) + 1e-9;
      theta[column]! -= (rate * mean) / size;
    }
  }
  return theta;
}

function gradientAt(
  rows: readonly Row[],
  priors: readonly number[],
  theta: readonly number[],
): number[] {
  const gradient = [0, ...priors.map((prior, column) => PULL * (theta[column + 1]! - prior))];
  for (const { columns, values, dead } of rows) {
    let log = theta[0]!;
    for (let place = 0; place < columns.length; place += 1)
      log += theta[columns[place]! + 1]! * values[place]!;
    const hazard = Math.exp(Math.min(5, Math.max(-12, log)));
    const shown = SHOWN * -Math.expm1(-hazard);
    const slope = SHOWN * Math.exp(-hazard) * hazard;
    const pull = (dead ? -1 / shown : 1 / (1 - shown)) * slope;
    gradient[0]! += pull;
    for (let place = 0; place < columns.length; place += 1)
      gradient[columns[place]! + 1]! += pull * values[place]!;
  }
  return gradient;
}

function toTables(logs: Readonly<Record<string, number>>): Weights {
  const tables: Record<string, Record<string, number>> = {};
  for (const name of Object.keys(logs)) {
    const [factor, band] = split(name);
    const reference =
      factor === 'category'
        ? logs['category/decentralised exchange']! - Math.log(LEVEL)
        : logs[`${factor}/${REFERENCE[factor]}`]!;
    tables[factor] ??= {};
    tables[factor][band] = Math.exp(logs[name]! - reference);
  }
  return tables;
}
