import { getReleased, releaseChangelog } from './changelog.mjs';
import {
  checkVersion,
  setDocumentVersion,
  setLockVersion,
  setManifestVersion,
} from './versions.mjs';

/**
 * Returns the files that a release changes, as pairs of path and new text. `read` returns the text of a file of the
 * project. The date has the form 2026-11-30.
 */
export function getReleaseFiles(version, date, read) {
  const readJson = (file) => JSON.parse(read(file));
  const { workspaces } = readJson('package.json');
  const manifests = workspaces.map((workspace) => [
    `${workspace}/package.json`,
    readJson(`${workspace}/package.json`),
  ]);
  const names = manifests.map(([, { name }]) => name);
  const changelog = read('CHANGELOG.md');
  checkVersion(version, readJson('server/package.json').version, getReleased(changelog));
  return [
    ['CHANGELOG.md', releaseChangelog(changelog, version, date)],
    ...manifests.map(([file, manifest]) => [
      file,
      toJson(setManifestVersion(manifest, version, names)),
    ]),
    [
      'package-lock.json',
      toJson(setLockVersion(readJson('package-lock.json'), version, workspaces, names)),
    ],
    ['openapi.json', toJson(setDocumentVersion(readJson('openapi.json'), version))],
    ['server/server.json', toJson({ ...readJson('server/server.json'), version })],
  ];
}

function toJson(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
