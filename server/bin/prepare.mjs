// Makes the empty embedded database that a first start would make otherwise, with some 900 MB of memory: for images, whose
// files cannot be written any more when they run.
import { ensureTemplate } from '../dist/bundled/pgliteFolder.js';

await ensureTemplate();
process.exit(0);
