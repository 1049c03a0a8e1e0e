import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './tree.mjs';

/** Files that are generated, and the check itself. */
const SKIPPED =
  /openapi\.json|assay\.schema|methodology\.md|package-lock|__snapshots__|api\/types|\/actions\.ts|language\./;
const UNTRACKED = new Set(['node_modules', 'dist', '.git', '.assay']);
/** Files whose text users read: more phrases are banned there. */
const PUBLIC =
  /\.(md|ya?ml)$|^(dashboard\/src|server\/src\/(cli|commands|config|mcp|check|doctor|init|http))\//;
/** An enum value, an idiom, and quoted third-party text. */
const ALLOWED = /by: nobody|(tell|told) apart|^.*language-ok.*$/gim;
const BANNED = String.raw`(un)?told|besieg\w*|siege\w*|anew|(any|some|every)body|any(body|one) may|(for|to|of|by|from|than|but) who|the very|under ?way|gas money|lets? go|(stands?|standing|stood) still|standstill\w*|held ?back|holds? back|h[eo]lds? (\w+ ){0,3}against|bec(a|o)mes? of|(found|finds?|finding) out|(own|\w+'s) words?|ownWord|beside (a|the) running|mend(s|ed)?|reckon\w*|in vain|dear(er)?|makers|fate(Of)?|twins?|house(Of)?|patience\w*|enriched|(un)?heard|askAhead|TakeAway|\w*trouble(?!sh)\w*|(MOST|LEAST)_\w+|beyond the interface|recognis\w+|reorganis\w+|tokenised|\w*realised|capitalisation|\w*collateralised|colours?|\w*licences?|neighbours?`;
const BANNED_IN_PUBLIC = String.raw`tells?|nobody|whoever|whichever|of (our|its|their|your) own|any more|\d+ %|\d{1,3} \d{3}|(?<!there )(is|are) no(?! (longer|need|more))|what (is|was|were) (not|asked|sent|paid|read|served|kept|known|shown|sold|charged|signed)`;

/**
 * Counts phrases that are not plain English, per file. The baseline `scripts/language.json` must match the counts
 * exactly: a larger count is a new phrase, and a smaller count has to be recorded, so that the baseline only shrinks.
 */
export function checkLanguage({ root = ROOT, write = false } = {}) {
  const baseline = join(root, 'scripts/language.json');
  const allowed = existsSync(baseline) ? JSON.parse(readFileSync(baseline, 'utf8')) : {};
  const counts = {};
  const problems = [];
  for (const file of listFiles(root)) {
    const found = findBanned(file, readFileSync(join(root, file), 'utf8'));
    if (found.length > 0) counts[file] = found.length;
    if (found.length > (allowed[file] ?? 0)) problems.push(...found);
  }
  if (write) {
    writeFileSync(baseline, `${JSON.stringify(counts, null, 2)}\n`);
    return [];
  }
  for (const [file, count] of Object.entries(allowed))
    if (count > (counts[file] ?? 0))
      problems.push(
        `${file}: scripts/language.json allows ${count} phrases, the file has ${counts[file] ?? 0}; run "node scripts/language.mjs --write"`,
      );
  return problems;
}

function findBanned(file, text) {
  const phrases = PUBLIC.test(file) ? `${BANNED}|${BANNED_IN_PUBLIC}` : BANNED;
  const pattern = new RegExp(String.raw`(?<!\w)(?:${phrases})(?!\w)`, 'gi');
  return text
    .replace(ALLOWED, '')
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(pattern)].map(
        ([phrase]) => `${file}:${index + 1}: "${phrase}" is not plain English`,
      ),
    );
}

/** Lists the files of a clone, including those not added yet; an unpacked tree has no git, so its folders are walked. */
function listFiles(root) {
  const names = existsSync(join(root, '.git'))
    ? execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
        cwd: root,
        encoding: 'utf8',
      }).split('\n')
    : walk(root);
  return [...new Set(names)]
    .filter((name) => /\.(md|tsx?|mjs|ya?ml)$/.test(name) && !SKIPPED.test(name))
    .filter((name) => existsSync(join(root, name)))
    .sort();
}

function walk(root, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (UNTRACKED.has(entry.name)) return [];
    return entry.isDirectory() ? walk(root, name) : [name];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = checkLanguage({ write: process.argv.includes('--write') });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
