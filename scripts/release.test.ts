import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { getReleased, releaseChangelog } from './release/changelog.mjs';
import { ReleaseError } from './release/error.mjs';
import { getReleaseFiles } from './release/releaseFiles.mjs';
import { checkVersion, setLockVersion, setManifestVersion } from './release/versions.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const DATE = '2026-11-30';

describe('releaseChangelog', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- Added A.\n- Fixed B.\n';
  const released = `# Changelog\n\n## Unreleased\n\n## 0.2.0 (${DATE})\n\n- Added A.\n- Fixed B.\n`;

  test('default: moves the entries to the version and leaves an empty section', () => {
    expect(releaseChangelog(changelog, '0.2.0', DATE)).toBe(released);
    expect(getReleased(released)).toEqual(['0.2.0']);
  });

  test('behavior: keeps earlier versions and groups of entries', () => {
    const earlier = '\n## 0.1.0 (2026-10-01)\n\n- Added the demo.\n';
    const grouped = changelog.replace('- Fixed B.', '\n### Fixed\n\n- B.');
    const text = releaseChangelog(grouped + earlier, '0.2.0', DATE);
    expect(text).toContain(`## 0.2.0 (${DATE})\n\n- Added A.\n\n### Fixed\n\n- B.\n`);
    expect(text.endsWith(earlier)).toBe(true);
    expect(getReleased(text)).toEqual(['0.2.0', '0.1.0']);
  });

  test.each([
    ['no heading', '# Changelog\n\n## 0.1.0\n\n- A.\n', 'has no "## Unreleased" heading'],
    ['no entries', released, 'has no entries under "Unreleased"'],
    ['only a group', '## Unreleased\n\n### Added\n', 'has no entries under "Unreleased"'],
  ])('error: %s', (_, text, message) => {
    expect(() => releaseChangelog(text, '0.3.0', DATE)).toThrow(ReleaseError);
    expect(() => releaseChangelog(text, '0.3.0', DATE)).toThrow(message);
  });

  test('error: a version that it already has', () => {
    const again = released.replace('## Unreleased\n', '## Unreleased\n\n- Added C.\n');
    expect(() => releaseChangelog(again, '0.2.0', DATE)).toThrow('already has version 0.2.0');
  });
});

describe('checkVersion', () => {
  test.each([
    ['0.1.1', '0.1.0', []],
    ['1.0.0', '0.9.9', ['0.9.9']],
    ['0.2.0-beta.1', '0.1.0', ['0.1.0']],
    // The first release has the version that the clone already has.
    ['0.1.0', '0.1.0', []],
  ])('default: %s can follow %s', (version, current, released) => {
    expect(() => checkVersion(version, current, released)).not.toThrow();
  });

  test.each([
    [undefined, '"" is not a version'],
    ['latest', '"latest" is not a version'],
    ['v0.2.0', '"v0.2.0" is not a version'],
    ['0.2', '"0.2" is not a version'],
    ['0.0.9', '0.0.9 is not newer than 0.1.0'],
    ['0.1.0', '0.1.0 is not newer than 0.1.0'],
    ['0.1.0-beta.1', '0.1.0-beta.1 is not newer than 0.1.0'],
  ])('error: %s', (version, message) => {
    expect(() => checkVersion(version, '0.1.0', ['0.1.0'])).toThrow(message);
  });
});

describe('setManifestVersion', () => {
  test('default: changes the version and dependencies on workspaces only', () => {
    const manifest = {
      name: 'assay',
      version: '0.1.0',
      dependencies: { '@assay/client': '0.1.0', other: '0.1.0' },
    };
    expect(setManifestVersion(manifest, '0.2.0', ['assay', '@assay/client'])).toEqual({
      name: 'assay',
      version: '0.2.0',
      dependencies: { '@assay/client': '0.2.0', other: '0.1.0' },
    });
  });

  test('behavior: adds nothing to a manifest without dependencies', () => {
    expect(setManifestVersion({ version: '0.1.0' }, '0.2.0', [])).toEqual({ version: '0.2.0' });
  });
});

describe('setLockVersion', () => {
  test('error: a workspace that the lock file does not contain', () => {
    expect(() => setLockVersion({ packages: {} }, '0.2.0', ['server'], [])).toThrow(
      'does not contain server: run "npm install"',
    );
  });
});

describe('getReleaseFiles', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- Added A.\n';
  const files = new Map(
    getReleaseFiles('9.0.0', DATE, (file: string) =>
      file === 'CHANGELOG.md' ? changelog : read(file),
    ) as [string, string][],
  );

  test('default: changes every file that has the version, and only the version in it', () => {
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
    expect([...files.keys()]).toEqual([
      'CHANGELOG.md',
      ...workspaces.map((workspace) => `${workspace}/package.json`),
      'package-lock.json',
      'openapi.json',
      'server/server.json',
    ]);
    const changed = [...files].flatMap(([file, text]) => {
      if (file === 'CHANGELOG.md') return [];
      const lines = read(file).split('\n');
      return text.split('\n').filter((line, i) => line !== lines[i]);
    });
    expect(changed.map((line) => line.trim().replace(/,$/, ''))).toEqual(
      expect.arrayContaining(['"version": "9.0.0"', '"@assay/client": "9.0.0"']),
    );
    // Five manifests, the lock file's five, the document, and the registry entry; the server's dependency in its manifest and in the lock file.
    expect(changed).toHaveLength(2 * workspaces.length + 2 + 2);
  });

  test('behavior: the packages have one version, which the manifests share today', () => {
    const versions = [...files.keys()]
      .filter((file) => file.endsWith('/package.json'))
      .map((file) => JSON.parse(read(file)).version);
    expect(new Set(versions).size).toBe(1);
  });

  test('behavior: CHANGELOG.md has the section that a release turns into a version', () => {
    expect(read('CHANGELOG.md')).toMatch(/^## Unreleased$/m);
  });
});
