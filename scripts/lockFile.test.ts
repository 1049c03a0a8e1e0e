import { readFileSync } from 'node:fs';
import { subset } from 'semver';
import { describe, expect, test } from 'vitest';
import { findLocked, readLock } from './pack/lockedPackages.mjs';

interface Locked {
  readonly version?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly engines?: { readonly node?: string };
  readonly resolved?: string;
  readonly link?: boolean;
}

const packages = readLock().packages as Readonly<Record<string, Locked>>;
const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Where `npm ci` must install every binding that a package has for it. */
const PLATFORMS = [
  ...['x64', 'arm64'].flatMap((cpu) => [
    { os: 'linux', cpu, libc: 'glibc' },
    { os: 'linux', cpu, libc: 'musl' },
    { os: 'darwin', cpu },
  ]),
  { os: 'win32', cpu: 'x64' },
];
/** Loaded on macOS alone, by design. */
const ONE_PLATFORM = ['fsevents'];

/** Packages that come with one optional package per platform, with those packages. */
function nativePackages(): [name: string, bindings: Locked[]][] {
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) => {
    const bindings = Object.keys(optionalDependencies)
      .filter((name) => !ONE_PLATFORM.includes(name))
      .map((name) => packages[findLocked(packages, place, name) ?? ''] ?? {})
      .filter(({ os, cpu }) => os !== undefined || cpu !== undefined);
    return bindings.length === 0 ? [] : [[place, bindings] as [string, Locked[]]];
  });
}

function runsOn(binding: Locked, { os, cpu, libc }: (typeof PLATFORMS)[number]): boolean {
  const allows = (values: readonly string[] | undefined, value: string | undefined) =>
    values === undefined || value === undefined || values.includes(value);
  return allows(binding.os, os) && allows(binding.cpu, cpu) && allows(binding.libc, libc);
}

describe('package-lock.json', () => {
  test('default: contains every optional package that a package in it lists', () => {
    const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.entries(optionalDependencies)
        .filter(([name]) => findLocked(packages, place, name) === undefined)
        .map(([name, range]) => `${place} needs ${name}@${range}`),
    );
    expect(missing).toEqual([]);
  });

  test('behavior: has a binding of every native package for every platform', () => {
    const native = nativePackages();
    expect(native.map(([place]) => place)).toEqual(
      expect.arrayContaining(
        ['@biomejs/biome', 'lightningcss', 'rolldown', 'typescript'].map(
          (name) => `node_modules/${name}`,
        ),
      ),
    );
    const missing = native.flatMap(([place, bindings]) =>
      PLATFORMS.filter((platform) => !bindings.some((binding) => runsOn(binding, platform))).map(
        (platform) => `${place} for ${Object.values(platform).join(' ')}`,
      ),
    );
    expect(missing).toEqual([]);
  });

  test('behavior: no package requires a newer Node than engines allows', () => {
    const newer = Object.entries(packages)
      .filter(([, { engines: own }]) => own?.node && !subset(engines.node, own.node))
      .map(([place, { version, engines: own }]) => `${place}@${version} requires ${own!.node}`);
    expect(newer).toEqual([]);
  });

  test('behavior: names no registry', () => {
    const resolved = Object.values(packages)
      .filter(({ link }) => !link)
      .flatMap(({ resolved: url }) => url ?? []);
    expect(resolved).toEqual([]);
  });
});
