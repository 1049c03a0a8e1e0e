import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const loader = fileURLToPath(new URL('conformanceLoader.mjs', import.meta.url));
const { resolve } = createRequire(import.meta.url);
const program = join(
  dirname(resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);

/** Those of the official suite that speak of any server: the others want tools of the suite's own. */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

export function describeConformance(getUrl: () => string): void {
  describe('the official conformance suite', () => {
    test('default: every scenario that applies passes', async () => {
      // Where it writes its results.
      const cwd = await mkdtemp(join(tmpdir(), 'assay-conformance-'));
      try {
        for (const scenario of SCENARIOS) {
          const words = ['server', '--url', getUrl(), '--scenario', scenario];
          const { stdout } = await run(process.execPath, ['--import', loader, program, ...words], {
            cwd,
          });
          expect(stdout, scenario).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/);
        }
      } finally {
        await rm(cwd, { recursive: true, force: true });
      }
    });
  });
}
