import { WARNING, writeDemoFiles } from './demoFiles.ts';
import { startLive } from './live.ts';
import { serveProviders, serveWorld } from './serve.ts';
import { readSettings } from './settings.ts';
import { buildWorld } from './world.ts';

const FOLDER = '.assay';
/** A new user waits for the backfill, so the history has only six ticks per day. */
const PAST_SECONDS = 14_400;

main().catch((error) => {
  say(error instanceof Error ? error.message : 'The devnet failed.');
  // Setting the exit code is not enough: served chains would keep the process alive.
  process.exit(1);
});

async function main(): Promise<void> {
  const settings = readSettings(process.env, process.argv.slice(2));
  const stopping = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  let serving = false;
  void stopping.then(() => {
    // There is nothing to close yet, and the build cannot be interrupted otherwise.
    if (!serving) process.exit(0);
  });
  const now = () => Math.floor(Date.now() / 1000);
  say('building three chains with 90 days of history');
  const began = Date.now();
  const world = await buildWorld({ seed: settings.seed, anchor: now(), clock: now });
  const blocks = world.chains.map(({ chain }) => chain.tip.number).reduce((a, b) => a + b, 0);
  say(`built ${blocks} blocks in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  serving = true;
  const server = await serveWorld(world, {
    host: settings.host,
    preferred: true,
    ...(settings.firstPort !== undefined && { firstPort: settings.firstPort }),
  });
  for (const { chainId, name, url } of world.chains) say(`${name} (${chainId}) at ${url}`);
  const providers = await serveProviders(world, settings);
  for (const [chainId, url] of providers.rpcUrls) {
    say(`${settings.provider} for ${world.chain(chainId).name} at ${url}`);
  }
  const { rpcUrls } = providers;
  await writeDemoFiles(world, { ...settings, folder: FOLDER, pastSeconds: PAST_SECONDS, rpcUrls });
  say(`wrote ${FOLDER}/demo.yaml and ${FOLDER}/demo.json`);
  say(WARNING);
  const live = startLive(world, {
    everySeconds: settings.everySeconds,
    now,
    onError: (chainId, error) =>
      say(`chain ${chainId}: ${error instanceof Error ? error.message : 'a step failed'}`),
  });
  say('ready');
  await stopping;
  await live.stop();
  await providers.close();
  await server.close();
  say('stopped');
}

function say(line: string): void {
  process.stdout.write(`devnet: ${line}\n`);
}
