import { describe, expect, test } from 'vitest';
import type { Address } from '../domain/hex.ts';
import { findPreset, type Preset, presetNames } from './presets.ts';
import { toRated } from './rated/resolve.ts';
import { parseCall } from './rated/signature.ts';

const VAULT: Address = '0x00000000000000000000000000000000000000a1';

function rolesOf({ contracts = {} }: Preset): string[] {
  return Object.keys(contracts);
}

/** Resolves a description in which every role has an address, and returns each mistake. */
function resolve(name: string, read: Preset) {
  const contracts = Object.fromEntries(
    rolesOf(read).map((role, i) => [role, `0x${(0xb0 + i).toString(16).padStart(40, '0')}`]),
  );
  const problems: string[] = [];
  const rated = toRated({
    address: VAULT,
    share: undefined,
    preset: { name, read },
    own: { contracts },
    paths: { family: 'families[0]', chain: 'families[0].chains[0]' },
    fail: (path, message) => void problems.push(`${path}: ${message}`),
  });
  return { rated, problems };
}

describe.each(presetNames())('the preset %s', (name) => {
  const read = findPreset(name)!;

  test('default: loads when every role has an address', () => {
    const { rated, problems } = resolve(name, read);
    expect(problems).toEqual([]);
    expect(rated).toMatchObject({ preset: name });
  });

  test('default: every named role is used, and every used role is named', () => {
    const { rated } = resolve(name, read);
    const discovering = Object.values(read.contracts ?? {}).flatMap(({ from }) => from ?? []);
    const used = new Set([...Object.keys(rated?.contracts ?? {}), ...discovering]);
    expect(rolesOf(read).filter((role) => !used.has(role))).toEqual([]);
    const known = new Set(['vault', 'share', ...rolesOf(read)]);
    expect([...used].filter((role) => !known.has(role))).toEqual([]);
  });

  test('default: documents its sources, what is exact, and common misreadings', () => {
    expect(read.traps.length).toBeGreaterThan(0);
    const sentences = [...read.exact.split(/(?<=\.) /), ...read.traps];
    expect(sentences.filter((text) => !/^[A-Za-z].*\.$/s.test(text))).toEqual([]);
  });

  test('default: its calls are signatures', () => {
    const calls = [...(read.recognize?.calls ?? []), ...Object.values(read.contracts ?? {})];
    const wrong = calls.filter(({ call }) => call !== undefined && parseCall(call) === undefined);
    expect(wrong).toEqual([]);
    for (const { call, args = [] } of read.recognize?.calls ?? []) {
      expect(parseCall(call)?.inputs).toHaveLength(args.length);
    }
  });
});
