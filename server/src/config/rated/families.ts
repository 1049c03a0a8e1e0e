import { lower } from '../../domain/hex.ts';
import { findNearest } from '../nearest.ts';
import { findPreset, type Preset, presetNames } from '../presets.ts';
import type { ConfigProblem } from '../problem.ts';
import type { ConfigFile } from '../schema.ts';
import type { RatedConfig } from './description.ts';
import { toRated } from './resolve.ts';

type FamilyFile = ConfigFile['families'][number];

/** By the chain's entry in the file. */
export type RatedFound = ReadonlyMap<FamilyFile['chains'][number], RatedConfig>;

type Problem = Omit<ConfigProblem, 'line'>;

/** Resolves the descriptions of all families that have one, with every problem in them. */
export function readRated(families: readonly FamilyFile[]): {
  found: RatedFound;
  problems: Problem[];
} {
  const found = new Map<FamilyFile['chains'][number], RatedConfig>();
  const problems: Problem[] = [];
  const presets = new Map<string, Preset | undefined>();
  const fail = (path: string, message: string) => void problems.push({ path, message });

  for (const [i, family] of families.entries()) {
    const path = `families[${i}]`;
    if (family.adapter !== 'rated') {
      checkUnused(family, path, fail);
      continue;
    }
    const read = presetOf(family.preset, `${path}.preset`);
    if (family.preset !== undefined && read === undefined) continue;
    const preset = read && { name: family.preset!, read };
    for (const [j, chain] of family.chains.entries()) {
      const address = lower(chain.address ?? family.address);
      const share = chain.share === undefined ? undefined : lower(chain.share);
      const paths = { family: path, chain: `${path}.chains[${j}]` };
      const rated = toRated({ address, share, preset, own: chain.rated, paths, fail });
      if (rated !== undefined) found.set(chain, rated);
    }
  }
  return { found, problems };

  function presetOf(name: string | undefined, path: string): Preset | undefined {
    if (name === undefined) return undefined;
    if (!presets.has(name)) presets.set(name, findPreset(name));
    const preset = presets.get(name);
    if (preset !== undefined) return preset;
    const known = presetNames();
    const nearest = findNearest(name, known);
    const fix =
      nearest === undefined ? `known are ${known.join(', ')}` : `did you mean ${nearest}?`;
    fail(path, `is ${JSON.stringify(name)}, which is not a preset; ${fix}`);
    return undefined;
  }
}

function checkUnused(
  family: FamilyFile,
  path: string,
  fail: (path: string, message: string) => void,
): void {
  const fix = 'set adapter: rated, or remove it';
  if (family.preset !== undefined) fail(`${path}.preset`, `is only for adapter rated; ${fix}`);
  for (const [j, chain] of family.chains.entries()) {
    if (chain.rated === undefined) continue;
    fail(`${path}.chains[${j}].rated`, `is only for adapter rated; ${fix}`);
  }
}
