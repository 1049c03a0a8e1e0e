// Sells responses on the store and the chain given as JSON, and kills itself at the step that it receives over its
// control port. The product's code runs unchanged: only its store, RPC node, handler, and response are instrumented.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { paymentsList } from '../../src/commands/paymentsList.ts';
import type {
  Config,
  PaymentsConfig,
  RateLimitConfig,
  StoreConfig,
} from '../../src/config/config.ts';
import { openStore } from '../../src/store/open.ts';
import {
  getStatements,
  type Queryable,
  type Statement,
  type Store,
  statement,
} from '../../src/store/store.ts';
import { paymentsConfig, startPaidServer } from '../paidServer.ts';
import type { TokenChain } from '../tokenChain.ts';

export interface SellOptions {
  readonly store: StoreConfig;
  readonly chain: Pick<TokenChain, 'url' | 'terms' | 'keys' | 'multicall'>;
  /** Seconds by which its clock is ahead, so that leases of a killed process expire at once. */
  readonly ahead: number;
  /** Timeout of requests to the RPC endpoint. */
  readonly timeoutSeconds?: number;
  /**
   * Override the defaults. With `http`, clients are identified by the address that a proxy on this machine forwards.
   */
  readonly limits?: Partial<Pick<PaymentsConfig, 'rateLimit' | 'addressLimit' | 'newPayers'>> & {
    readonly http?: RateLimitConfig;
  };
}

type Point = 'claim' | 'verify' | 'handler' | 'keep' | 'broadcast' | 'settle' | 'answer';
type Event =
  | 'claiming'
  | 'claimed'
  | 'handling'
  | 'handled'
  | 'kept'
  | 'sent'
  | 'settled'
  | 'half sent';

/** An armed process stops at `freeze` and kills itself after the given number of `dies` events. */
const STEPS: Readonly<Record<string, { readonly freeze?: Point; readonly dies: Event }>> = {
  'before the claim': { freeze: 'claim', dies: 'claiming' },
  'after the claim': { freeze: 'verify', dies: 'claimed' },
  'after verifying': { freeze: 'handler', dies: 'handling' },
  'after the handler': { freeze: 'keep', dies: 'handled' },
  'after storing the answer': { freeze: 'broadcast', dies: 'kept' },
  'after the broadcast': { dies: 'sent' },
  'after mining': { freeze: 'settle', dies: 'sent' },
  'after writing that it settled': { freeze: 'answer', dies: 'settled' },
  'in the middle of the answer': { freeze: 'answer', dies: 'half sent' },
};

/** By statement name; a suffix after a second dot names a variant of the statement. */
const POINTS: Readonly<Record<string, Point>> = {
  'payments.insert': 'claim',
  'payments.claimAgain': 'claim',
  'payments.keepAnswer': 'keep',
  'payments.settle': 'settle',
};

const allRows = statement(
  'sell.rows',
  `select payer, nonce, value, state, delivered_at as "deliveredAt" from payment order by payer, nonce`,
);

for (const name of Object.keys(POINTS)) {
  if (!getStatements().some((known) => known.name === name)) throw new Error(`no ${name} to watch`);
}
const options = JSON.parse(process.argv[2]!) as SellOptions;
const chain = options.chain as TokenChain;
const life = `life ${process.pid}`;
let armed: { readonly step: string; readonly freeze: boolean } | undefined;
let left = 0;

const store = watch(await openStore(options.store));
const node = await listen(forward);
const { http: rateLimit, ...limits } = options.limits ?? {};
const server = await startPaidServer({
  store,
  chain,
  rpcUrl: node,
  ...(options.timeoutSeconds && { timeoutSeconds: options.timeoutSeconds }),
  payments: { escalation: null, ...limits },
  ...(rateLimit && { rateLimit }),
  now: () => Math.floor(Date.now() / 1000) + options.ahead,
  async answer({ path }) {
    happened('handling');
    await pass('handler');
    happened('handled');
    return { ...path, life, padding: 'x'.repeat(10_000) };
  },
});
server.app.server.prependListener('request', (_request, response) => cut(response));
const control = await listen(obey);
console.log(JSON.stringify({ url: server.url, control, life }));

/** Never resolves at the `freeze` point of the armed step. */
async function pass(point: Point): Promise<void> {
  if (armed?.freeze && STEPS[armed.step]!.freeze === point) await new Promise(() => {});
}

function happened(event: Event, times = 1): void {
  if (armed === undefined || STEPS[armed.step]!.dies !== event) return;
  left -= times;
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
}

function watch(own: Store): Store {
  const watched = ({ query }: Queryable) =>
    async function queried<Row>(asked: Statement, params?: Parameters<typeof query>[1]) {
      const point = POINTS[asked.name.split('.', 2).join('.')];
      if (point === 'claim') happened('claiming', left);
      if (point !== undefined) await pass(point);
      const rows = await query<Row>(asked, params);
      if (point === 'claim') happened('claimed', rows.length);
      if (point === 'keep') happened('kept', rows.length);
      // Columns are array literals, so the number of commas is the number of rows minus one.
      if (point === 'settle') happened('settled', String(params![0]).split(',').length);
      return rows;
    };
  return {
    ...own,
    query: watched(own),
    transaction: (work) => own.transaction((tx) => work({ query: watched(tx) })),
  };
}

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await request.toArray()).toString();
  const sent = body.split('eth_sendRawTransaction').length - 1;
  if (body.includes('eth_call')) await pass('verify');
  if (sent > 0) await pass('broadcast');
  const answer = await fetch(chain.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const text = await answer.text();
  if (sent > 0) happened('sent', sent);
  response.setHeader('content-type', 'application/json');
  response.end(text);
}

/** Sends half of a paid response and never the rest. */
function cut(response: ServerResponse): void {
  const { end } = response;
  response.end = function ended(this: ServerResponse, ...args: unknown[]) {
    const cutting = armed !== undefined && STEPS[armed.step]!.freeze === 'answer';
    if (!cutting || response.statusCode !== 200) return Reflect.apply(end, this, args);
    const body = args[0] as Buffer;
    if (STEPS[armed!.step]!.dies === 'half sent') {
      response.write(body.subarray(0, body.length / 2), () => happened('half sent'));
    }
    return this;
  } as typeof end;
}

async function obey({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(url!, 'http://control');
  if (pathname === '/arm') {
    left = Number(searchParams.get('count'));
    armed = { step: searchParams.get('step')!, freeze: searchParams.get('freeze') === 'true' };
    if (!(armed.step in STEPS)) throw new Error(`no step ${armed.step}`);
    response.end();
  } else if (pathname === '/list') {
    const lines: string[] = [];
    const config = { payments: paymentsConfig(chain) } as Config;
    await paymentsList.runOn({ config, store }, {}, (line) => lines.push(line));
    response.end(JSON.stringify(lines));
  } else {
    const rows = await store.query<{ value: bigint }>(allRows);
    response.end(JSON.stringify(rows.map((row) => ({ ...row, value: String(row.value) }))));
  }
}

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<string> {
  const listening = createServer((request, response) => {
    handle(request, response).catch((error: Error) => {
      response.statusCode = 500;
      response.end(error.message);
    });
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}
