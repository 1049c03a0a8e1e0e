import { describe, expect, test } from 'vitest';
import type { Registered } from './register.ts';
import { familiesToThin } from './thinLoop.ts';

interface Given {
  readonly slug: string;
  /** Chain ids; those that only execute are negative. */
  readonly chains: readonly number[];
  readonly feederOf?: string;
  readonly declarations?: string;
}

function registered(given: readonly Given[]): Registered[] {
  return given.flatMap(({ slug, chains, feederOf = null, declarations = slug }, i) => {
    const family = { slug, feederOf, bindingDeclarationAddress: declarations };
    return chains.map((id) => {
      const chain = { role: id < 0 ? 'execution' : 'settlement' };
      const source = { kind: 'family', chainId: Math.abs(id), family, chain };
      return { source, familyId: i + 1 } as unknown as Registered;
    });
  });
}

describe('familiesToThin', () => {
  test('default: by the leader of the first settlement chain', () => {
    const all = registered([
      { slug: 'a', chains: [-1, 10, 20] },
      { slug: 'b', chains: [20] },
    ]);
    expect(familiesToThin(10, all)).toEqual([
      { familyId: 1, chainIds: [1, 10, 20], shownWith: [] },
    ]);
    expect(familiesToThin(20, all)).toEqual([{ familyId: 2, chainIds: [20], shownWith: [] }]);
    expect(familiesToThin(1, all)).toEqual([]);
  });

  test('behavior: a family without an indexed settlement chain has a leader too', () => {
    const all = registered([{ slug: 'a', chains: [-7, -8] }]);
    expect(familiesToThin(7, all)).toEqual([{ familyId: 1, chainIds: [7, 8], shownWith: [] }]);
    expect(familiesToThin(8, all)).toEqual([]);
  });

  test('behavior: feeders are shown with the last master of their line, and with equal declarations', () => {
    const all = registered([
      { slug: 'master', chains: [1] },
      { slug: 'feeder', chains: [1], feederOf: 'master' },
      { slug: 'second', chains: [1], feederOf: 'feeder' },
      { slug: 'other', chains: [1], declarations: 'shared' },
      { slug: 'bound', chains: [1], feederOf: 'master', declarations: 'shared' },
    ]);
    const shown = new Map(familiesToThin(1, all).map((one) => [one.familyId, one.shownWith]));
    expect(Object.fromEntries(shown)).toEqual({ 1: [2, 3, 5], 2: [], 3: [], 4: [5], 5: [] });
  });
});
