import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFaultyRpc, type FaultyRpc } from '../../test/faultyRpc.ts';
import { paymentsConfig } from '../../test/paidServer.ts';
import { createTokenChain, type TokenChain } from '../../test/tokenChain.ts';
import { createLog } from '../cli/log.ts';
import type { ChainConfig, PaymentsConfig } from '../config/config.ts';
import { PaymentSettingsWrong, testPaymentSettings } from './paymentSettings.ts';

let chain: TokenChain;
let proxy: FaultyRpc;
beforeAll(async () => {
  chain = await createTokenChain({ payers: 0 });
  proxy = await createFaultyRpc({ target: chain.url });
});
afterAll(async () => {
  await proxy?.close();
  await chain?.close();
});

function start(changes: Partial<PaymentsConfig> = {}, rpcUrls: readonly string[] = [proxy.url]) {
  const lines: { level: string; msg: string; fault?: string; note?: string }[] = [];
  const log = createLog({
    level: 'info',
    stream: { write: (line: string) => lines.push(JSON.parse(line)) },
  });
  const place: ChainConfig = {
    chainId: 8453,
    name: 'base',
    rpcUrls,
    finality: 'finalized',
    pollSeconds: 1,
    timeoutSeconds: 5,
    logRange: 1_000,
    concurrency: 1,
    multicall: chain.multicall,
  };
  const payments = paymentsConfig(chain, changes);
  return { lines, tested: testPaymentSettings({ payments, chain: place, log, againMs: 20 }) };
}

describe('testPaymentSettings', () => {
  test('default: reports nothing for correct settings', async () => {
    const { lines, tested } = start();
    (await tested).stop();
    expect(lines).toEqual([]);
  });

  test('error: reports all mistakes at once, each with its fix', async () => {
    const { tested } = start({ assetName: 'USDC', payTo: `0x${'0'.repeat(40)}` });
    const error = await tested.catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(PaymentSettingsWrong);
    expect((error as Error).message.split('\n')).toEqual([
      'payments do not work as configured:',
      expect.stringMatching(
        /^payments\.assetName: .*; set assetName: "USD Coin" and assetVersion: "2"$/,
      ),
      expect.stringMatching(/^payments\.payTo: is the zero address.*; name one of your accounts$/),
    ]);
  });

  test('error: a chain without a URL', async () => {
    await expect(start({}, []).tested).rejects.toThrow('chain 8453 has no RPC URL');
  });

  test('behavior: a missing gas balance is only a warning', async () => {
    const facilitator = {
      kind: 'embedded',
      keys: [`0x${'77'.repeat(32)}`],
      maxFeePerGas: 1n,
      lowBalance: 0n,
      factories: [],
    } as const;
    const { lines, tested } = start({ facilitator });
    (await tested).stop();
    expect(lines).toMatchObject([{ note: expect.stringMatching(/has no gas balance/) }]);
  });

  test('behavior: settings are checked once the chain responds, and errors are logged', async () => {
    await proxy.mode({ kind: 'dead' });
    const { lines, tested } = start({ assetVersion: '1' });
    const test = await tested;
    expect(lines.map(({ msg }) => msg)).toEqual([
      'the payment settings could not be checked, because their chain does not respond; they are checked once it does',
    ]);
    await proxy.mode({ kind: 'none' });
    await expect.poll(() => lines.length).toBe(2);
    expect(lines[1]).toMatchObject({ level: 'error', msg: 'payments do not work as configured' });
    expect(lines[1]!.fault).toContain('set assetName: "USD Coin" and assetVersion: "2"');
    test.stop();
  });
});
