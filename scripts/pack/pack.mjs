import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundleServer } from '../bundleServer.mjs';
import { ensureInstalled, isStale, node, ROOT, tool } from '../tree.mjs';
import { writeCatalog } from '../writeCatalog.mjs';
import { billOfMaterials } from './billOfMaterials.mjs';
import { compile } from './compile.mjs';
import { notices } from './notices.mjs';
import { npmPack } from './npmPack.mjs';
import { packClient } from './packClient.mjs';
import { pinnedDependencies } from './pinned.mjs';

// `npm run pack [-- FOLDER]` writes the server (assay-<version>.tgz) and the client (assay-client-<version>.tgz) to the
// folder (default: dist). Neither needs this clone. Both are compiled from the sources into staged folders, because an
// earlier build may contain files of removed sources.
const target = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const staged = join(target, 'package');
const client = join(staged, 'node_modules/@assay/client');

ensureInstalled();
rmSync(staged, { recursive: true, force: true });
mkdirSync(staged, { recursive: true });

// The server is compiled against the built client. Running servers of this clone read it, so it is kept if it is
// current.
const types = join(ROOT, 'client/dist/index.d.ts');
if (isStale(types, ['client/src', 'client/tsconfig.build.json'])) {
  compile('client', join(ROOT, 'client/dist'));
}
cpSync(packClient(target), client, { recursive: true });
// Within the clone, so that the libraries to bundle are found.
mkdirSync(join(ROOT, '.assay'), { recursive: true });
const workshop = mkdtempSync(join(ROOT, '.assay/pack-'));
process.once('exit', () => rmSync(workshop, { recursive: true }));
compile('server', join(workshop, 'dist'));
await bundleServer(join(workshop, 'dist'));
cpSync(join(workshop, 'dist/bundled'), join(staged, 'dist/bundled'), { recursive: true });
const pages = ['--outDir', join(staged, 'dist/dashboard'), '--emptyOutDir'];
// Overrides the environment: a build for tests contains paths of this machine.
node(tool('vite'), ['build', '--config', 'dashboard/vite.config.ts', ...pages], {
  NODE_ENV: 'production',
});

const { engines } = readJson('package.json');
const { private: _, devDependencies, ...server } = readJson('server/package.json');
const { dependencies, optionalDependencies } = pinnedDependencies();
const { name, version } = readJson('client/package.json');
write(
  'package.json',
  json({
    ...server,
    engines,
    dependencies: { [name]: version, ...dependencies },
    optionalDependencies,
    bundleDependencies: [name],
  }),
);
write('sbom.cdx.json', json(billOfMaterials(server)));
write('NOTICES.txt', notices());
for (const name of ['bin', 'catalog', 'migrations', 'presets', 'SKILL.md', 'README.md'])
  copy(`server/${name}`, name);
writeCatalog(join(staged, 'dist/catalog'));
copy('server/src/store/pgliteWorker.mjs', 'src/store/pgliteWorker.mjs');
for (const name of ['LICENSE', 'CHANGELOG.md']) copy(name, name);
// In a clone, an operator's own files, with secrets, can be next to them.
const own = ['.env', 'assay.env', 'assay.yaml', 'secrets'].map((name) =>
  join(ROOT, 'deploy', name),
);
copy('deploy', 'deploy', (path) => !own.includes(path));
// The server shows the guides; design decisions are for contributors.
copy('docs', 'dist/docs', (path) => !path.endsWith('decisions'));

npmPack(staged, target);

function readJson(file) {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function write(file, text) {
  mkdirSync(join(staged, file, '..'), { recursive: true });
  writeFileSync(join(staged, file), text);
}

function copy(from, to, filter) {
  cpSync(join(ROOT, from), join(staged, to), { recursive: true, filter });
}
