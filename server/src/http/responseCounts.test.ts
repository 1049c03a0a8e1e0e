import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createResponseCounts } from './responseCounts.ts';

const servers: Server[] = [];
let urls: string[];
beforeEach(async () => {
  for (let i = 0; i < 2; i++) {
    const server = createServer((request, response) => {
      response.statusCode = Number(request.url!.split('/').at(-1));
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
  }
  urls = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

test('default: answers of one server to who is no probe, by class', async () => {
  const counts = createResponseCounts();
  counts.watch(servers[0]!);
  for (const status of [200, 204, 304, 402, 404, 503]) await fetch(`${urls[0]}/${status}`);
  await fetch(`${urls[0]}/health/503`);
  await fetch(`${urls[1]}/500`);
  const expected = [
    { status: '2xx', value: 2 },
    { status: '3xx', value: 1 },
    { status: '4xx', value: 2 },
    { status: '5xx', value: 1 },
  ];
  expect(counts.read()).toEqual(expected);
  counts.stop();
  await fetch(`${urls[0]}/200`);
  expect(counts.read()).toEqual(expected);
});
