import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

// The project does not own its package names. npx and npm install would run the code that the owner of a name publishes,
// on machines that hold payment keys. Documents therefore name the folder in which npx finds the built or installed program.

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SKIPPED = new Set(['node_modules', 'dist', '.git', '.assay']);
const NPX = 'npx assay';
const FOLDER =
  /Run (?:this command|these commands) in (?:the clone, after `npm run build` or `npm start`|the folder where the package is installed)/;
/** Commands that download a package by the names of this project. */
const DOWNLOADS = [
  /\bnpx +(?:-y|--yes|-p|--package)\b/,
  /\bnpx +(?:@assay\/|assay@)/,
  /"(?:npx|bunx|pnpx)"/,
  /\b(?:bunx|pnpx|(?:pnpm|yarn) dlx)\b/,
  /\b(?:npm|pnpm|yarn|bun) +(?:install|i|add|exec|x|create)\b[^\n`]* ["']?(?:@assay\/client|assay)(?:@[^\s`]*)?["']?(?=[\s`]|$)/m,
];

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const isDownload = (text: string) => DOWNLOADS.some((pattern) => pattern.test(text));

function listFiles(folder: string, ending: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listFiles(path, ending);
    return ending.test(entry.name) ? [path] : [];
  });
}

/** Returns the text on one line, so that a sentence is found across line breaks. */
function unwrap(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function namesFolderFirst(text: string): boolean {
  const line = unwrap(text);
  const stated = line.search(FOLDER);
  return stated !== -1 && stated < line.indexOf(NPX);
}

const documents = listFiles('', /\.md$/);
const withNpx = documents.filter((file) => unwrap(read(file)).includes(NPX));

describe('documents', () => {
  test('default: all of them are read', () => {
    expect(documents).toEqual(
      expect.arrayContaining([
        'README.md',
        'RELEASING.md',
        'client/README.md',
        'deploy/README.md',
        'server/SKILL.md',
      ]),
    );
    expect(withNpx.length).toBeGreaterThanOrEqual(9);
  });

  test.each(withNpx)('behavior: %s names the folder before the first npx assay', (file) => {
    expect(namesFolderFirst(read(file))).toBe(true);
  });

  test('behavior: none of them downloads a package by its name', () => {
    const others = [
      ...listFiles('docs', /\.(yaml|json)$/),
      ...listFiles('deploy', /\.(yaml|yml|service)$/),
      ...listFiles('.github', /\.(md|yml)$/),
    ];
    expect([...documents, ...others].filter((file) => isDownload(read(file)))).toEqual([]);
  });

  test('behavior: help, logs, and pages do not suggest npx', () => {
    const sources = ['server/src', 'server/bin', 'client/src', 'dashboard/src'].flatMap((folder) =>
      listFiles(folder, /\.(ts|tsx|mjs|html)$/),
    );
    expect(sources.length).toBeGreaterThan(500);
    expect(sources.filter((file) => /\bnpx\b/.test(read(file)))).toEqual([]);
  });

  test('behavior: a host of agents starts the program by its absolute path', () => {
    const [, json] = /```json\n([\s\S]*?)```/.exec(read('docs/agents.md'))!;
    const { command, args } = JSON.parse(json!).mcpServers.assay;
    expect(command).toBe('node');
    expect(isAbsolute(args[0])).toBe(true);
    expect(existsSync(join(ROOT, args[0].replace('/path/to/assay/', '')))).toBe(true);
  });
});

describe('the check', () => {
  test.each([
    'npx -y assay start',
    'npx --yes assay',
    'npx --package assay assay start',
    'npx assay@latest mcp',
    'npx @assay/client',
    '"command": "npx", "args": ["assay"]',
    'npm install -g assay',
    'npm install assay',
    'npm i @assay/client',
    '`npm add assay@0.1.0`',
    'npm exec -- assay start',
    'pnpm add assay',
    'pnpm dlx assay',
    'yarn dlx assay',
  ])('error: %s', (text) => {
    expect(isDownload(text)).toBe(true);
  });

  test.each([
    'npx assay start',
    'npm install ./assay-<version>.tgz',
    'npm install --prefix /app ./assay.tgz',
    'npm run build',
    'npm publish ./dist/assay-0.2.0.tgz',
  ])('default: %s', (text) => {
    expect(isDownload(text)).toBe(false);
  });

  test('error: a document that names no folder, or names it too late', () => {
    const folder = 'Run these commands in the folder where the package is\ninstalled:';
    expect(namesFolderFirst('npx assay start')).toBe(false);
    expect(namesFolderFirst(`npx assay start\n\n${folder}`)).toBe(false);
    expect(namesFolderFirst(`${folder}\n\nnpx assay start`)).toBe(true);
  });
});
