// Prepares what a start would otherwise have to create first: compiled contracts, an empty embedded database, and the
// catalog as JSON.
import { join } from 'node:path';
import { loadArtifacts } from '../devnet/dist/index.js';
import { ensureTemplate } from '../server/dist/store/pgliteFolder.js';
import { ROOT } from './tree.mjs';
import { writeCatalog } from './writeCatalog.mjs';

writeCatalog(join(ROOT, 'server/dist/catalog'));
await loadArtifacts();
await ensureTemplate();
process.exit(0);
