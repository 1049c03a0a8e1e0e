import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { ROOT } from './tree.mjs';

// Libraries of hundreds of files: what is used of them is put in too, with what they use themselves. All others are found
// where they are installed.
const LIBRARIES = /^(?:typebox|viem)(?:\/|$)/;

/**
 * Puts the compiled server, in a folder of this clone, into few files: to find, read and link hundreds of them takes a good
 * part of every start. Where a module looks for files beside it, it still does so from its own place.
 */
export async function bundleServer(dist) {
  const target = join(dist, 'bundled');
  const isOwn = (module = '') => module.startsWith(dist);
  const bundle = await rolldown({
    input: {
      main: join(dist, 'main.js'),
      riskWorker: join(dist, 'riskThread/worker.js'),
      pgliteFolder: join(dist, 'store/pgliteFolder.js'),
    },
    platform: 'node',
    cwd: dirname(dist),
    external: (id, importer) => isPackage(id) && isOwn(importer) && !LIBRARIES.test(id),
    plugins: [
      {
        name: 'own place',
        transform(code, id) {
          if (!isOwn(id) || !code.includes('import.meta.url')) return null;
          const place = `new URL(${JSON.stringify(relative(target, id))}, import.meta.url).href`;
          return code.replaceAll('import.meta.url', place);
        },
      },
    ],
  });
  await bundle.write({ dir: target, format: 'esm', chunkFileNames: '[name].js', cleanDir: true });
  await bundle.close();
}

function isPackage(id) {
  return /^[^./\0]/.test(id);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundleServer(join(ROOT, 'server/dist'));
}
