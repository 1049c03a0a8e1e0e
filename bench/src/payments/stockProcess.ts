import type { AddressInfo } from 'node:net';
import { x402Facilitator } from '@x402/core/facilitator';
import { x402ResourceServer } from '@x402/core/server';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme as ExactEvmFacilitator } from '@x402/evm/exact/facilitator';
import { ExactEvmScheme as ExactEvmServer } from '@x402/evm/exact/server';
import { paymentMiddleware } from '@x402/express';
import express from 'express';
import { createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { answerMessages } from '../vaultApi/worker.ts';
import { ownCpuMs, ROUTE, type SideMessage, type SideSettings, SOLD } from './paymentWorld.ts';

// The protocol's reference server and facilitator, set up as in their documentation.
let port = 0;

answerMessages<SideMessage>(async (message) => {
  if (message.kind === 'start') port = await start(message.settings);
  return { port, cpuMs: ownCpuMs() };
});

async function start({ world, key }: SideSettings): Promise<number> {
  const account = privateKeyToAccount(key);
  const client = createWalletClient({
    account,
    chain: base,
    transport: http(world.url),
  }).extend(publicActions);
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    getCode: (args) => client.getCode(args),
    readContract: (args) => client.readContract({ ...args, args: args.args ?? [] } as never),
    verifyTypedData: (args) => client.verifyTypedData(args as never),
    writeContract: (args) => client.writeContract({ ...args, args: args.args ?? [] } as never),
    sendTransaction: (args) => client.sendTransaction(args as never),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
  });
  const network = `eip155:${world.terms.chainId}` as const;
  const facilitator = new x402Facilitator().register(network, new ExactEvmFacilitator(signer));
  const resourceServer = new x402ResourceServer({
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    settle: (payload, requirements) => facilitator.settle(payload, requirements),
    getSupported: async () => facilitator.getSupported() as never,
  }).register(network, new ExactEvmServer());
  const { payTo, maxTimeoutSeconds } = world.terms;
  const accepts = { scheme: 'exact', price: '$0.05', network, payTo, maxTimeoutSeconds };
  const app = express();
  app.use(
    paymentMiddleware(
      { [`GET ${ROUTE}*`]: { accepts, description: 'A node query' } },
      resourceServer,
    ),
  );
  app.get(`${ROUTE}:nodeId`, (_request, response) => {
    response.json(SOLD);
  });
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}
