import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt, ensureInstalled, start } from './tree.mjs';

// Starts the demo: local chains in one process, the server in another. Each run starts from fresh chains in ./.assay.
const folder = join(process.cwd(), '.assay');
ensureInstalled();
ensureBuilt();
const began = performance.now();
const children = [];
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(0));

const devnet = launch(
  'the chains',
  start('devnet/dist/main.js', [], { stdio: ['ignore', 'pipe', 'inherit'] }),
);
await new Promise((resolve) => {
  devnet.stdout.on('data', (data) => {
    process.stderr.write(data);
    if (/ready$/m.test(data)) resolve();
  });
});
const { DATABASE_URL: _, ...env } = process.env;
launch(
  'the server',
  start('server/bin/assay.mjs', ['start', '--config', '.assay/demo.yaml'], {
    stdio: 'inherit',
    env,
  }),
);
const { apiUrl } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
while (!(await isReady())) await sleep(250);
const seconds = ((performance.now() - began) / 1000).toFixed(1);
// Standard output contains only the log of the server.
console.error(
  `\nAssay is ready after ${seconds} s: ${apiUrl}/\nKeys and addresses of the demo: .assay/demo.json. Ctrl-C ends it.\n`,
);

async function isReady() {
  try {
    const response = await fetch(`${apiUrl}/health/ready`);
    return response.ok && (await response.json()).missing.length === 0;
  } catch {
    return false;
  }
}

function launch(name, child) {
  children.push(child);
  child.on('exit', (code) => {
    if (stopping) return;
    console.error(`${name} ended (exit code ${code})`);
    stop(code || 1);
  });
  return child;
}

async function stop(code) {
  if (stopping) return;
  stopping = true;
  const gone = children.map((child) =>
    child.exitCode === null ? new Promise((resolve) => child.once('exit', resolve)) : undefined,
  );
  for (const child of children) child.kill('SIGTERM');
  await Promise.race([Promise.all(gone), sleep(8_000)]);
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  process.exit(code);
}
