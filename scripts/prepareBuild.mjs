// What a start would otherwise have to make first: compiled contracts, an empty embedded database.
import { loadArtifacts } from '../devnet/dist/index.js';
import { ensureTemplate } from '../server/dist/store/pgliteFolder.js';

await loadArtifacts();
await ensureTemplate();
process.exit(0);
