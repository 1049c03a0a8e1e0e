/**
 * The server functions that the back-test runs: the shipped code, from the build or, in a test, from the source. Their types
 * are repeated here because the packages are compiled separately.
 */
export interface Facts {
  readonly name: string;
  readonly slug: string;
  readonly symbol?: string;
  readonly hasToken?: boolean;
  readonly category?: string;
  readonly chains?: readonly string[];
  readonly tvlUsd?: number;
  readonly marketCapUsd?: number;
  readonly poolsApy?: number;
  readonly listedAt?: number;
  readonly audits?: { readonly status: string };
  readonly forkOf?: readonly string[];
  readonly oracles?: readonly string[];
}

export interface Node {
  readonly id: string;
  readonly label: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface Edge {
  readonly type: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly weight: number;
}

export interface Graph {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly edges: readonly Edge[];
}

export type Mapped =
  | { readonly records: readonly { readonly node: Node; readonly edges: readonly Edge[] }[] }
  | { readonly skip: string };

export interface Around {
  readonly onRollup?: boolean;
}

export type Tables = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface LossBands {
  readonly kind: string;
  readonly copy: 'no' | 'yes';
}

export interface ClosureBands {
  readonly tvl: readonly { readonly band: string; readonly share: number }[];
  readonly token: string;
  readonly fork: 'no' | 'yes';
}

export interface OwnHazard {
  readonly hazard: number;
  readonly atLeast: number;
}

export interface Assessed {
  readonly sum: number;
  readonly hazard: number;
}

export type OwnOf = (node: Node, now: number, around: Around) => OwnHazard;

export interface Server {
  readonly version: string;
  readonly cutoffs: readonly { readonly grade: string; readonly upToPercent: number }[];
  readonly lossWeights: Tables;
  readonly closureWeights: Tables;
  readonly backtest: unknown;
  readonly counts: Readonly<Record<string, unknown>>;
  protocolSlug(name: string): string;
  mapProtocol(item: unknown, now: number): Mapped;
  mapStablecoin(item: unknown, now: number): Mapped;
  /** Returns facts about protocols derived from all pools, by protocol id. */
  poolFacts(items: readonly unknown[], now: number): ReadonlyMap<string, Node['facts']>;
  lossBands(facts: Facts, around: Around): LossBands;
  closureBands(facts: Facts): ClosureBands;
  /** Returns the hazard of a loss, in percent per year. */
  lossHazard(facts: Facts, now: number, around: Around, weights?: Tables): number;
  closureHazard(facts: Facts, weights?: Tables): number;
  /** Returns the grade caps from a protocol's size and hazard of closure. */
  closureCaps(facts: Facts, hazard: number): readonly { readonly grade: string }[];
  assetHazard(facts: Node['facts']): number;
  own: OwnOf;
  /** Returns each node's hazard including dependencies, in percent per year: the sum, and the graded part. */
  assess(graph: Graph, now: number, own?: OwnOf): (id: string) => Assessed;
  gradeOf(hazard: number): string;
  leastHazard(grade: string): number;
  yearlyProbability(hazard: number): number;
  backtestText(figures: unknown): string[];
}

const BUILT = new URL('../../../server/dist/', import.meta.url);

export async function loadServer(root = BUILT, extension = 'js'): Promise<Server> {
  const load = (path: string) => import(new URL(`${path}.${extension}`, root).href);
  const grade = (name: string) => load(`risk/grade/${name}`);
  const [method, weights, bands, closure, protocol, asset, own, counts, text, figures] =
    await Promise.all([
      ...['method', 'lossWeights', 'lossBands', 'closure', 'protocol', 'asset', 'own'].map(grade),
      ...[
        grade('baseRates'),
        load('risk/methodology/backtestText'),
        load('risk/backtest/backtest'),
      ],
    ]);
  const [{ createAssess }, { indexGraph }] = await Promise.all(
    ['assess', 'indexedGraph'].map(grade),
  );
  const [{ protocolList }, { stablecoinList }, { poolList }] = await Promise.all(
    ['protocols', 'stablecoins', 'pools'].map((list) => load(`risk/lists/${list}`)),
  );
  const { protocolSlug } = await load('domain/risk/aliases');
  const { createSourceNames } = await load('risk/lists/defillama/item');
  const context = (now: number) => ({
    ...{ now, note: () => {}, names: createSourceNames(), known: new Set() },
  });
  return {
    version: method.METHOD_VERSION,
    cutoffs: method.CUTOFFS,
    lossWeights: weights.LOSS_WEIGHTS,
    closureWeights: closure.CLOSURE_WEIGHTS,
    backtest: figures.BACKTEST,
    counts,
    protocolSlug,
    mapProtocol: (item, now) => protocolList.map(item, undefined, context(now)),
    mapStablecoin: (item, now) => stablecoinList.map(item, undefined, context(now)),
    poolFacts(items, now) {
      const shared = context(now);
      const learn = poolList.learn(shared);
      for (const item of items) learn(item);
      return new Map(
        poolList.sum(shared).map(({ node }: { node: Node }) => [node.id, node.facts] as const),
      );
    },
    lossBands: bands.lossBands,
    closureBands: closure.closureBands,
    lossHazard: (facts, now, around, other) =>
      protocol.protocolHazard(facts, now, around, other).hazard,
    closureHazard: closure.closureHazard,
    closureCaps: closure.closureCaps,
    assetHazard: (facts) => asset.assetHazard(facts).hazard,
    own: own.ownHazard,
    assess(graph, now, other = own.ownHazard) {
      const indexed = indexGraph(graph);
      const assess = createAssess(indexed, { now, hash: () => '', hazardOf: other });
      return (id) => assess(indexed.numberOf.get(id));
    },
    gradeOf: method.gradeOf,
    leastHazard: method.leastHazard,
    yearlyProbability: method.yearlyProbability,
    backtestText: text.backtestText,
  };
}
