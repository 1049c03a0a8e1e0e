import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../src/commands/read/exitCodes.ts';
import type { ReadServer } from './readServer.ts';

const PAGE = new URL('../../docs/command-line.md', import.meta.url);

interface Case {
  readonly line: string;
  readonly code: number;
  /** The amount paid by the command, in base units. */
  readonly paid?: bigint;
  /** A shell script in which `"$@"` is the command. */
  readonly through?: string;
  /** Expected on stderr. */
  readonly says?: RegExp;
}

const FULL = '"$@" > /dev/full';
const NODE = 'risk node protocol:compound-v3';
const PAY = '--yes --max-usd 0.05';

/** The order matters: the last case fetches the response that the one before it lost. */
const CASES: readonly Case[] = [
  { line: 'vaults', code: 0 },
  { line: `${NODE} ${PAY} --max-usd=0.05`, code: 2, says: /--max-usd is given twice/ },
  { line: NODE, code: 2, says: /no terminal to confirm/ },
  { line: 'vaults --select .nothing', code: 2, says: /--select: the response is a list/ },
  { line: 'vaults', code: 1, through: FULL, says: /could not be written \(ENOSPC\)/ },
  { line: 'vaults --url http://127.0.0.1:9', code: 3, says: /no server responds/ },
  { line: 'vault nothing', code: 4, says: /no vault family/ },
  { line: `risk node chain:nowhere ${PAY}`, code: 4, says: /nothing was charged/ },
  { line: 'spend refetch 0123456789', code: 4, says: /there is no payment/ },
  { line: `${NODE} --yes --max-usd 0.01`, code: 5, says: /price is 0\.05 USD.*nothing was paid/ },
  { line: `${NODE} ${PAY}`, code: 6, through: FULL, paid: 50_000n, says: /run the same command/ },
  { line: `${NODE} ${PAY}`, code: 0, says: /^resending the payment of / },
];

/** Tests every documented exit code against a server that sells and settles. */
export function describeExitCodes(getServer: () => ReadServer): void {
  describe('exit codes', () => {
    const rows = [...readFileSync(PAGE, 'utf8').matchAll(/^\| (\d) \| .+ \|$/gm)];
    const documented = rows.map(([, code]) => Number(code));

    test("default: the table lists the program's codes, and each has a case", () => {
      expect(documented).toEqual(Object.values(EXIT));
      expect([...new Set(CASES.map(({ code }) => code))].sort()).toEqual(documented);
    });

    test('default: each command exits with its code and pays the expected amount', async () => {
      const server = getServer();
      for (const { line, code, through, says, paid = 0n } of CASES) {
        const before = await server.earned();
        const found = await (through ? server.through(through, line) : server.assay(line));
        expect({ line, code: found.code, err: found.err }).toMatchObject({ line, code });
        if (says) expect(found.err, line).toMatch(says);
        else expect(found.err, line).toBe('');
        if (code !== 0) expect(found.out, line).toBe('');
        expect((await server.earned()) - before, line).toBe(paid);
      }
    });
  });
}
