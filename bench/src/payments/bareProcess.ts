import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerMessages } from '../vaultApi/worker.ts';
import { ownCpuMs } from './paymentWorld.ts';

// The minimum that Node can do: the same 402 for every request.
export interface BareMessage {
  readonly kind: 'start' | 'usage';
  /** Alternating names and values, without the headers that node:http adds. */
  readonly headers?: string[];
  readonly body?: string;
}

let headers: string[] = [];
let body: Buffer = Buffer.alloc(0);
const server = createServer((_request, response) => {
  response.writeHead(402, headers);
  response.end(body);
});
const listening = new Promise<number>((resolve) => {
  server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
});

answerMessages<BareMessage>(async (message) => {
  if (message.kind === 'start') {
    headers = message.headers!;
    body = Buffer.from(message.body!, 'base64');
  }
  return { port: await listening, cpuMs: ownCpuMs() };
});
