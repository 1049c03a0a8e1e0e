import { text } from 'node:stream/consumers';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, describe, expect, test } from 'vitest';
import { type LocalServer, sendJson, startLocalServer } from '../../test/localServer.ts';
import { typedDataOf } from '../pay/authorization.ts';
import { createRpcSigner } from './rpcSigner.ts';

const account = privateKeyToAccount(`0x${'42'.repeat(32)}`);
const TYPED = typedDataOf(
  {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: '50000',
    units: 50_000n,
    asset: `0x${'1'.repeat(40)}`,
    payTo: `0x${'2'.repeat(40)}`,
    maxTimeoutSeconds: 60,
    name: 'USD Coin',
    version: '2',
    raw: {},
  },
  {
    payer: account.address,
    nonce: `0x${'3'.repeat(64)}`,
    validBefore: 1_800_000_000,
    now: 1_799_999_000,
  },
);

let server: LocalServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Signs the JSON that it receives, as a wallet does. */
async function sign(method: string, params: readonly unknown[]): Promise<unknown> {
  expect(method).toBe('eth_signTypedData_v4');
  expect(params[0]).toBe(account.address);
  return account.signTypedData(JSON.parse(String(params[1])));
}

describe('createRpcSigner', () => {
  test('default: the signature of a wallet behind a URL is that of its key', async () => {
    server = await startLocalServer(async (request, response) => {
      const { id, method, params } = JSON.parse(await text(request));
      sendJson(response, { jsonrpc: '2.0', id, result: await sign(method, params) });
    });
    const headers = { authorization: 'Bearer x' };
    const signer = createRpcSigner({ address: account.address, rpc: server.url, headers });
    expect(signer.address).toBe(account.address);
    expect(await signer.signTypedData(TYPED)).toBe(await account.signTypedData(TYPED));
    expect(server.requests[0]!.headers.authorization).toBe('Bearer x');
  });

  test('behavior: the same with a provider (EIP-1193)', async () => {
    const signer = createRpcSigner({
      address: account.address,
      rpc: ({ method, params }) => sign(method, params),
    });
    expect(await signer.signTypedData(TYPED)).toBe(await account.signTypedData(TYPED));
  });

  test.each<[string, (server: LocalServer) => object | number]>([
    ['an error', () => ({ error: { code: 4001, message: 'no' } })],
    ['no signature', () => ({ result: null })],
    ['a redirect', () => 307],
  ])('error: %s', async (_, answer) => {
    server = await startLocalServer((_request, response) => {
      const sent = answer(server!);
      if (typeof sent === 'number') response.writeHead(sent, { location: '/elsewhere' }).end();
      else sendJson(response, { jsonrpc: '2.0', id: 1, ...sent });
    });
    const signer = createRpcSigner({ address: account.address, rpc: server.url });
    const error = await signer.signTypedData(TYPED).catch((caught) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(error.message).not.toContain(server.url);
    expect(server.requests).toHaveLength(1);
  });
});
