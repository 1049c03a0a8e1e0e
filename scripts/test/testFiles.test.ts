import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compareDuration } from './extents.mjs';
import { failedTests, slowestFiles } from './report.mjs';
import { pick, shuffle } from './seed.mjs';
import { listTests } from './testFiles.mjs';

describe('listTests', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'assay-test-files-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }));

  function plant(file: string, text: string): void {
    const path = join(root, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text}\n`);
  }

  const TEST = 'server/src/domain/amount.test.ts';
  const KIT = '../../test/kit.ts';

  test('default: every file of this project is in one of the two projects', () => {
    const { unit, integration } = listTests();
    expect(unit).toContain('server/src/domain/amount.test.ts');
    expect(integration).toContain('server/src/store/engines.test.ts');
    expect(integration).toContain('scripts/demo.full.test.ts');
    expect(unit.filter((file) => integration.includes(file))).toEqual([]);
    expect(unit.length).toBeGreaterThan(150);
  });

  test.each([
    ['a process', `import { spawn } from 'node:child_process';`],
    ['a chain', `import { EdrContext } from '@nomicfoundation/edr';`],
    ['a browser', `import { chromium } from 'playwright-core';`],
    ['what the global setup provides', `import { expect, inject } from 'vitest';`],
  ])('behavior: %s makes it an integration test, also through a helper', (_, statement) => {
    plant(TEST, statement);
    expect(listTests(root)).toEqual({ unit: [], integration: [TEST] });
    plant(TEST, `import { start } from '${KIT}';`);
    plant('server/test/kit.ts', `export { start } from './deeper.ts';`);
    plant('server/test/deeper.ts', statement);
    expect(listTests(root)).toEqual({ unit: [], integration: [TEST] });
  });

  test.each([
    ['a type', `import type { Browser } from 'playwright-core';`],
    ['only the parts of Vitest that a test needs', `import { expect, test } from 'vitest';`],
    ['the product, which may start processes', `import { x } from '../cli/pager.ts';`],
  ])('behavior: %s leaves it a unit test', (_, statement) => {
    plant('server/src/cli/pager.ts', `import { spawn } from 'node:child_process';`);
    plant(TEST, statement);
    expect(listTests(root)).toEqual({ unit: [TEST], integration: [] });
  });
});

describe('seed', () => {
  test('default: the same seed gives the same order, another seed another one', () => {
    const values = Array.from({ length: 20 }, (_, i) => i);
    expect(shuffle(values, '1')).toEqual(shuffle(values, '1'));
    expect(shuffle(values, '1')).not.toEqual(shuffle(values, '2'));
    expect(shuffle(values, '1').toSorted((a, b) => a - b)).toEqual(values);
  });

  test('behavior: every choice is picked for some seed', () => {
    const picked = new Set(Array.from({ length: 50 }, (_, i) => pick(String(i), 'history', 2)));
    expect([...picked].sort()).toEqual([0, 1]);
  });
});

describe('report', () => {
  const file = (name: string, seconds: number, ...results: [string, string][]) => ({
    name: join(import.meta.dirname, '../..', name),
    startTime: 0,
    endTime: seconds * 1000,
    status: results.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
    assertionResults: results.map(([fullName, status]) => ({ fullName, status })),
  });

  test('default: the slowest files come first', () => {
    const testResults = [file('a.test.ts', 1), file('b.test.ts', 61.25), file('c.test.ts', 3)];
    expect(slowestFiles({ testResults })).toEqual([
      '   61.3 s  b.test.ts',
      '    3.0 s  c.test.ts',
      '    1.0 s  a.test.ts',
    ]);
  });

  test('behavior: failed tests are named with their file, and so is a file that failed outside of a test', () => {
    const broken = { ...file('broken.test.ts', 1), status: 'failed', message: 'no room\nat once' };
    const failing = file('a.test.ts', 1, ['adds', 'passed'], ['divides', 'failed']);
    expect(failedTests({ testResults: [failing, broken], unhandledErrors: [] })).toEqual([
      'a.test.ts > divides',
      'broken.test.ts: no room',
    ]);
  });

  test('behavior: a run compares itself with the time that CONTRIBUTING.md states', () => {
    expect(compareDuration('test', 479)).toMatch(/^npm run test took 8.0 minutes: within the 8/);
    expect(compareDuration('test', 481)).toContain('MORE THAN the 8 minutes');
    expect(compareDuration('test:long', 9_000)).toBe('npm run test:long took 150.0 minutes');
  });
});
