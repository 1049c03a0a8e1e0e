import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  CLIENT_MAY_IMPORT,
  checkClientImports,
  checkDashboardImports,
  checkImports,
  checkPaymentsImports,
  checkRiskImports,
  DASHBOARD_MAY_IMPORT,
  MAY_IMPORT,
  PAYMENTS_MAY_IMPORT,
  RISK_MAY_IMPORT,
} from './imports.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-imports-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }));

function plant(file: string, text: string): void {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

describe('checkImports', () => {
  test('default', () => {
    expect(checkImports()).toEqual([]);
  });

  test.each([
    ['domain/amount.ts', `import { readFileSync } from 'node:fs';`, 'may not import node:fs'],
    ['domain/vault/a.ts', `import type { Hex } from 'viem';`, 'may not import viem'],
    ['store/a.ts', `import { x } from '../ingest/x.ts';`, 'store may not import ingest'],
    ['ingest/a.ts', `import { load } from '../config/load.ts';`, 'ingest may not import config'],
    ['http/a.ts', `import { x } from '../ingest/x.ts';`, 'http may not import ingest'],
    ['chain/a.ts', `import { x } from '../store/x.ts';`, 'chain may not import store'],
    ['store/deep/a.ts', `export { x } from '../../ingest/x.ts';`, 'store may not import ingest'],
    ['store/a.ts', `export * from '../ingest/x.ts';`, 'store may not import ingest'],
    ['store/a.ts', `import '../ingest/x.ts';`, 'store may not import ingest'],
    ['store/a.ts', `const x = await import('../ingest/x.ts');`, 'store may not import ingest'],
    ['store/a.ts', `import {\n  a,\n  b,\n} from '../ingest/x.ts';`, 'store may not import ingest'],
    ['store/a.ts', `import type { X } from '../ingest/x.ts';`, 'store may not import ingest'],
    ['store/a.ts', `import { app } from '../app.ts';`, 'only the files of src/ itself'],
    ['utils/a.ts', `export const x = 1;`, 'not in the import table'],
  ])('error: %s with %s', (file, text, problem) => {
    plant(file, `${text}\n`);
    const problems = checkImports(root);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
    expect(problems[0]).toContain(file);
  });

  test.each([
    ['ingest/a.ts', `import type { Config } from '../config/config.ts';`],
    ['ingest/a.ts', `import { x } from '../store/x.ts';`],
    ['ingest/deep/a.ts', `import { x } from '../other.ts';`],
    ['store/a.ts', `import { readFile } from 'node:fs/promises';`],
    ['app.ts', `import { x } from './ingest/x.ts';`],
    ['store/a.test.ts', `import { x } from '../ingest/x.ts';`],
  ])('behavior: %s may contain %s', (file, text) => {
    plant(file, `${text}\n`);
    expect(checkImports(root)).toEqual([]);
  });

  test.each<[string, Record<string, readonly string[]>]>([
    ['server', MAY_IMPORT],
    ['payments', PAYMENTS_MAY_IMPORT],
    ['risk', RISK_MAY_IMPORT],
    ['client', CLIENT_MAY_IMPORT],
    ['dashboard', DASHBOARD_MAY_IMPORT],
  ])('behavior: the imports between folders of the %s have no cycle', (_, table) => {
    const reach = (from: string, seen = new Set<string>()): Set<string> => {
      for (const to of table[from] ?? []) if (!seen.has(to)) reach(to, seen.add(to));
      return seen;
    };
    for (const folder of Object.keys(table)) expect(reach(folder), folder).not.toContain(folder);
  });
});

describe('checkRiskImports', () => {
  test('default', () => {
    expect(checkRiskImports()).toEqual([]);
  });

  test.each([
    ['grade/a.ts', '../import/x.ts', 'grade may not import import'],
    ['grade/a.ts', '../../store/x.ts', 'grade stands alone'],
    ['search/a.ts', 'node:fs', 'search stands alone'],
  ])('error: %s imports %s', (file, target, reason) => {
    plant(file, `import { x } from '${target}';\n`);
    expect(checkRiskImports(root)).toEqual([expect.stringContaining(reason)]);
  });
});

describe('checkPaymentsImports', () => {
  test('default', () => {
    expect(checkPaymentsImports()).toEqual([]);
  });

  test('error: a folder imports one that is above it', () => {
    plant('chain/a.ts', `import { x } from '../gate/x.ts';\n`);
    expect(checkPaymentsImports(root)).toEqual([
      expect.stringContaining('chain may not import gate'),
    ]);
  });
});

describe('checkClientImports', () => {
  test('default', () => {
    expect(checkClientImports()).toEqual([]);
  });

  test.each([
    ['read/a.ts', `import { buy } from '../pay/purchase.ts';`, 'read may not import pay'],
    ['pay/a.ts', `import { readFile } from 'node:fs/promises';`, 'may not import node:fs'],
    ['pay/a.ts', `import type { Hex } from 'viem';`, 'may not import viem'],
    [
      'wire/a.ts',
      `import { x } from '../../../server/src/x.ts';`,
      'may not import ../../../server',
    ],
  ])('error: %s with %s', (file, text, problem) => {
    plant(file, `${text}\n`);
    expect(checkClientImports(root)).toEqual([expect.stringContaining(problem)]);
  });

  test('behavior: the file store may use Node', () => {
    plant('node/a.ts', `import { readFile } from 'node:fs/promises';\n`);
    expect(checkClientImports(root)).toEqual([]);
  });
});

describe('checkDashboardImports', () => {
  test('default', () => {
    expect(checkDashboardImports()).toEqual([]);
  });

  test.each([
    ['family/a.tsx', `import { x } from '../families/x.tsx';`, 'family may not import families'],
    ['format/a.ts', `import uPlot from 'uplot';`, 'may not import uplot'],
    ['state/a.ts', `import { x } from '../../../client/src/index.ts';`, 'may not import ../../../'],
    [
      'state/a.ts',
      `import { Card } from '../components/card.tsx';`,
      'state may not import components',
    ],
  ])('error: %s with %s', (file, text, problem) => {
    plant(file, `${text}\n`);
    expect(checkDashboardImports(root)).toEqual([expect.stringContaining(problem)]);
  });
});
