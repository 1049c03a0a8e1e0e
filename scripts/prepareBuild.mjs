// What a start would otherwise have to make first: compiled contracts, an empty embedded database, the catalogue's values.
import { join } from 'node:path';
import { loadArtifacts } from '../devnet/dist/index.js';
import { ensureTemplate } from '../server/dist/store/pgliteFolder.js';
import { ROOT } from './tree.mjs';
import { writeCatalogue } from './writeCatalogue.mjs';

writeCatalogue(join(ROOT, 'server/dist/catalogue'));
await loadArtifacts();
await ensureTemplate();
process.exit(0);
