import { eq, gt, valid } from 'semver';
import { ReleaseError } from './error.mjs';

/**
 * Throws unless the version can follow the current one: it is newer, or it is the current one and was never released.
 * `released` lists the versions in the changelog.
 */
export function checkVersion(version, current, released) {
  if (version === undefined || valid(version) !== version) {
    throw new ReleaseError(
      `"${version ?? ''}" is not a version: run "npm run release -- X.Y.Z", for example 0.2.0.`,
    );
  }
  const isFirst = eq(version, current) && !released.includes(version);
  if (!isFirst && !gt(version, current)) {
    throw new ReleaseError(`${version} is not newer than ${current}: choose a newer version.`);
  }
}

/** Returns a workspace's manifest with the version, also where it depends on other workspaces. */
export function setManifestVersion(manifest, version, workspaceNames) {
  const { dependencies } = manifest;
  const changed = { ...manifest, version };
  if (dependencies) changed.dependencies = pinWorkspaces(dependencies, version, workspaceNames);
  return changed;
}

/** Returns the lock file with the version of every workspace. */
export function setLockVersion(lock, version, workspaces, workspaceNames) {
  const packages = { ...lock.packages };
  for (const workspace of workspaces) {
    if (!packages[workspace]) {
      throw new ReleaseError(
        `package-lock.json does not contain ${workspace}: run "npm install" and commit the result.`,
      );
    }
    packages[workspace] = setManifestVersion(packages[workspace], version, workspaceNames);
  }
  return { ...lock, packages };
}

/** Returns the OpenAPI document with the version, which it takes from the server. */
export function setDocumentVersion(document, version) {
  return { ...document, info: { ...document.info, version } };
}

function pinWorkspaces(dependencies, version, workspaceNames) {
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, range]) => [
      name,
      workspaceNames.includes(name) ? version : range,
    ]),
  );
}
