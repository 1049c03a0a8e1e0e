import http from 'node:http';
import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, publicActions, http as transport } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import type { Hex } from '../src/domain/hex.ts';
import { listenOnLoopback, stopServer } from './loopbackServer.ts';

/** The protocol's own facilitator over HTTP, assembled as its documentation shows. */
export interface StockFacilitator {
  readonly url: string;
  close(): Promise<void>;
}

interface Body {
  readonly paymentPayload: PaymentPayload;
  readonly paymentRequirements: PaymentRequirements;
}

export async function createStockFacilitator(options: {
  readonly rpcUrl: string;
  readonly key: Hex;
}): Promise<StockFacilitator> {
  const facilitator = new x402Facilitator().register(
    'eip155:8453',
    new ExactEvmScheme(signer(options.rpcUrl, options.key)),
  );
  const server = http.createServer((request, response) => {
    answer(request).then(
      (body) => end(response, 200, body),
      (error: Error) => end(response, 500, { error: error.message }),
    );
  });
  const port = await listenOnLoopback(server, 0);
  return { url: `http://127.0.0.1:${port}`, close: () => stopServer(server) };

  async function answer(request: http.IncomingMessage): Promise<unknown> {
    if (request.url === '/supported') return facilitator.getSupported();
    const text = Buffer.concat(await request.toArray()).toString();
    const { paymentPayload, paymentRequirements } = JSON.parse(text) as Body;
    if (request.url === '/verify') return facilitator.verify(paymentPayload, paymentRequirements);
    return facilitator.settle(paymentPayload, paymentRequirements);
  }
}

function signer(rpcUrl: string, key: Hex) {
  const account = privateKeyToAccount(key);
  const client = createWalletClient({
    account,
    chain: base,
    transport: transport(rpcUrl),
    pollingInterval: 50,
  }).extend(publicActions);
  return toFacilitatorEvmSigner({
    address: account.address,
    getCode: (args) => client.getCode(args),
    readContract: (args) => client.readContract({ ...args, args: args.args ?? [] } as never),
    verifyTypedData: (args) => client.verifyTypedData(args as never),
    writeContract: (args) => client.writeContract({ ...args, args: args.args ?? [] } as never),
    sendTransaction: (args) => client.sendTransaction(args as never),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
  });
}

function end(response: http.ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
