import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readCommandLine } from '../server/src/commands/commandLine.ts';
import { DEFAULT_PRICES } from '../server/src/config/paymentsSchema.ts';
import { GUIDES } from '../server/src/http/docs/guides.ts';
import { agrees, commandsOf, PAGES, savedFile, shownExamples } from './docSnippets.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DOCS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'RELEASING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs/security.md',
  'docs/scale.md',
  'docs/export.md',
  'server/README.md',
  'deploy/README.md',
  'devnet/README.md',
  ...GUIDES.map(({ file }) => `docs/${file}`).filter((file) => !PAGES.includes(file)),
  ...PAGES,
];
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

describe.each(DOCS)('%s', (doc) => {
  const text = readFileSync(join(ROOT, doc), 'utf8');

  test('behavior: every command exists', async () => {
    for (const { line: command, program, words: all } of commandsOf(doc)) {
      const words = [...all];
      if (program === 'npm') {
        const script = words[0] === 'run' ? words[1]! : words[0]!;
        expect(scripts, command).toHaveProperty([script]);
        expect(existsSync(join(ROOT, scripts[script]!.split(' ')[1]!)), command).toBe(true);
      } else if (program === 'npx') {
        expect(words.shift(), command).toBe('assay');
        await expect(readCommandLine(words), command).resolves.toBeDefined();
      } else if (program === 'node') {
        // A snippet of the page, which demo.full.test.ts runs.
        // Or a script of the tree.
        if (!existsSync(join(ROOT, words[0]!))) {
          expect(savedFile(doc).name, command).toBe(words[0]);
        }
      } else expect(['curl', 'echo'], command).toContain(program);
    }
  });

  test('behavior: "an" precedes a vowel', () => {
    // Not "a one", which starts with a consonant sound, nor a letter that is a name.
    expect(text).not.toMatch(/\ba (?!on|is |it )[aeio][a-z]+/);
  });

  test('behavior: every link leads to a file', () => {
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      expect(existsSync(join(ROOT, dirname(doc), target!)), target).toBe(true);
    }
  });

  test('behavior: every file that it names in the tree exists', () => {
    for (const [, path] of text.matchAll(
      /`((?:chain|vaults|init|check|doctor|ingest|store|domain|http|payments|verify|risk|cli|commands|config|terminal|mcp)\/[\w/.]+\.ts)`/g,
    )) {
      expect(existsSync(join(ROOT, 'server/src', path!)), path).toBe(true);
    }
  });
});

describe('docs/numbers.md', () => {
  test('behavior: the values that it shows equal the results of their formulas', () => {
    const shown = shownExamples('docs/numbers.md');
    expect(shown.length).toBeGreaterThanOrEqual(13);
    expect(shown.filter((example) => !agrees(example))).toEqual([]);
  });
});

describe('docs/operate.md', () => {
  const text = readFileSync(join(ROOT, 'docs/operate.md'), 'utf8');
  const sources = readdirSync(join(ROOT, 'server/src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOT, 'server/src', file), 'utf8'))
    .join('');

  test('behavior: every message and every metric that it names exists in the code', () => {
    const [, messages] = text.split('## Troubleshooting');
    const documented = [...messages!.matchAll(/^\| `([^`]+)` \|/gm)].map(([, message]) => message!);
    expect(documented.length).toBeGreaterThanOrEqual(10);
    for (const message of documented) {
      for (const part of message.split('…')) expect(sources, message).toContain(part.trim());
    }
    for (const [name] of text.matchAll(/\bassay_\w+/g)) expect(sources).toContain(name);
  });
});

describe('docs/security.md', () => {
  const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
  const rows = [...text.matchAll(/^\| ([^|]+) \| (\d+) ([^|]+) \| `([^`]+)` (\w+) \|$/gm)];
  const unitless = [...text.matchAll(/^\| ([^|]+) \| (\d+)() \| `([^`]+)` (\w+) \|$/gm)];

  test('behavior: every limit equals the one in the code', () => {
    expect(rows.length + unitless.length).toBe(text.match(/^\|.*\.ts` \w+ \|$/gm)!.length);
    expect(rows.length + unitless.length).toBeGreaterThan(30);
    for (const [line, , documented, unit, file, name] of [...rows, ...unitless]) {
      const source = readFileSync(join(ROOT, 'server/src', file!), 'utf8');
      const factor = unit === 'MiB' ? 1024 ** 2 : unit === 's' ? 1000 : 1;
      expect(limitIn(source, name!), line).toBe(Number(documented) * factor);
    }
  });

  /** `NAME = 16 * 1024`, `name: 10_000`, `name ?? 5`, or the maximum of `NAME = { min: 1, max: 500 }`. */
  function limitIn(source: string, name: string): number | undefined {
    const value = new RegExp(
      `\\b${name}(?: =|:| \\?\\?) (?:\\{.*?max: )?(\\d[\\d_]*(?: \\* [\\d_]+)*)`,
    );
    const [, factors] = value.exec(source) ?? [];
    return factors
      ?.split(' * ')
      .reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);
  }
});

describe('prices', () => {
  const all = Object.entries(DEFAULT_PRICES);

  test('behavior: every page that names a price names the default', () => {
    const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
    const list = all.map(([name, usd]) => `${name}: ${usd}`).join(', ');
    expect(read('docs/assay.example.yaml')).toContain(`prices: { ${list} }`);
    const each = all.map(([, usd]) => usd);
    const range = `between ${Math.min(...each)} and ${Math.max(...each)} USD`;
    for (const file of ['README.md', 'docs/command-line.md']) expect(read(file)).toContain(range);
    const { search, node } = DEFAULT_PRICES;
    expect(read('docs/pay-for-a-grade.md')).toContain(
      `The search cost ${search} USD and the node ${node} USD`,
    );
  });
});
