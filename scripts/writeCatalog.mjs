import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './tree.mjs';

/** The catalog as JSON, which a server that starts for the first time reads in a fiftieth of the time. */
export function writeCatalog(folder) {
  const written = join(ROOT, 'server/catalog');
  // A file that was taken out of the catalog would else be imported for ever.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(written)) {
    const value = parse(readFileSync(join(written, name), 'utf8'));
    writeFileSync(join(folder, name.replace(/\.yaml$/, '.json')), JSON.stringify(value));
  }
}
