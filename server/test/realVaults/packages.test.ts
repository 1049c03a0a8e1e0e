import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fetchPackage, PackageAltered, PackageMissing } from './packages.ts';

const run = promisify(execFile);
const NAME = 'assay-pinned-package';
const PIN = `${NAME}@1.0.0`;
const CONTENTS = 'contract Pinned {}\n';

/** Serves a registry with one package that passes npm's own checks. */
async function openRegistry(tarball: Buffer) {
  const integrity = `sha512-${sha512Of(tarball)}`;
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return void response.end(tarball);
    const { port } = server.address() as AddressInfo;
    const dist = { integrity, tarball: `http://127.0.0.1:${port}/${NAME}.tgz` };
    const version = { name: NAME, version: '1.0.0', dist };
    const found = { name: NAME, 'dist-tags': {}, versions: { '1.0.0': version } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(found));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}/` };
}

function sha512Of(bytes: Buffer): string {
  return createHash('sha512').update(bytes).digest('base64');
}

describe('fetchPackage', () => {
  let folder: string;
  let into: string;
  let tarball: Buffer;
  let registry: Awaited<ReturnType<typeof openRegistry>>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-packages-'));
    into = join(folder, 'packages');
    const made = join(folder, 'package');
    await mkdir(made);
    await writeFile(join(made, 'package.json'), JSON.stringify({ name: NAME, version: '1.0.0' }));
    await writeFile(join(made, 'Pinned.sol'), CONTENTS);
    const file = join(folder, 'made.tgz');
    await run('tar', ['-czf', file, '-C', folder, 'package']);
    tarball = await readFile(file);
    registry = await openRegistry(tarball);
    vi.stubEnv('npm_config_registry', registry.url);
    vi.stubEnv('npm_config_cache', join(folder, 'cache'));
    vi.stubEnv('npm_config_fetch_retries', '0');
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    registry.server.closeAllConnections();
    registry.server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  });

  test('default: fetches once for two processes, then works without a registry', async () => {
    const both = [1, 2].map(() => fetchPackage(PIN, sha512Of(tarball), into));
    const [first, second] = await Promise.all(both);
    expect(first).toBe(second);
    expect(await readFile(join(first!, 'Pinned.sol'), 'utf8')).toBe(CONTENTS);
    expect(await readdir(into)).toEqual([PIN]);
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:1/');
    expect(await fetchPackage(PIN, sha512Of(tarball), into)).toBe(first);
  });

  test('error: another package under the pinned name is deleted', async () => {
    const other = sha512Of(Buffer.from('the package that was pinned'));
    await expect(fetchPackage(PIN, other, into)).rejects.toThrow(PackageAltered);
    expect(await readdir(into)).toEqual([]);
  });

  test('error: no registry and nothing cached', async () => {
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:1/');
    const failed = fetchPackage(PIN, sha512Of(tarball), into);
    await expect(failed).rejects.toThrow(PackageMissing);
    await expect(failed).rejects.toThrow(
      /^[^\n]*assay-pinned-package@1\.0\.0[^\n]*\(ECONN\w+\)[^\n]*$/,
    );
    expect(existsSync(join(into, PIN))).toBe(false);
  });
});
