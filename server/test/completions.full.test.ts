import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../src/commands/index.ts';
import { HAS_PACKAGES } from './debianPackages.ts';
import { runOnTerminal } from './fakeTerminal.ts';
import { type Complete, completeInBash, completeInFish, completeInZsh } from './shells.ts';

const SHELLS: readonly [name: string, complete: Complete, isThere: boolean][] = [
  ['bash', completeInBash, true],
  ['zsh', completeInZsh, HAS_PACKAGES],
  ['fish', completeInFish, HAS_PACKAGES],
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-completions-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(SHELLS)('completions in %s', (shell, complete, isThere) => {
  async function offered(lines: readonly string[]): Promise<string[][]> {
    const { code, out } = await runOnTerminal(`completions ${shell}`);
    expect(code).toBe(0);
    const script = join(folder, `assay.${shell}`);
    await writeFile(script, out);
    const own = await mkdtemp(join(folder, 'home-'));
    const found = await complete(script, lines, own);
    expect(found).toHaveLength(lines.length);
    return found.map((words) => words.toSorted());
  }

  test.runIf(isThere)('default: every command, and every flag of each', async () => {
    const names = COMMANDS.map(({ name }) => name);
    const first = [...new Set(names.map((name) => name.split(' ')[0]!)), 'help'].sort();
    const flags = await Promise.all(
      COMMANDS.map(async ({ load }) =>
        [...Object.keys((await load()).command.flags), 'help'].map((flag) => `--${flag}`).sort(),
      ),
    );
    const [commands, ...found] = await offered([
      'assay ',
      ...names.map((name) => `assay ${name} --`),
    ]);
    expect(commands).toEqual(first);
    names.forEach((name, i) => {
      // Another command follows `open`, with its own flags.
      if (name !== 'open') expect(found[i], name).toEqual(flags[i]);
    });
  });

  test.runIf(isThere)(
    'behavior: second words, values, files, and words before a command',
    async () => {
      const key = join(folder, 'my-key');
      await writeFile(key, '');
      const cases: [line: string, found: string[]][] = [
        ['assay risk s', ['schema', 'search', 'show']],
        ['assay spend r', ['refetch']],
        ['assay spend --state ', ['charged', 'expired', 'open', 'paid', 'written-off']],
        ['assay apy svcusd --interval ', ['day', 'hour', 'raw']],
        ['assay completions b', ['bash']],
        ['assay help risk n', ['node']],
        ['assay open tvl svcusd --us', ['--usd']],
        ['assay vault --url h', []],
        [`assay risk node --key-file ${join(folder, 'my-')}`, [key]],
      ];
      const found = await offered(cases.map(([line]) => line));
      cases.forEach(([line, expected], i) => {
        // zsh completes only the last part of a path.
        const words = found[i]!.map((word) => (word === 'my-key' ? key : word));
        expect(words, line).toEqual(expected);
      });
    },
  );
});
