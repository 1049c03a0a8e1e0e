import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createStockFacilitator, type StockFacilitator } from '../../test/stockFacilitator.ts';
import { parseConfig } from '../config/load.ts';
import { examineFacilitator } from './examineFacilitator.ts';

const ACCOUNT = `0x${'a1'.repeat(20)}`;
const KEY = `0x${'11'.repeat(32)}` as const;

describe('examineFacilitator', () => {
  let service: StockFacilitator;
  beforeAll(async () => {
    // The supported kinds are requested, which needs no RPC endpoint.
    service = await createStockFacilitator({ rpcUrl: 'http://127.0.0.1:9', key: KEY });
  });
  afterAll(() => service?.close());

  function examine(facilitator: object, chain = 8453) {
    const text = stringify({
      chains: [{ id: chain, name: 'base', rpc: [] }],
      families: [],
      payments: { chain, asset: ACCOUNT, payTo: ACCOUNT, facilitator },
    });
    return examineFacilitator(parseConfig({ file: 'assay.yaml', text, env: {} }).payments);
  }

  test('default', async () => {
    expect(await examine({ url: service.url })).toEqual([
      { ok: true, text: 'facilitator: the service settles on chain 8453' },
    ]);
  });

  test('behavior: no lines without payments, or with an embedded facilitator', async () => {
    expect(await examineFacilitator(undefined)).toEqual([]);
    expect(await examine({ keys: [KEY] })).toEqual([]);
  });

  test('error: a service for other chains', async () => {
    expect(await examine({ url: service.url }, 10)).toEqual([
      {
        ok: false,
        text: 'payments.facilitator.url: the service settles no "exact" payments on chain 10; name one that does, or use your own keys',
      },
    ]);
  });

  test('error: no service at the URL, and another service', async () => {
    for (const url of ['http://127.0.0.1:9', `${service.url}/elsewhere`]) {
      expect(await examine({ url })).toEqual([
        {
          ok: false,
          text: 'payments.facilitator.url: it does not return what it supports, as a facilitator does; correct the URL and its credentials, and check that the service is up',
        },
      ]);
    }
  });

  test('error: a program that gives no headers', async () => {
    const [line] = await examine({ url: service.url, headersCommand: ['/bin/false'] });
    expect(line).toMatchObject({ ok: false });
    expect(line!.text).toMatch(
      /^payments\.facilitator\.headersCommand ends with exit code 1: run it by hand/,
    );
  });
});
