import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../tree.mjs';

const INSTALLED = 'node_modules/';

/**
 * Returns the packages that a workspace needs at run time, by their key in the lock file. Workspaces are links there,
 * and are followed. Optional peers are left out, as npm does.
 */
export function lockedPackages(workspace, packages = readLock().packages) {
  const found = new Map();
  visit(workspace);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));

  function visit(place) {
    for (const name of namesNeeded(packages[place])) {
      const next = findLocked(packages, place, name);
      // Packages that no supported platform can install, such as bindings for others.
      if (next === undefined || found.has(next)) continue;
      const { link, resolved } = packages[next];
      if (link) {
        visit(resolved);
        continue;
      }
      found.set(next, packages[next]);
      visit(next);
    }
  }
}

/** Returns the lock file's key of the package that Node would load from a place: the nearest one outward. */
export function findLocked(packages, place, name) {
  for (let at = place; ; at = outside(at)) {
    const next = `${at === '' ? '' : `${at}/`}${INSTALLED}${name}`;
    if (next in packages) return next;
    if (at === '') return undefined;
  }
}

export function readLock() {
  return JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
}

/** Returns the name @scope/name of node_modules/a/node_modules/@scope/name. */
export function packageName(place) {
  return place.slice(place.lastIndexOf(INSTALLED) + INSTALLED.length);
}

function namesNeeded({ dependencies, optionalDependencies, peerDependencies, ...entry }) {
  const { peerDependenciesMeta = {} } = entry;
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => !peerDependenciesMeta[name]?.optional,
  );
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

function outside(place) {
  const cut = place.lastIndexOf(`/${INSTALLED}`);
  return cut === -1 ? '' : place.slice(0, cut);
}
