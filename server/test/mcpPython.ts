import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ReadServer } from './readServer.ts';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('mcpClient.py', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../bin/assay.mjs', import.meta.url));
/** The path of a Python with the package `mcp` 2.3.0; the tests do not download it. */
const PYTHON = process.env.ASSAY_MCP_PYTHON;

interface Printed {
  readonly protocol: string;
  readonly tools: readonly string[];
  readonly vaults: { readonly vaults: readonly object[] };
  readonly texts: number;
  readonly node: Readonly<Record<string, unknown>> | null;
  readonly isError: boolean;
  readonly asked: readonly string[];
}

/** Tests the other official client if it is installed. */
export function describePythonClient(
  get: () => { readonly server: ReadServer; readonly httpUrl: string },
): void {
  describe.runIf(PYTHON)('the official client in Python', () => {
    async function call(target: object, answer: 'YES' | 'NO' | 'NONE') {
      const before = await get().server.earned();
      const { stdout } = await run(PYTHON!, [SCRIPT, JSON.stringify(target), answer]);
      const printed = JSON.parse(stdout) as Printed;
      expect(printed).toMatchObject({ protocol: '2026-07-28', texts: 0 });
      expect(printed.vaults.vaults.length).toBeGreaterThan(0);
      return { ...printed, earned: (await get().server.earned()) - before };
    }

    test('default: reads over HTTP, and gets an invoice for an unpaid call', async () => {
      const printed = await call({ url: get().httpUrl }, 'NONE');
      expect(printed).toMatchObject({ isError: true, node: { x402Version: 2 }, earned: 0n });
      expect(printed.tools).toHaveLength(20);
    });

    test.each([
      ['YES', 50_000n],
      ['NO', 0n],
    ] as const)('default: asks its user over stdio, who says %s', async (answer, earned) => {
      const { server } = get();
      const budget = ['--daily-usd', '50', '--max-usd', '0.3'];
      const target = {
        command: process.execPath,
        args: [PROGRAM, 'mcp', ...budget],
        env: { PATH: process.env.PATH, ASSAY_URL: server.url },
        cwd: server.folder,
      };
      const printed = await call(target, answer);
      expect(printed.earned).toBe(earned);
      expect(printed.isError).toBe(answer === 'NO');
      expect(printed.asked).toEqual([expect.stringMatching(/^Pay 0\.05 USD to 0x/)]);
      expect(printed.tools).toHaveLength(22);
    });
  });
}
