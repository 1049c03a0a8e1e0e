import { ReleaseError } from './error.mjs';

const UNRELEASED = /^## Unreleased[ \t]*$/m;
const RELEASED = /^## (\d+\.\d+\.\d+\S*) \(\d{4}-\d{2}-\d{2}\)$/gm;

/** Returns the changelog with the entries under "Unreleased" moved to the version, and an empty "Unreleased" above them. */
export function releaseChangelog(text, version, date) {
  const heading = UNRELEASED.exec(text);
  if (!heading) {
    throw new ReleaseError(
      'CHANGELOG.md has no "## Unreleased" heading: add it above the entries of this release.',
    );
  }
  if (getReleased(text).includes(version)) {
    throw new ReleaseError(`CHANGELOG.md already has version ${version}: choose a newer version.`);
  }
  const start = heading.index + heading[0].length;
  const next = text.indexOf('\n## ', start);
  const entries = text.slice(start, next === -1 ? text.length : next).trim();
  if (!/^[-*] /m.test(entries)) {
    throw new ReleaseError(
      'CHANGELOG.md has no entries under "Unreleased": describe what changed before you release.',
    );
  }
  return [
    text.slice(0, heading.index),
    `## Unreleased\n\n## ${version} (${date})\n\n${entries}\n`,
    next === -1 ? '' : text.slice(next),
  ].join('');
}

/** Returns the versions that the changelog has a date for, newest first. */
export function getReleased(text) {
  return [...text.matchAll(RELEASED)].map(([, version]) => version);
}
