import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readCommandLine } from '../server/src/commands/commandLine.ts';
import { COMMAND_PAGE, PAGES } from './docSnippets.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DOCS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs/risk-facts.md',
  'docs/migration.md',
  'docs/agents.md',
  COMMAND_PAGE,
  ...PAGES,
];
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

describe.each(DOCS)('%s', (doc) => {
  const text = readFileSync(join(ROOT, doc), 'utf8');
  const commands = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
    block!.trim().split('\n'),
  );

  test('behavior: every command exists', async () => {
    for (const command of commands) {
      const [program, ...words] = command.split(' ');
      if (program === 'npm') {
        const script = words[0] === 'run' ? words[1]! : words[0]!;
        expect(scripts, command).toHaveProperty([script]);
        expect(existsSync(join(ROOT, scripts[script]!.split(' ')[1]!)), command).toBe(true);
      } else if (program === 'npx') {
        expect(words.shift(), command).toBe('assay');
        await expect(readCommandLine(words), command).resolves.toBeDefined();
      } else if (program === 'node') {
        // A snippet of the page, which demo.test.ts runs.
        expect(text, command).toContain(`as \`${words[0]}\``);
      } else expect(program, command).toBe('curl');
    }
  });

  test('behavior: every link leads to a file', () => {
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      expect(existsSync(join(ROOT, dirname(doc), target!)), target).toBe(true);
    }
  });

  test('behavior: every file that it names in the tree exists', () => {
    for (const [, path] of text.matchAll(
      /`((?:chain|vaults|init|check|ingest|store|domain|http|payments|verify|riskThread|cli|commands|config|terminal|mcp)\/[\w/.]+\.ts)`/g,
    )) {
      expect(existsSync(join(ROOT, 'server/src', path!)), path).toBe(true);
    }
  });
});
