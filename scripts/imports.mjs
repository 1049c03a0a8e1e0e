import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ROOT } from './tree.mjs';

/** Which folder of server/src may import which; `assembly` and `main.ts` may import all. */
export const MAY_IMPORT = {
  domain: [],
  // Timing and order: semaphore, pause, clock; and traced work.
  runtime: [],
  config: ['domain'],
  cli: ['config', 'domain'],
  // Terminal output: pure; width and colors are arguments.
  terminal: ['domain'],
  chain: ['domain', 'runtime'],
  store: ['domain', 'runtime'],
  payments: ['domain', 'store', 'chain', 'runtime'],
  // From public lists and curated facts to a graph, its grades, and its search.
  risk: ['store', 'domain', 'runtime'],
  vaults: ['chain', 'domain'],
  // `init` generates a file from RPC URLs and addresses; `check` finds the mistakes in a file.
  init: ['vaults', 'chain', 'config', 'domain', 'runtime'],
  check: ['vaults', 'chain', 'config', 'payments', 'domain'],
  // Everything around a server: endpoints, clock, store, disk, and the calls that an indexer will make.
  doctor: ['check', 'payments', 'ingest', 'chain', 'store', 'cli', 'domain'],
  ingest: ['vaults', 'chain', 'store', 'domain', 'runtime'],
  // The independent read of the chains: it shares no code with the indexer, least of all vaults and ingest.
  verify: ['chain', 'store', 'domain', 'runtime'],
  // A client of a running server, without any server code.
  mcp: ['risk', 'domain'],
  // Tables as files; the assembly passes it the feed.
  export: ['store', 'domain', 'runtime'],
  // The assembly passes it the feed and the format of events, so it needs nothing of the API.
  webhooks: ['store', 'domain', 'runtime'],
  http: ['export', 'store', 'domain', 'payments', 'vaults', 'chain', 'risk', 'runtime'],
};
/** These may import every folder. Only they and `main.ts` import from them. */
const ASSEMBLES = ['assembly', 'commands'];

/** The same for client/src: a page that only reads vaults loads nothing of `pay`, and only `node` needs Node. */
export const CLIENT_MAY_IMPORT = {
  // Generated from the server's routes.
  api: [],
  wire: ['api'],
  read: ['wire', 'api'],
  pay: ['read', 'wire', 'api'],
  hooks: ['pay'],
  policies: ['pay', 'wire'],
  signer: ['pay'],
  watch: ['read', 'wire', 'api'],
  browser: ['pay', 'wire'],
  keystore: ['wire'],
  node: ['pay', 'wire'],
};

/** The same for dashboard/src: pages consist of components, and never import each other. */
export const DASHBOARD_MAY_IMPORT = {
  format: [],
  // The state of the dashboard: the address, the server responses, and colors.
  state: ['format'],
  components: ['state', 'format'],
  chart: ['components', 'state', 'format'],
  activity: ['components', 'state', 'format'],
  families: ['activity', 'chart', 'components', 'state', 'format'],
  family: ['activity', 'chart', 'components', 'state', 'format'],
  wallet: ['activity', 'chart', 'components', 'state', 'format'],
  risk: ['chart', 'components', 'state', 'format'],
  alerts: ['activity', 'components', 'state', 'format'],
  status: ['components', 'state', 'format'],
  search: ['components', 'state', 'format'],
};

/** The folders of server/src/payments: each imports only from those before it. */
export const PAYMENTS_MAY_IMPORT = {
  authorization: [],
  ledger: ['authorization'],
  chain: ['authorization'],
  facilitator: ['chain', 'authorization'],
  settlement: ['facilitator', 'chain', 'ledger', 'authorization'],
  gate: ['settlement', 'facilitator', 'chain', 'ledger', 'authorization'],
};

/** The folders of server/src/risk. */
export const RISK_MAY_IMPORT = {
  search: [],
  grade: [],
  // The published measurements of the method.
  backtest: [],
  graph: ['search'],
  methodology: ['backtest', 'grade'],
  lists: [],
  thread: ['graph', 'grade', 'search'],
  import: ['thread', 'lists', 'graph', 'grade', 'search'],
};
/** These folders are pure, like domain. */
const PURE_RISK = ['search', 'grade', 'backtest', 'graph', 'methodology'];

const SERVER = {
  source: 'server/src',
  table: MAY_IMPORT,
  mayImportPackages: (folder) => folder !== 'domain',
};
const PAYMENTS = {
  source: 'server/src/payments',
  table: PAYMENTS_MAY_IMPORT,
  mayImportPackages: () => true,
};
const RISK = {
  source: 'server/src/risk',
  table: RISK_MAY_IMPORT,
  mayImportPackages: (folder, target) =>
    !PURE_RISK.includes(folder) || target.startsWith('../../domain/'),
};
const CLIENT = {
  source: 'client/src',
  table: CLIENT_MAY_IMPORT,
  mayImportPackages: (folder) => folder === 'node' || folder === 'keystore',
};
const DASHBOARD = {
  source: 'dashboard/src',
  table: DASHBOARD_MAY_IMPORT,
  // It gets all data through the client.
  mayImportPackages: (folder, target) => folder !== 'format' && !target.startsWith('.'),
};
export const IMPORT =
  /^(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/gm;
export const TYPES_ONLY = /^(?:import|export)\s+type\s/;

/** Returns one line per import in server/src that the table does not allow. */
export function checkImports(root = join(ROOT, SERVER.source)) {
  return checkTree({ ...SERVER, root });
}

/** The same for the folders of payments. */
export function checkPaymentsImports(root = join(ROOT, PAYMENTS.source)) {
  return checkTree({ ...PAYMENTS, root });
}

/** The same for the folders of risk. */
export function checkRiskImports(root = join(ROOT, RISK.source)) {
  return checkTree({ ...RISK, root });
}

/** The same for client/src. */
export function checkClientImports(root = join(ROOT, CLIENT.source)) {
  return checkTree({ ...CLIENT, root });
}

/** The same for dashboard/src. */
export function checkDashboardImports(root = join(ROOT, DASHBOARD.source)) {
  return checkTree({ ...DASHBOARD, root });
}

function checkTree(tree) {
  return filesIn(tree.root).flatMap((file) => {
    const from = folderOf(tree.root, file);
    if (from === undefined || ASSEMBLES.includes(from) || file.endsWith('.test.ts')) return [];
    return forbiddenIn(tree, file, from);
  });
}

function forbiddenIn(tree, file, from) {
  if (tree.table[from] === undefined)
    return [`${show(tree, file)}: the folder ${from} is not in the import table`];
  const text = readFileSync(file, 'utf8');
  const problems = [];
  for (const match of text.matchAll(IMPORT)) {
    const target = match[1] ?? match[2];
    const reason = judge(tree, file, from, target, TYPES_ONLY.test(match[0]));
    if (reason) problems.push(`${show(tree, file)}: ${reason}`);
  }
  return problems;
}

function judge({ root, table, mayImportPackages }, file, from, target, typesOnly) {
  const path = resolve(dirname(file), target);
  if (!target.startsWith('.') || !path.startsWith(root + sep)) {
    return mayImportPackages(from, target)
      ? undefined
      : `${from} stands alone and may not import ${target}`;
  }
  const to = folderOf(root, path);
  if (to === undefined) return `only the files of src/ itself may import ${target}`;
  if (to === from || table[from].includes(to)) return undefined;
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
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function show({ source, root }, file) {
  return join(source, relative(root, file));
}
