import { createHash } from 'node:crypto';
import {
  type IncidentRow,
  type ListedPool,
  type ListedProtocol,
  type Lists,
  THEN,
} from './lists.ts';
import type { Around, Edge, Facts, Graph, Node, Server } from './server.ts';

/** A protocol as of November 2022. */
export interface Case {
  readonly id: string;
  readonly nodeId: string;
  readonly facts: Facts;
  readonly around: Around;
  readonly tvlUsd: number;
  /** Facts that were tried and are not part of the method. */
  readonly tried: TriedFacts;
  /** Undefined in the held-out half, whose outcomes are unknown here. */
  readonly outcome: Outcome | undefined;
}

export interface TriedFacts {
  readonly audited: boolean;
  readonly years: number;
  readonly liquidityMining: boolean;
  /** The highest yield among its pools in the list of the 500 largest, in percent. */
  readonly mostApy: number;
}

/** The known outcome from 2022-12 on. */
export interface Outcome {
  /** Its own losses in chronological order, without incidents of low confidence. */
  readonly losses: readonly Loss[];
  /** Days of all dated incidents in chronological order, its own or not. */
  readonly incidents: readonly number[];
  /** Depositors lost money through another protocol, a bridge, or a chain. */
  readonly throughOthers: boolean;
  /** Closed by 2026-04; undefined if the later list no longer has it. */
  readonly closed: boolean | undefined;
}

export interface Loss {
  readonly at: number;
  /** Share of the TVL of 2022-11; undefined if the amount is unknown. */
  readonly share: number | undefined;
  readonly isSure: boolean;
}

export interface Past {
  readonly cases: readonly Case[];
  readonly graph: Graph;
}

/** Rollups as of November 2022. A later list would include chains that became rollups since. */
const ROLLUPS = new Set(['arbitrum', 'arbitrum-nova', 'optimism', 'boba', 'metis']);
const BASE_LAYERS = new Set(['ethereum', 'bitcoin']);

/** Returns whether an entry is in this half: the first byte of SHA-256 of its letter and id is even. */
export function isShown(letter: 'p' | 's', id: string): boolean {
  return createHash('sha256').update(`${letter}${id}`).digest()[0]! % 2 === 0;
}

/** Returns the protocols and chains of November 2022 as a graph, by the server's importer, with their outcomes. */
export function readPast(lists: Lists, server: Server): Past {
  const nodes = new Map<string, Node>();
  const edges: Edge[] = [];
  const yields = server.poolFacts(lists.pools, THEN);
  const entries = lists.protocols.map((listed) => {
    const mapped = server.mapProtocol(listed, THEN);
    if ('skip' in mapped) throw new Error(`protocol ${listed.id}: ${mapped.skip}`);
    const { node, edges: own } = mapped.records[0]!;
    // Two entries with the same name stay separate: cases are entries, not names.
    const id = nodes.has(node.id) ? `${node.id}~${listed.id}` : node.id;
    const facts = { ...node.facts, ...poolsApyOf(yields.get(node.id)) };
    nodes.set(id, { ...node, id, facts });
    edges.push(...own.map((edge) => ({ ...edge, sourceId: id })));
    return { listed, id, facts: facts as unknown as Facts };
  });
  addChains(nodes, edges);
  const pools = groupBy(lists.pools, ({ project }) => server.protocolSlug(project));
  const outcomeOf = outcomes(lists);
  const cases = entries.map(({ listed, id, facts }): Case => {
    const onRollup = facts.chains?.some((chain) => ROLLUPS.has(chain));
    return {
      id: listed.id,
      nodeId: id,
      facts,
      around: onRollup === undefined ? {} : { onRollup },
      tvlUsd: listed.tvl,
      tried: triedFacts(listed, pools.get(facts.slug) ?? []),
      outcome: isShown('p', listed.id) ? outcomeOf(listed.id) : undefined,
    };
  });
  return { cases, graph: { nodes, edges } };
}

function poolsApyOf(said: Node['facts'] | undefined) {
  return said === undefined ? {} : { poolsApy: said.poolsApy };
}

/** There is no list of chains from 2022-11, so a chain's TVL is the sum of its protocols. */
function addChains(nodes: Map<string, Node>, edges: Edge[]): void {
  const tvls = new Map<string, number>();
  for (const { type, sourceId, targetId, weight } of edges) {
    if (type !== 'LIVES_ON') continue;
    const tvl = Number(nodes.get(sourceId)!.facts.tvlUsd ?? 0);
    tvls.set(targetId, (tvls.get(targetId) ?? 0) + weight * tvl);
  }
  for (const [id, tvlUsd] of tvls) {
    const slug = id.slice('chain:'.length);
    const kind = ROLLUPS.has(slug) ? 'rollup' : BASE_LAYERS.has(slug) ? 'base-layer' : 'other';
    nodes.set(id, { id, label: 'Chain', facts: { name: slug, slug, kind, tvlUsd } });
    if (kind !== 'rollup') continue;
    edges.push({ type: 'SETTLES_TO', sourceId: id, targetId: 'chain:ethereum', weight: 1 });
  }
}

function triedFacts(listed: ListedProtocol, pools: readonly ListedPool[]): TriedFacts {
  return {
    audited: listed.audits === '2' || listed.audits === '3',
    years: (THEN - listed.listedAt) / 31_556_952,
    liquidityMining: (listed.pool2 ?? 0) > 0,
    mostApy: Math.max(0, ...pools.map(({ apy }) => apy ?? 0)),
  };
}

function outcomes({ incidents, later }: Lists): (id: string) => Outcome {
  const rows = groupBy(incidents, ({ protocolId }) => protocolId);
  const ends = new Map(later.map((each) => [each.id, each]));
  return (id) => {
    const own = (rows.get(id) ?? []).filter(
      ({ date, confidence }) => date !== null && confidence !== 'low',
    );
    const end = ends.get(id);
    return {
      losses: own
        .filter(({ loss }) => loss)
        .map(toLoss)
        .sort((a, b) => a.at - b.at),
      incidents: own.map(dayOf).sort((a, b) => a - b),
      throughOthers: own.some(
        ({ match, victims }) =>
          match === 'dependency' && (victims === 'depositors' || victims === 'approvals'),
      ),
      closed: end && (end.deadUrl === true || end.deadFrom !== undefined),
    };
  };
}

function toLoss(row: IncidentRow): Loss {
  return {
    at: dayOf(row),
    share: row.shareOfTvl2022 ?? undefined,
    isSure: row.confidence === 'high',
  };
}

function dayOf({ date }: IncidentRow): number {
  return Date.parse(date!) / 1000;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const held = groups.get(key);
    if (held === undefined) groups.set(key, [item]);
    else held.push(item);
  }
  return groups;
}
