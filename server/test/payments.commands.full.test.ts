import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type Hex, lower } from '../src/domain/hex.ts';
import { type RunningCommand, runCommand, startCommand } from './commandLine.ts';
import { enginesFor, useDatabase } from './database.ts';
import { freePort } from './freePort.ts';
import { createHostile } from './hostile/hostile.ts';
import { header } from './paidTestServer.ts';
import { useTokenChain } from './paidTests.ts';
import { type SignedRequest, sendSigned, signRequest } from './paymentsClient.ts';

const PRICE = 1_000n;
const SCHEMA = '/api/v1/agent/schema';
const NOBODY = `0x${'1'.repeat(40)}`;

// On PostgreSQL, a command opens the database itself. On PGlite, the server that has the folder open runs it.
describe.each(enginesFor('assay payments'))('assay payments next to a server on %s', (engine) => {
  const chain = useTokenChain();
  const { database } = useDatabase(engine);
  let config: string;
  let adminPort: number;
  let server: RunningCommand;
  let url: string;

  beforeAll(async () => {
    adminPort = await freePort();
    config = join(database().config.folder, 'payments.yaml');
    await writeFile(config, stringify(describeConfig(true)));
    await start();
  });
  afterAll(async () => {
    await server?.end('SIGKILL');
  });

  function describeConfig(sells: boolean) {
    const { chainId, asset, payTo } = chain.terms;
    return {
      http: { host: '127.0.0.1', port: 0, adminPort },
      store: { folder: database().config.folder },
      chains: [{ id: chainId, name: 'base', rpc: [chain.url] }],
      families: [],
      ...(sells && {
        payments: { chain: chainId, asset, payTo, facilitator: { keys: chain.keys } },
      }),
    };
  }

  async function start(): Promise<void> {
    server = startCommand([engine === 'pglite' ? 'start' : 'serve', '--config', config], env());
    const [, port] = await server.says(/"port":(\d+),"msg":"the API is ready"/);
    url = `http://127.0.0.1:${port}`;
  }

  function env(): Record<string, string> {
    const { databaseUrl } = database().config;
    return databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  }

  function assay(...words: string[]) {
    return runCommand(['payments', ...words, '--config', config], env());
  }

  /** Returns the words of each output line. */
  async function lines(...words: string[]): Promise<string[][]> {
    const { code, out, err } = await assay(...words);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/\s+/));
  }

  function sign(payer: number, path = SCHEMA): SignedRequest {
    return signRequest(chain, { path, payer: chain.payers[payer]!, price: PRICE });
  }

  /** Pays, but disconnects before the response is delivered. */
  async function payAndLeave(payer: number): Promise<SignedRequest> {
    const request = sign(payer);
    await whileUnmined(async (broadcast) => {
      const leaving = new AbortController();
      const headers = { 'x-payment': request.header };
      const gone = fetch(url + request.path, { headers, signal: leaving.signal }).catch(() => {});
      await broadcast;
      leaving.abort();
      await gone;
    });
    const owed = 'assay_payments_undelivered';
    await until(async () => (await metric(owed))[0] === 1);
    return request;
  }

  /** `broadcast` resolves when a transaction is in the pool; after `work`, it is mined. */
  async function whileUnmined(work: (broadcast: Promise<void>) => Promise<void>): Promise<void> {
    chain.hold(true);
    const pending = () =>
      chain.chain.rpc<{ transactions: unknown[] }>('eth_getBlockByNumber', ['pending', false]);
    await work(until(async () => (await pending()).transactions.length > 0));
    chain.hold(false);
    await chain.mine();
  }

  async function listed(): Promise<string[]> {
    return (await lines('list')).map(([, name]) => name!);
  }

  async function metric(name: string): Promise<number[]> {
    const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
    const found = text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'));
    return [...found].map(([, value]) => Number(value));
  }

  async function ledgerUnits(): Promise<Record<string, number>> {
    const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
    const found = text.matchAll(/^assay_payments_ledger_base_units\{kind="(\w+)"\} (\S+)$/gm);
    return Object.fromEntries([...found].map(([, kind, value]) => [kind, Number(value)]));
  }

  async function payBack(to: string, value: bigint): Promise<Hex> {
    const abi = parseAbi(['function mint(address, uint256)']);
    const data = encodeFunctionData({ abi, functionName: 'mint', args: [to as Hex, value] });
    const receipt = await chain.send(chain.terms.asset, data);
    return (receipt as unknown as { transactionHash: Hex }).transactionHash;
  }

  test.runIf(engine === 'postgres')('error: settings that do not match the chain', async () => {
    const wrong = join(database().config.folder, 'wrong.yaml');
    const described = describeConfig(true);
    await writeFile(
      wrong,
      stringify({
        ...described,
        http: { ...described.http, adminPort: 0 },
        payments: { ...described.payments, assetName: 'USDC' },
      }),
    );
    const fix = 'set assetName: "USD Coin" and assetVersion: "2"';
    const check = await runCommand(['check', '--config', wrong], env());
    expect(check.code).toBe(1);
    expect(check.out).toContain('FAIL payments.assetName: assetName "USDC"');
    expect(check.out).toContain(fix);
    const start = await runCommand(['serve', '--config', wrong], env());
    expect(start.code).toBe(1);
    expect(start.err).toContain('assay: payments do not work as configured:');
    expect(start.err).toContain(fix);
  });

  test('default: reports and metrics show the revenue', async () => {
    const requests = [sign(0), sign(0), sign(1, '/api/v1/agent/search?q=usdc')];
    for (const request of requests) {
      const answer = await sendSigned(url, request);
      expect(answer?.status, answer?.body).toBe(200);
    }
    const [first, second] = chain.payers.map(({ address }) => lower(address));
    expect(await lines('report', '--by', 'route')).toEqual([
      ['route', 'calls', 'gross', 'refunded', 'net'],
      ['schema', '2', '2000', '0', '2000'],
      ['search', '1', '1000', '0', '1000'],
      ['together', '3', '3000', '0', '3000'],
    ]);
    // On PGlite, the server runs the same statement.
    if (engine === 'postgres') {
      expect((await lines('report', '--by=payer')).slice(1)).toEqual([
        [first, '2', '2000', '0', '2000'],
        [second, '1', '1000', '0', '1000'],
        ['together', '3', '3000', '0', '3000'],
      ]);
      const days = await lines('report');
      expect(days.at(-1)).toEqual(['together', '3', '3000', '0', '3000']);
      expect(days.at(-2)![0]).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      const [, ...old] = await lines('report', '--from', '2020-01-01', '--to', '2020-12-31');
      expect(old).toEqual([['together', '0', '0', '0', '0']]);
    }
    expect(await chain.balance(chain.terms.payTo)).toBe(3_000n);

    expect(await metric('assay_payments_settled_total')).toEqual([2, 1]);
    expect(await metric('assay_payments_revenue_base_units_total')).toEqual([2_000, 1_000]);
    expect(await metric('assay_payments_open')).toEqual([0]);
    await until(async () => (await metric('assay_payments_undelivered'))[0] === 0);
    const gas = await metric('assay_facilitator_balance_wei');
    expect(gas).toHaveLength(chain.keys.length);
    for (const wei of gas) expect(wei).toBeGreaterThan(1e20);
    const [settled, failed] = await metric('assay_payments_gas_total');
    expect(settled).toBeGreaterThan(3 * 60_000);
    expect(failed).toBe(0);
  });

  test('behavior: a refund is checked on the chain, and counts once', async () => {
    const payment = await payAndLeave(2);
    const payer = lower(payment.payer.address);
    expect(await metric('assay_payments_undelivered')).toEqual([1]);
    const list = await lines('list');
    expect(list[0]!.slice(0, 4)).toEqual(['recent', nameOf(payment), '1000', 'schema']);
    expect(list.at(-1)!.join(' ')).toBe('1 charged and not delivered (1000 base units), 0 open');
    const refund = async (of: string, transaction: string) => {
      const { code, out, err } = await assay('refund', of, '--transaction', transaction);
      return { code, said: out + err };
    };
    const wrong = {
      'too little': await payBack(payer, PRICE - 1n),
      // On PGlite, the server returns the same messages, so one case is enough.
      ...(engine === 'postgres' && {
        'never sent': `0x${'ab'.repeat(32)}`,
        'to another address': await payBack(NOBODY, PRICE),
      }),
    };
    for (const [what, transaction] of Object.entries(wrong)) {
      const { code, said } = await refund(nameOf(payment), transaction);
      expect({ what, code, said }).toEqual({
        what,
        code: 2,
        said: `assay: that transaction does not pay 1000 base units to ${payer}; nothing was recorded\n`,
      });
    }
    const right = await payBack(payer, PRICE);
    const done = { code: 0, said: `refunded 1000 base units to ${payer}\n` };
    const refused =
      'assay: the payment was refunded meanwhile, or the transaction refunded another payment, or its response is being delivered: see "assay payments list", and retry in a minute\n';
    // The refund is rejected for as long as the payer can still fetch the response.
    let answer = { code: 2 as number | null, said: refused };
    await until(async () => {
      expect(answer).toEqual({ code: 2, said: refused });
      answer = await refund(nameOf(payment), right);
      return answer.code === 0;
    }, 3_000);
    expect(answer).toEqual(done);
    expect((await sendSigned(url, payment))?.status).toBe(402);
    expect(await listed()).not.toContain(nameOf(payment));
    expect(await metric('assay_payments_undelivered')).toEqual([0]);
    // A refunded payment does not count as net revenue in any report.
    for (const by of ['day', 'route', 'payer']) {
      expect((await lines('report', '--by', by)).at(-1)).toEqual([
        ...['together', '4', '4000', '1000', '3000'],
      ]);
    }
    expect(await ledgerUnits()).toEqual({ gross: 4_000, refunded: 1_000, net: 3_000, lost: 0 });
    const none = {
      code: 2,
      said: 'assay: no charged payment with this id awaits a refund; see "assay payments list"\n',
    };
    expect(await refund(nameOf(payment), right)).toEqual(none);
    // One transfer refunds only one payment.
    const another = await payAndLeave(2);
    expect(await refund(nameOf(another), right)).toEqual({
      code: 2,
      said: refused,
    });
    expect(await listed()).toContain(nameOf(another));
  });

  test('behavior: reconcile finds the charges of a killed server', async () => {
    const payment = sign(3);
    await whileUnmined(async (broadcast) => {
      const lost = sendSigned(url, payment);
      await broadcast;
      await server.end('SIGKILL');
      expect(await lost).toBeUndefined();
    });
    const owed = 'assay_payments_undelivered';
    if (engine === 'postgres') {
      // No other process may check the payment before the killed server's lease expires.
      let said: string[][] = [];
      await until(async () => {
        said = await lines('reconcile');
        return said[0]![0] !== '0';
      }, 8_000);
      expect(said[0]!.join(' ')).toBe('1 settled, 0 released, 0 still open');
      await start();
    } else {
      // The next server finds the payment by itself, so the command has nothing to do.
      await start();
      await until(async () => (await metric(owed))[0] === 2);
      const [said] = await lines('reconcile');
      expect(said!.join(' ')).toBe('0 settled, 0 released, 0 still open');
    }
    expect(await listed()).toContain(nameOf(payment));
    // If the payer fetches the response after all, no refund is owed.
    expect((await sendSigned(url, payment))?.status).toBe(200);
    await until(async () => (await metric(owed))[0] === 1);
    expect(await listed()).not.toContain(nameOf(payment));
    expect((await lines('report')).at(-1)).toEqual(['together', '6', '6000', '1000', '5000']);
    expect(await chain.balance(chain.terms.payTo)).toBe(6_000n);
  });

  test('behavior: gas of failed settlements is logged and measured', async () => {
    const hostile = await createHostile(chain);
    const wallet = await hostile.deploy('Turned');
    const headers = { 'x-payment': header(chain, hostile.pay(wallet, PRICE)) };
    chain.hold(true);
    await hostile.turn(wallet, true);
    const answer = fetch(url + SCHEMA, { headers });
    await until(async () => (await hostile.waiting()) === 2);
    chain.hold(false);
    await chain.mine();
    expect((await answer).status).toBe(402);
    const line = /"payer":"(\w+)".*"gas":"(\d+)".*"msg":"gas was spent on a failed settlement"/;
    const [, payer, gas] = await server.says(line);
    expect(payer).toBe(wallet);
    expect((await metric('assay_payments_gas_total'))[1]).toBe(Number(gas));
    expect((await metric('assay_payments_gas_wei_total'))[1]).toBeGreaterThan(Number(gas));
    // The first value is for payers with code, the second for plain keys.
    expect(await metric('assay_payments_gas_lost_hour')).toEqual([Number(gas), 0]);
    expect(await metric('assay_payments_gas_lost_hour_limit')).toEqual([20_000_000, 2_000_000]);
    expect(await metric('assay_payments_payers_waiting')).toEqual([1]);
  });

  test('behavior: resume also works if sales have not stopped', async () => {
    const { code, out } = await assay('resume');
    expect(code).toBe(0);
    expect(out).toBe('0 lost payments no longer count; every server sells again within seconds\n');
    expect(await metric('assay_payments_selling_stopped')).toEqual([0]);
  });

  test('error: nothing is sold', async () => {
    await server.end('SIGTERM');
    const file = join(database().config.folder, 'nothing.yaml');
    await writeFile(file, stringify(describeConfig(false)));
    const hash = `0x${'0'.repeat(64)}`;
    const refund = ['refund', `${NOBODY}:${hash}`, '--transaction', hash];
    for (const words of engine === 'postgres' ? [['report'], refund] : [['list']]) {
      expect(await runCommand(['payments', ...words, '--config', file], env())).toEqual({
        code: 2,
        out: '',
        err: `assay: ${file} has no payments section, so nothing is sold\n`,
      });
    }
    await rm(file);
  });
});

function nameOf({ payer, nonce }: SignedRequest): string {
  return `${lower(payer.address)}:${nonce}`;
}

async function until(done: () => Promise<boolean>, pauseMs = 50): Promise<void> {
  const end = performance.now() + 40_000;
  while (!(await done())) {
    if (performance.now() > end) throw new Error('still not there');
    await sleep(pauseMs);
  }
}
