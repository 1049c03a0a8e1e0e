import {
  type Depth,
  PROFILES,
  type Profile,
  type ProfileName,
  type ProviderNode,
} from '../../devnet/src/index.ts';

const ALL = Number.POSITIVE_INFINITY;
/** A node with every block, whose limits small chains never reach. Its depth can be changed. */
export const ARCHIVE: Profile = {
  ...PROFILES['reth-pruned'],
  nodes: [{ depth: { state: ALL, logs: ALL } }],
  faults: [],
};

/** Returns the depth of a node that has state for the newest blocks, the head included, and all logs. */
export function stateOf(blocks: number): Depth {
  return { state: blocks - 1, logs: ALL };
}

/** Limits for a test's chains, which are much shorter than the chains that a plan is made for. */
export interface Scale {
  /** The number of blocks for which a non-archive node keeps state or logs. */
  readonly depth: number;
  /** The maximum block range of a log query. */
  readonly range: number;
}

/** Returns a plan with its block limits scaled to chains of a few hundred blocks. Rates, formats, and faults stay. */
export function scaled(name: ProfileName, { depth, range }: Scale): Profile {
  const profile: Profile = PROFILES[name];
  const [first, ...others] = profile.nodes;
  return {
    ...profile,
    ...(profile.range && {
      range: {
        ...profile.range,
        max: Math.min(profile.range.max, range),
        ...(profile.range.deepest !== undefined && { deepest: depth * 4 }),
      },
    }),
    nodes: [shallow(first, depth), ...others.map((node) => shallow(node, depth))],
  };
}

function shallow(node: ProviderNode, depth: number): ProviderNode {
  const { state, logs } = node.depth;
  return { ...node, depth: { state: shorter(state, depth), logs: shorter(logs, depth) } };
}

/** Keeps the order of the limits: the deeper one stays deeper. */
function shorter(limit: number, depth: number): number {
  if (limit === Number.POSITIVE_INFINITY) return limit;
  return limit > 20_000 ? depth * 2 : depth;
}
