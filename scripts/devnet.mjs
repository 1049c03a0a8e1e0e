import { ensureBuilt, ensureInstalled, start } from './tree.mjs';

ensureInstalled();
ensureBuilt();
const devnet = start('devnet/dist/main.js', process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => devnet.kill(signal));
devnet.on('exit', (code) => process.exit(code ?? 1));
