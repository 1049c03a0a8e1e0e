import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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

/**
 * These scenarios need tools, resources, and prompts of the suite itself, or features that this server does not offer:
 * logs and sessions.
 */
const NOT_APPLICABLE = [
  'logging-set-level',
  'server-sse-multiple-streams',
  'completion-complete',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-with-logging',
  'tools-call-error',
  'tools-call-with-progress',
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
];
const APPLICABLE = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

export function describeConformance(getUrl: () => string): void {
  describe('the official conformance suite', () => {
    test("default: passes every scenario that does not need the suite's own tools", async () => {
      // The working directory for the suite's results.
      const cwd = await mkdtemp(join(tmpdir(), 'assay-conformance-'));
      try {
        const known = join(cwd, 'known.yml');
        await writeFile(known, JSON.stringify({ server: NOT_APPLICABLE }));
        const words = ['server', '--url', getUrl(), '--expected-failures', known];
        // The run fails if another scenario fails or if one of these passes.
        const { stdout } = await run(process.execPath, ['--import', loader, program, ...words], {
          cwd,
        });
        for (const scenario of APPLICABLE) expect(stdout).toContain(`✓ ${scenario}: `);
      } finally {
        await rm(cwd, { recursive: true, force: true, maxRetries: 20 });
      }
    });
  });
}
