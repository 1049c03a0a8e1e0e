import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerMessages } from './worker.ts';

/** The minimum that Node can do: the same bytes with the same headers for every request. */
export interface BareAnswer {
  /** Alternating names and values. */
  readonly headers: string[];
  readonly body: string;
}

let headers: string[] = [];
let body: Buffer = Buffer.alloc(0);

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
const listening = new Promise<number>((resolve) => {
  server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
});

answerMessages<BareAnswer>(async (answer) => {
  headers = answer.headers;
  body = Buffer.from(answer.body, 'base64');
  return { port: await listening };
});
