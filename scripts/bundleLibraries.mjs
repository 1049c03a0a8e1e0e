import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './tree.mjs';

// Libraries of hundreds of files, each of which would be found, read and compiled at every start of a program. What the
// server uses of them is put into a file each, and its own files are led there.
const LIBRARIES = ['typebox', 'typebox/value', 'viem', 'viem/utils'];
const DIST = join(ROOT, 'server/dist');
const PREFIX = 'used:';
const IMPORT = /^import \{([^}]*)\} from '([^']+)';$/gm;

const files = readdirSync(DIST, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => !file.startsWith(join(DIST, 'dashboard')));

const used = new Map(LIBRARIES.map((library) => [library, new Set()]));
for (const file of files) {
  for (const [, names, library] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    for (const name of names.split(',')) used.get(library)?.add(name.split(' as ')[0].trim());
  }
}

const bundle = await rolldown({
  input: Object.fromEntries(
    LIBRARIES.map((library) => [library.replace('/', '-'), PREFIX + library]),
  ),
  platform: 'node',
  plugins: [
    {
      name: 'what is used',
      resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
      load(id) {
        if (!id.startsWith(`\0${PREFIX}`)) return null;
        const library = id.slice(PREFIX.length + 1);
        return `export { ${[...used.get(library)].sort().join(', ')} } from '${library}';`;
      },
    },
  ],
  cwd: join(ROOT, 'server'),
});
await bundle.write({ dir: join(DIST, 'libraries'), format: 'esm', chunkFileNames: '[name].js' });

for (const file of files) {
  const text = readFileSync(file, 'utf8');
  const led = text.replace(IMPORT, (whole, names, library) => {
    if (!used.has(library)) return whole;
    const place = relative(dirname(file), join(DIST, 'libraries', library.replace('/', '-')));
    return `import {${names}} from '${place.startsWith('.') ? place : `./${place}`}.js';`;
  });
  if (led !== text) writeFileSync(file, led);
}
