import { dirname, relative } from 'node:path';
import { rolldown } from 'rolldown';

// Libraries with hundreds of files: their used parts are bundled, with the dependencies of those. All others are loaded
// from where they are installed.
const LIBRARIES = /^(?:typebox|viem)(?:\/|$)/;

/**
 * Bundles programs of this clone into a few files, because finding, reading, and linking hundreds of files takes a
 * large part of every start. A module that looks for files next to it still resolves them from its original path.
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
