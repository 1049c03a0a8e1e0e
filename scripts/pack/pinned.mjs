import { lockedPackages, packageName } from './lockedPackages.mjs';

/**
 * Returns all packages that the server needs, directly and indirectly, in the versions of the lock file: npm reads a
 * package's lock file only from a registry, and other installers never do. If a package is needed in two versions, the
 * second is nested under the package that needs it, in the newest version that it allows.
 */
export function pinnedDependencies() {
  const dependencies = {};
  const optionalDependencies = {};
  for (const [place, { version, optional }] of lockedPackages('server')) {
    const name = packageName(place);
    if (place !== `node_modules/${name}`) continue;
    (optional ? optionalDependencies : dependencies)[name] = version;
  }
  return { dependencies, optionalDependencies };
}
