import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkLanguage } from './language.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-language-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }));

function plant(file: string, text: string): void {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const allow = (counts: Record<string, number>) =>
  plant('scripts/language.json', JSON.stringify(counts));

describe('checkLanguage', () => {
  test('default', () => {
    expect(checkLanguage()).toEqual([]);
  });

  test('behavior: a file with more phrases than the baseline allows', () => {
    plant('server/src/store/a.ts', '// Reads it anew.\n// And anew.');
    allow({ 'server/src/store/a.ts': 1 });
    expect(checkLanguage({ root })).toEqual([
      'server/src/store/a.ts:1: "anew" is not plain English',
      'server/src/store/a.ts:2: "anew" is not plain English',
    ]);
    allow({ 'server/src/store/a.ts': 2 });
    expect(checkLanguage({ root })).toEqual([]);
  });

  test('behavior: a baseline that allows more than there is', () => {
    plant('server/src/store/a.ts', '// Reads it again.');
    allow({ 'server/src/store/a.ts': 1, 'server/src/store/deleted.ts': 2 });
    const problems = checkLanguage({ root });
    expect(problems).toHaveLength(2);
    expect(problems[0]).toContain('run "node scripts/language.mjs --write"');
    expect(checkLanguage({ root, write: true })).toEqual([]);
    expect(JSON.parse(readFileSync(join(root, 'scripts/language.json'), 'utf8'))).toEqual({});
    expect(checkLanguage({ root })).toEqual([]);
  });

  test('behavior: phrases that are banned only where users read', () => {
    plant('server/src/store/a.ts', '// Nobody has shares.');
    plant('server/src/http/a.ts', '// Nobody has shares.');
    expect(checkLanguage({ root })).toEqual([
      'server/src/http/a.ts:1: "Nobody" is not plain English',
    ]);
  });

  test('behavior: a clone lists what is tracked or about to be, a packed tree every file', () => {
    plant('a.md', 'Read it anew.');
    plant('ignored/b.md', 'Read it anew.');
    plant('node_modules/c.md', 'Read it anew.');
    plant('.gitignore', 'ignored\nnode_modules\n');
    expect(checkLanguage({ root })).toHaveLength(2);
    execFileSync('git', ['init', '--quiet'], { cwd: root });
    expect(checkLanguage({ root })).toEqual(['a.md:1: "anew" is not plain English']);
  });
});
