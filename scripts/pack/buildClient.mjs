import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, tool } from '../tree.mjs';
import { compileClient } from './compile.mjs';

// The client's `prepack`: npm runs it before it packs the folder, unless ignore-scripts is set, as it is in this clone's
// .npmrc. `npm run pack` does not depend on it.
if (!existsSync(tool('tsc'))) {
  console.error(
    'The dependencies are not installed. Run "npm run pack" in the root folder: it installs them, then packs the server and the client.',
  );
  process.exit(1);
}
const dist = join(ROOT, 'client/dist');
const built = join(ROOT, '.assay/client-dist');
rmSync(built, { recursive: true, force: true });
compileClient(built);
// Replaced in one step: files of removed sources are not packed, and a server that runs from this clone keeps its
// client.
rmSync(dist, { recursive: true, force: true });
renameSync(built, dist);
