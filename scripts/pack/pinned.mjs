import { lockedPackages, packageName } from './lockedPackages.mjs';

/**
 * All that the server needs, with what that needs in turn, in exactly the versions of the lock file: npm takes a lock file of a
 * package only from a registry, and other installers never do. Of a package in two versions the second stands within who
 * needs it, and is the newest that it allows.
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
