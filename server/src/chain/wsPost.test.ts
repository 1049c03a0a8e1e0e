/// <reference path="./ws.d.ts" />
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { createWsPost } from './wsPost.ts';

// A rejection of an entire batch has no ID either, so the pending request gets such a message as its response.
test.each(['null', 'true', '7', '"text"', '[]', '[null]', '{}'])(
  'error: a message that is not a response: %s',
  async (message) => {
    const server = http.createServer();
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket) => {
      socket.on('message', () => {
        socket.send(message);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const options = { timeoutMs: 5_000, maxBodyBytes: 1_000, sockets: 1 };
    const post = createWsPost({ url: `ws://127.0.0.1:${port}`, ...options });
    onTestFinished(async () => {
      post.close();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      await new Promise((resolve) => server.close(resolve));
    });
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] };
    const { body } = await post.send(JSON.stringify(call), undefined);
    expect(body).toBe(message);
  },
);
