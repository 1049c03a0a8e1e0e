import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { knownFaults, readReport } from './audit/knownFaults.mjs';
import { licenceFaults } from './audit/licences.mjs';
import { lockedPackages } from './pack/lockedPackages.mjs';

describe('licences', () => {
  test('default: all that is shipped may be', () => {
    const shipped = new Map([...lockedPackages('server'), ...lockedPackages('dashboard')]);
    expect(shipped.size).toBeGreaterThan(100);
    expect(licenceFaults(shipped)).toEqual([]);
  });

  test('error: what binds the rest, and what says nothing', () => {
    const packages = [
      ['node_modules/a', { version: '1.0.0', license: 'MIT' }],
      ['node_modules/a/node_modules/@b/c', { version: '2.0.0', license: 'AGPL-3.0-only' }],
      ['node_modules/d', { version: '3.0.0', license: '(MIT OR GPL-3.0-only)' }],
      ['node_modules/e', { version: '4.0.0', license: 'MIT AND GPL-3.0-only' }],
      ['node_modules/f', { version: '5.0.0' }],
    ];
    expect(licenceFaults(packages)).toEqual([
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

  test('default: found as Node finds them, through our own, without tools', () => {
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

describe('known faults', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  test('behavior: a registry without such a service', async () => {
    server = createServer((_request, response) => {
      response.statusCode = 405;
      response.end();
    });
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await knownFaults({ registry: `http://127.0.0.1:${port}/` })).toBeUndefined();
  });

  test('default: one line for each package with a fault', () => {
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
