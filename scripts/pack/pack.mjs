import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundleServer } from '../bundleServer.mjs';
import { ensureInstalled, isStale, node, ROOT, tool } from '../tree.mjs';
import { writeCatalogue } from '../writeCatalogue.mjs';
import { billOfMaterials } from './billOfMaterials.mjs';
import { notices } from './notices.mjs';
import { pinnedDependencies } from './pinned.mjs';

// The server as one package that needs nothing of this clone: `npm run pack [-- FOLDER]` writes assay-<version>.tgz there
// (dist by default). It is compiled anew into a folder of its own, since what was built here may hold files of before.
const target = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const staged = join(target, 'package');
const client = join(staged, 'node_modules/@assay/client');

ensureInstalled();
rmSync(staged, { recursive: true, force: true });
mkdirSync(staged, { recursive: true });

// The server is compiled against it; running servers of this clone read it, so it is left alone where it can be.
const types = join(ROOT, 'client/dist/index.d.ts');
if (isStale(types, ['client/src', 'client/tsconfig.build.json'])) {
  compile('client', join(ROOT, 'client/dist'));
}
compile('client', join(client, 'dist'));
// Within the clone, where the libraries are found that go into the bundle.
mkdirSync(join(ROOT, '.assay'), { recursive: true });
const workshop = mkdtempSync(join(ROOT, '.assay/pack-'));
process.once('exit', () => rmSync(workshop, { recursive: true }));
compile('server', join(workshop, 'dist'));
await bundleServer(join(workshop, 'dist'));
cpSync(join(workshop, 'dist/bundled'), join(staged, 'dist/bundled'), { recursive: true });
const pages = ['--outDir', join(staged, 'dist/dashboard'), '--emptyOutDir'];
// Whatever the environment says: a build for tests holds paths of this machine.
node(tool('vite'), ['build', '--config', 'dashboard/vite.config.ts', ...pages], {
  NODE_ENV: 'production',
});

const { engines } = readJson('package.json');
const { private: _, devDependencies, ...server } = readJson('server/package.json');
const { devDependencies: __, ...clientManifest } = readJson('client/package.json');
const { dependencies, optionalDependencies } = pinnedDependencies();
const { name, version } = clientManifest;
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
write('node_modules/@assay/client/package.json', json(clientManifest));
write('sbom.cdx.json', json(billOfMaterials(server)));
write('NOTICES.txt', notices());
for (const name of ['bin', 'catalogue', 'migrations', 'SKILL.md', 'README.md'])
  copy(`server/${name}`, name);
writeCatalogue(join(staged, 'dist/catalogue'));
copy('server/src/store/pgliteWorker.mjs', 'src/store/pgliteWorker.mjs');
for (const name of ['LICENSE', 'CHANGELOG.md']) copy(name, name);
// The server shows the guides; why things are so is for who works on it.
copy('docs', 'dist/docs', (path) => !path.endsWith('decisions'));

const options = ['--ignore-scripts', '--loglevel=error', '--json', '--pack-destination', target];
const [packed] = JSON.parse(
  execFileSync('npm', ['pack', ...options], { cwd: staged, encoding: 'utf8' }),
);
const { filename, size, unpackedSize, entryCount } = packed;
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
console.log(
  `${join(target, filename)}: ${entryCount} files, ${megabytes(size)} MB, ${megabytes(unpackedSize)} MB unpacked`,
);

/** Without source maps: they would lead to sources that are not in the package. */
function compile(workspace, outDir) {
  const options = ['--outDir', outDir, '--sourceMap', 'false'];
  node(tool('tsc'), ['-p', `${workspace}/tsconfig.build.json`, ...options]);
}

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
