import { dirname, relative } from 'node:path';
import { rolldown } from 'rolldown';

// Libraries of hundreds of files: what is used of them is put in too, with what they use themselves. All others are found
// where they are installed.
const LIBRARIES = /^(?:typebox|viem)(?:\/|$)/;

/**
 * Puts programs of this clone, by the name of each, into few files in a folder of it: to find, read and link hundreds of
 * them takes a good part of every start. Where a module looks for files beside it, it still does so from its own place.
 */
export async function bundle(programs, target) {
  const built = await rolldown({
    input: programs,
    platform: 'node',
    cwd: dirname(target),
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
  await built.write({ dir: target, format: 'esm', chunkFileNames: '[name].js', cleanDir: true });
  await built.close();
}

function isPackage(id) {
  return /^[^./\0]/.test(id);
}

function isOwn(module = '') {
  return module.startsWith('/') && !module.includes('/node_modules/');
}
