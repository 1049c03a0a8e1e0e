import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { LEGACY_API_REMOVAL } from '../server/src/domain/legacyApi.ts';
import { auditTree } from './audit/auditTree.mjs';
import { findLicenseProblems } from './audit/licenses.mjs';
import { findOverdueRemovals } from './audit/removals.mjs';
import { findVulnerabilities, readReport } from './audit/vulnerabilities.mjs';
import { lockedPackages } from './pack/lockedPackages.mjs';
import { ROOT } from './tree.mjs';

describe('licenses', () => {
  test('default: accepts the licenses of all shipped packages', () => {
    const shipped = new Map([...lockedPackages('server'), ...lockedPackages('dashboard')]);
    expect(shipped.size).toBeGreaterThan(100);
    expect(findLicenseProblems(shipped)).toEqual([]);
  });

  test('error: a license that binds other code, and a missing one', () => {
    const packages = [
      ['node_modules/a', { version: '1.0.0', license: 'MIT' }],
      ['node_modules/a/node_modules/@b/c', { version: '2.0.0', license: 'AGPL-3.0-only' }],
      ['node_modules/d', { version: '3.0.0', license: '(MIT OR GPL-3.0-only)' }],
      ['node_modules/e', { version: '4.0.0', license: 'MIT AND GPL-3.0-only' }],
      ['node_modules/f', { version: '5.0.0' }],
    ];
    expect(findLicenseProblems(packages)).toEqual([
      '@b/c 2.0.0 is under AGPL-3.0-only',
      'e 4.0.0 is under MIT AND GPL-3.0-only',
      'f 5.0.0 has no license',
    ]);
  });
});

describe('shipped packages', () => {
  const packages = {
    '': {},
    server: { dependencies: { a: '1', '@own/client': '1' }, devDependencies: { tool: '1' } },
    client: { dependencies: { c: '1' }, peerDependencies: { p: '1', q: '1' }, ...optional('q') },
    'node_modules/@own/client': { resolved: 'client', link: true },
    'node_modules/a': {
      version: '1',
      dependencies: { b: '2' },
      optionalDependencies: { gone: '1' },
    },
    'node_modules/a/node_modules/b': { version: '2' },
    'node_modules/b': { version: '1' },
    'node_modules/c': { version: '1' },
    'node_modules/p': { version: '1' },
    'node_modules/q': { version: '1' },
    'node_modules/tool': { version: '1' },
  };

  test('default: resolves packages as Node does, through workspace packages, without development tools', () => {
    expect([...lockedPackages('server', packages).keys()]).toEqual([
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/c',
      'node_modules/p',
    ]);
  });

  function optional(name: string) {
    return { peerDependenciesMeta: { [name]: { optional: true } } };
  }
});

let server: Server | undefined;
afterEach(() => server?.close());

/** Starts a registry that lists no vulnerabilities; npm gets a 405. */
async function startRegistry(): Promise<string> {
  server = createServer((_request, response) => {
    response.statusCode = 405;
    response.end();
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('removals', () => {
  const lastMoment = Date.parse(`${LEGACY_API_REMOVAL}T23:59:59.999Z`);

  test('default: the audit passes up to the last day of the legacy API', async () => {
    const { lines, ok } = await auditTree({ now: lastMoment, registry: await startRegistry() });
    expect(lines).toContain('code past its removal date: none');
    expect(ok).toBe(true);
  });

  test('error: it fails from the next day on', async () => {
    const { lines, ok } = await auditTree({ now: lastMoment + 1, registry: await startRegistry() });
    expect(lines).toContain(
      `  server/src/domain/legacyApi.ts: ${LEGACY_API_REMOVAL} is over; remove the bridge (server/src/http/legacy/bridge) and the key legacyApi`,
    );
    expect(ok).toBe(false);
  });

  test('behavior: once the code is removed, there is no date left to pass', () => {
    expect(findOverdueRemovals({ now: lastMoment + 1, root: tmpdir() })).toEqual([]);
  });

  test('behavior: the documents name the same day', () => {
    for (const name of ['docs/migration.md', 'docs/assay.example.yaml', 'docs/assay.schema.json']) {
      expect(readFileSync(join(ROOT, name), 'utf8'), name).toContain(LEGACY_API_REMOVAL);
    }
  });
});

describe('known vulnerabilities', () => {
  test('behavior: a registry without such a service', async () => {
    expect(await findVulnerabilities({ registry: await startRegistry() })).toBeUndefined();
  });

  test('default: one line for each package with a vulnerability', () => {
    const one = { title: 'Reads too much', severity: 'high' };
    const report = {
      auditReportVersion: 2,
      vulnerabilities: {
        a: { name: 'a', severity: 'high', range: '<2.0.0', via: [one, one] },
        b: { name: 'b', severity: 'low', range: '*', via: ['a'] },
      },
    };
    expect(readReport(JSON.stringify(report))).toEqual([
      'a <2.0.0 (high): Reads too much',
      'b * (low): through a',
    ]);
    expect(readReport('{"vulnerabilities":{}}')).toEqual([]);
    expect(readReport('')).toBeUndefined();
  });
});
