import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { ROOT } from './tree.mjs';

/**
 * Bundles the compiled server into a folder of this clone, with its worker threads and the program that prepares its
 * database.
 */
export async function bundleServer(dist) {
  await bundle(
    {
      main: join(dist, 'main.js'),
      riskWorker: join(dist, 'risk/thread/worker.js'),
      pgliteFolder: join(dist, 'store/pgliteFolder.js'),
    },
    join(dist, 'bundled'),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundleServer(join(ROOT, 'server/dist'));
}
