/**
 * The part of the server's risk method that the back-test runs, from its built files: the very functions that ship.
 * Their types are restated here because the two packages are compiled apart.
 */
export type Weights = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface Facts {
  readonly name: string;
  readonly slug: string;
  readonly symbol?: string;
  readonly category?: string;
  readonly chains?: readonly string[];
  readonly tvlUsd?: number;
  readonly marketCapUsd?: number;
  readonly listedAt?: number;
  readonly audits?: { readonly status: string };
  readonly forkOf?: readonly string[];
  readonly oracles?: readonly string[];
}

export interface Bands {
  readonly tvl: readonly { readonly band: string; readonly share: number }[];
  readonly [factor: string]: unknown;
}

export interface Method {
  readonly version: string;
  readonly weights: Weights;
  bands(facts: Facts, now: number): Bands;
  /** Percent per year. */
  hazard(facts: Facts, now: number, weights?: Weights): number;
  grade(hazard: number): string;
}

/** Where the built grading functions are. */
export const GRADE = new URL('../../../server/dist/domain/risk/grade/', import.meta.url);

export async function loadMethod(folder = GRADE, extension = 'js'): Promise<Method> {
  const load = (name: string) => import(new URL(`${name}.${extension}`, folder).href);
  const [method, weights, bands, protocol] = await Promise.all(
    ['method', 'protocolWeights', 'protocolBands', 'protocol'].map(load),
  );
  return {
    version: method.METHOD_VERSION,
    weights: weights.PROTOCOL_WEIGHTS,
    bands: bands.protocolBands,
    hazard: (facts, now, other) => protocol.protocolHazard(facts, now, other).hazard,
    grade: method.gradeOf,
  };
}
