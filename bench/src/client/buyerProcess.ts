import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { type PaymentWorld, ROUTE } from '../payments/paymentWorld.ts';
import { answerMessages } from '../vaultApi/worker.ts';
import { createMeter } from './meter.ts';

// Buys one response after another, alternating between both ways, and reports the CPU and the requests of each.
export interface BuyMessage {
  readonly world: PaymentWorld;
  readonly port: number;
  readonly count: number;
}

export interface BuyAnswer {
  /** CPU per purchase, in milliseconds. */
  readonly client: number;
  readonly stock: number;
  /** Requests per purchase. */
  readonly clientTrips: number;
  readonly stockTrips: number;
}

type Buy = (url: string) => Promise<{ readonly id?: string }>;
interface Way {
  /** One per payer, because sellers limit the rate of each payer. */
  readonly buyers: readonly Buy[];
  requests: number;
}

let ways: { readonly client: Way; readonly stock: Way } | undefined;
let turn = 0;

answerMessages<BuyMessage>(async ({ world, port, count }): Promise<BuyAnswer> => {
  ways ??= { client: await clientWay(world, port), stock: stockWay(world) };
  const { client, stock } = ways;
  client.requests = 0;
  stock.requests = 0;
  const meter = createMeter({ client: () => buy(client), stock: () => buy(stock) });
  const cpu = await meter.run(count);
  return { ...cpu, clientTrips: client.requests / count, stockTrips: stock.requests / count };

  async function buy({ buyers }: Way): Promise<void> {
    const url = `http://127.0.0.1:${port}${ROUTE}${turn}`;
    const answer = await buyers[turn++ % buyers.length]!(url);
    if (answer.id === undefined) throw new Error(`The purchase failed: ${JSON.stringify(answer)}`);
  }
});

async function clientWay(world: PaymentWorld, port: number): Promise<Way> {
  const built = new URL('../../../client/dist/index.js', import.meta.url);
  const { createMemoryStore, createPayer } = await import(built.href);
  const { chainId, asset, payTo } = world.terms;
  const way: Way = { requests: 0, buyers: half(world, 0).map(buyer) };
  return way;

  function buyer(privateKey: `0x${string}`): Buy {
    const payer = createPayer({
      signer: privateKeyToAccount(privateKey),
      budget: { perCall: 100_000n, total: 10n ** 12n },
      allow: {
        networks: [`eip155:${chainId}`],
        assets: [asset],
        recipients: [payTo],
        hosts: [`127.0.0.1:${port}`, 'risk.example'],
        allowLoopback: true,
      },
      store: createMemoryStore(),
      fetch: counted(() => way),
    });
    return async (url) => (await payer.buy(url)).answer;
  }
}

function stockWay(world: PaymentWorld): Way {
  const way: Way = { requests: 0, buyers: half(world, 1).map(buyer) };
  return way;

  function buyer(privateKey: `0x${string}`): Buy {
    const scheme = new ExactEvmScheme(privateKeyToAccount(privateKey));
    const pay = wrapFetchWithPaymentFromConfig(
      counted(() => way),
      {
        schemes: [{ network: 'eip155:8453', client: scheme }],
      },
    );
    return async (url) => (await pay(url)).json() as Promise<{ id?: string }>;
  }
}

function half({ payers }: PaymentWorld, which: 0 | 1): `0x${string}`[] {
  const middle = payers.length / 2;
  return payers.slice(which * middle, (which + 1) * middle).map(({ privateKey }) => privateKey);
}

function counted(way: () => Way): typeof fetch {
  return (...args) => {
    way().requests++;
    return fetch(...args);
  };
}
