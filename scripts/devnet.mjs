import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, start } from './tree.mjs';

ensureInstalled();
ensureBuilt();
// New chains: what was read of the old ones is of no use.
rmSync(join(process.cwd(), '.assay', 'store'), { recursive: true, force: true });
const devnet = start('devnet/dist/main.js', process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => devnet.kill(signal));
devnet.on('exit', (code) => process.exit(code ?? 1));
