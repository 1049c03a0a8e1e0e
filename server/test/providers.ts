import {
  PROFILES,
  type Profile,
  type ProfileName,
  type ProviderNode,
} from '../../devnet/src/index.ts';

/** How much smaller a test's chains are than those that a plan is made for. */
export interface Scale {
  /** Blocks of state, or of logs, that a node without an archive keeps. */
  readonly depth: number;
  /** The widest range of logs. */
  readonly range: number;
}

/** A plan with its limits in blocks scaled to chains of a few hundred blocks; rates, forms, and faults are its own. */
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

/** The deeper of two limits stays the deeper one. */
function shorter(limit: number, depth: number): number {
  if (limit === Number.POSITIVE_INFINITY) return limit;
  return limit > 20_000 ? depth * 2 : depth;
}
