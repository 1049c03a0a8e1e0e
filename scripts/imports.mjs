import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ROOT } from './tree.mjs';

/** Which folder of server/src may import which; the files beside them assemble and may import all. */
export const MAY_IMPORT = {
  domain: [],
  config: ['domain'],
  cli: ['config', 'domain'],
  chain: ['domain'],
  store: ['domain'],
  payments: ['domain', 'store', 'chain'],
  // What takes long over the whole risk graph, in a thread of its own.
  riskThread: ['domain'],
  vaults: ['chain', 'domain'],
  // From RPC URLs and addresses to a file, and from a file to its faults.
  init: ['vaults', 'chain', 'config', 'domain'],
  check: ['vaults', 'chain', 'payments', 'domain'],
  ingest: ['vaults', 'chain', 'store', 'domain', 'riskThread'],
  // The second path: shares nothing with the first, least of all vaults and ingest.
  verify: ['chain', 'store', 'domain'],
  http: ['store', 'domain', 'payments', 'vaults', 'chain', 'riskThread'],
};

const SOURCE = join(ROOT, 'server/src');
const IMPORT =
  /^(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/gm;
const TYPES_ONLY = /^(?:import|export)\s+type\s/;

/** Every import in server/src that the table does not allow, one line each. */
export function checkImports(root = SOURCE) {
  return filesIn(root).flatMap((file) => {
    const from = folderOf(root, file);
    if (from === undefined || file.endsWith('.test.ts')) return [];
    return forbiddenIn(root, file, from);
  });
}

function forbiddenIn(root, file, from) {
  const allowed = MAY_IMPORT[from];
  if (allowed === undefined)
    return [`${show(root, file)}: the folder ${from} is not in the import table`];
  const text = readFileSync(file, 'utf8');
  const problems = [];
  for (const match of text.matchAll(IMPORT)) {
    const target = match[1] ?? match[2];
    const reason = judge(root, file, from, allowed, target, TYPES_ONLY.test(match[0]));
    if (reason) problems.push(`${show(root, file)}: ${reason}`);
  }
  return problems;
}

function judge(root, file, from, allowed, target, typesOnly) {
  if (!target.startsWith('.')) {
    if (from !== 'domain') return undefined;
    return `domain is pure and may not import ${target}`;
  }
  const path = resolve(dirname(file), target);
  if (!path.startsWith(root + sep)) return undefined;
  const to = folderOf(root, path);
  if (to === undefined) return `only the files of src/ itself may import ${target}`;
  if (to === from || allowed.includes(to)) return undefined;
  if (to === 'config' && typesOnly) return undefined;
  return `${from} may not import ${to} (${target})`;
}

function folderOf(root, file) {
  const [folder, ...rest] = relative(root, file).split(sep);
  return rest.length === 0 ? undefined : folder;
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

function show(root, file) {
  return join('server/src', relative(root, file));
}
