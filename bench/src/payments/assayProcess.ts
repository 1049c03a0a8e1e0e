import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { answerMessages } from '../vaultApi/worker.ts';
import {
  ownCpuMs,
  PRICE,
  ROUTE,
  type SideMessage,
  type SideSettings,
  SOLD,
} from './paymentWorld.ts';

// Assay's own gate, server and store as they are built, selling an answer that is ready.
const profiler = new Session();
let port = 0;

answerMessages<SideMessage>(async (message) => {
  if (message.kind === 'start') port = await start(message.settings);
  if (message.kind === 'profile') await profile(message.file);
  return { port, cpuMs: ownCpuMs() };
});

async function start({ world, key, databaseUrl, folder }: SideSettings): Promise<number> {
  const built = new URL('../../../server/dist/', import.meta.url);
  const { createServer } = await import(new URL('http/server.js', built).href);
  const { openPayments } = await import(new URL('payments/service.js', built).href);
  const { openStore } = await import(new URL('store/open.js', built).href);
  const store = await openStore({ folder, databaseUrl });
  const now = () => Math.floor(Date.now() / 1000);
  const onError = (error: unknown) => console.error(error);
  const prices = { schema: 1_000n, search: 1_000n, node: PRICE, dependencies: 1_000_000n };
  const config = {
    ...world.terms,
    prices,
    escalation: { after: 100, factor: 5, most: 25 },
    rateLimit: { perSecond: 10, burst: 20 },
    addressLimit: { perSecond: 50, burst: 100 },
    gas: {
      nativePrice: null,
      priceShare: 1_000_000n,
      payerPerHour: 100_000_000n,
      lostPerHour: 20_000_000n,
      waitSeconds: 60,
      maxWaitSeconds: 3_600,
    },
    blocked: [],
    keepAnswersSeconds: 86_400,
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
    paid: { routes: [route], gate: payments.gate, offer: config },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app.server.address().port;
}

/** From the first call to the second, which names the file. */
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
