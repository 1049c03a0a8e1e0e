import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  demoDescription,
  deriveWallet,
  type Wallet,
  type WorldOptions,
  writeDemoFiles,
} from '../../devnet/src/index.ts';
import { balanceOf } from '../../devnet/src/read.ts';
import {
  type FinishedCommand,
  type RunningCommand,
  runCommand,
  startCommand,
  startCommandUnder,
} from './commandLine.ts';
import { createFaultyRpc, type FaultyRpc } from './faultyRpc.ts';
import { freePort } from './freePort.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const PAYMENT_CHAIN = 8453;

/**
 * The built server on small chains, set up like the demo: with its vaults, its risk graph, and a price for risk data.
 */
export interface ReadServer {
  readonly url: string;
  readonly world: ServedWorld['world'];
  /** One of the demo's wallets, without any money. */
  readonly poor: Wallet;
  /** The working directory of the commands, with `.assay/demo.json`. */
  readonly folder: string;
  /** The proxy in front of the payment chain. */
  readonly rpc: FaultyRpc;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Returns the total of the payments received. */
  earned(): Promise<bigint>;
  /** Runs `assay …` in that folder against this server. */
  assay(line: string, env?: Readonly<Record<string, string>>): Promise<FinishedCommand>;
  begin(line: string): RunningCommand;
  /** Runs it in a shell script in which `"$@"` is the command. */
  through(script: string, line: string): Promise<FinishedCommand>;
  close(): Promise<void>;
}

export async function openReadServer(options: Partial<WorldOptions> = {}): Promise<ReadServer> {
  const served = await serveWorld({
    seed: 'read commands',
    anchor: Math.floor(Date.now() / 1000),
    ...options,
  });
  const { world } = served;
  const rpc = await createFaultyRpc({ target: served.urlOf(PAYMENT_CHAIN) });
  world.chain(PAYMENT_CHAIN).url = rpc.url;
  const folder = await mkdtemp(join(tmpdir(), 'assay-read-'));
  const [port, adminPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const files = join(folder, '.assay');
  const place = { host: '127.0.0.1', port, adminPort, folder: files };
  await writeDemoFiles(world, place);
  // Adds two wallets that cannot pay: one without money, and one on the block list.
  const poor = deriveWallet('read commands', 'poor');
  const demo = demoDescription(world, place);
  const wallets = [...world.wallets, poor, world.blockedWallet];
  await writeFile(join(files, 'demo.json'), JSON.stringify({ ...demo, wallets }));
  let server: RunningCommand | undefined;
  await start();
  return {
    url,
    world,
    poor,
    folder,
    rpc,
    start,
    kill: async () => void (await server?.end('SIGKILL')),
    earned: () =>
      balanceOf(world.chain(PAYMENT_CHAIN).chain, world.stablecoin, world.payTo.address),
    assay: (line, env) => runCommand(wordsOf(line), { ASSAY_URL: url, ...env }, folder),
    begin: (line) => startCommand(wordsOf(line), { ASSAY_URL: url }, folder),
    async through(script, line) {
      const shell = ['sh', '-c', script, 'sh'];
      const command = startCommandUnder(shell, wordsOf(line), { ASSAY_URL: url }, folder);
      return { code: await command.exit, out: command.output(), err: command.errors() };
    },
    async close() {
      await server?.end('SIGKILL');
      await rpc.close();
      await served.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };

  async function start(): Promise<void> {
    server = startCommand(['start', '--config', join(files, 'demo.yaml')]);
    await server.says(/"msg":"the API is ready"/, 60);
    while (!(await isReady())) await sleep(100);
  }

  async function isReady(): Promise<boolean> {
    const answer = await fetch(`${url}/health/ready`);
    return answer.ok && ((await answer.json()) as { missing: unknown[] }).missing.length === 0;
  }
}

function wordsOf(line: string): string[] {
  return line.split(' ').filter((word) => word !== '');
}
