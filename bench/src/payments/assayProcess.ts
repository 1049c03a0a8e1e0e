import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { loadBuilt } from '../loadBuilt.ts';
import { answerMessages } from '../vaultApi/worker.ts';
import {
  ownCpuMs,
  PRICE,
  ROUTE,
  type SideMessage,
  type SideSettings,
  SOLD,
} from './paymentWorld.ts';

// Assay's payment gate, server, and store as built, which sell a prepared response.
const profiler = new Session();
let port = 0;

answerMessages<SideMessage>(async (message) => {
  if (message.kind === 'start') port = await start(message.settings);
  if (message.kind === 'profile') await profile(message.file);
  return { port, cpuMs: ownCpuMs() };
});

async function start({ world, key, databaseUrl, folder }: SideSettings): Promise<number> {
  const { createServer } = await loadBuilt('http/server.js');
  const { toPayments } = await loadBuilt('config/toPayments.js');
  const { openPayments } = await loadBuilt('payments/service.js');
  const { openStore } = await loadBuilt('store/open.js');
  const store = await openStore({ folder, databaseUrl });
  const now = () => Math.floor(Date.now() / 1000);
  const onError = (error: unknown) => console.error(error);
  const { chainId, asset, payTo } = world.terms;
  const defaults = toPayments({ chain: chainId, asset, payTo, facilitator: { keys: [key] } });
  const config = {
    ...defaults,
    ...world.terms,
    prices: { ...defaults.prices, node: PRICE },
    facilitator: { kind: 'embedded', keys: [key], maxFeePerGas: 10n ** 12n, factories: [] },
  };
  const payments = await openPayments({
    config,
    chain: { rpcUrls: [world.url], timeoutSeconds: 10, multicall: world.multicall },
    store,
    publicUrl: () => 'https://risk.example',
    now,
    onError,
    onLowBalance: () => {},
  });
  const route = {
    path: `${ROUTE}{nodeId}`,
    access: 'paid',
    operationId: 'node',
    price: 'node',
    summary: 'A node query',
    description: '',
    tag: 'risk',
    parameters: [],
    response: {},
    responseExample: {},
    problems: [],
    maxAge: 0,
    answer: async () => SOLD,
  };
  const app = createServer({
    version: '0.0.0',
    getChainStatuses: async () => [],
    onError,
    now,
    routes: [route],
    paid: { gate: payments.gate, offer: config },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app.server.address().port;
}

/** Profiles from the first call to the second, which names the file. */
async function profile(file: string | undefined): Promise<void> {
  if (file === undefined) {
    profiler.connect();
    await profiler.post('Profiler.enable');
    await profiler.post('Profiler.start');
    return;
  }
  const { profile: found } = await profiler.post('Profiler.stop');
  writeFileSync(file, JSON.stringify(found));
}
