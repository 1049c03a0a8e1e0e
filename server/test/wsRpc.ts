/// <reference path="../src/chain/ws.d.ts" />
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { DevChain } from '../../devnet/src/index.ts';

/** A chain behind a WebSocket, as providers serve it: requests, batches, and new-head subscriptions. */
export interface WsRpc {
  readonly url: string;
  /** Returns the number of calls by method; each call of a batch counts. */
  calls(): Readonly<Record<string, number>>;
  /** Returns the number of connections with a subscription. */
  subscribers(): number;
  /** Sends the newest block to all subscribers. */
  announce(): Promise<void>;
  /** Closes every connection and rejects new ones until `accept`. */
  drop(): void;
  accept(): void;
  close(): Promise<void>;
}

export async function serveWs(chain: Pick<DevChain, 'handle'>): Promise<WsRpc> {
  const server = http.createServer((_, response) => response.writeHead(426).end());
  const sockets = new WebSocketServer({ server });
  const calls: Record<string, number> = {};
  const subscribed = new Map<WebSocket, string>();
  let refusing = false;
  sockets.on('connection', (socket) => {
    if (refusing) {
      socket.terminate();
      return;
    }
    socket.on('message', async (data) => {
      const text = data.toString();
      const asked = [JSON.parse(text)].flat();
      for (const { method } of asked) calls[method] = (calls[method] ?? 0) + 1;
      const [first] = asked;
      if (first.method === 'eth_subscribe') {
        const result = `0x${(subscribed.size + 1).toString(16)}`;
        subscribed.set(socket, result);
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: first.id, result }));
      } else {
        socket.send(await chain.handle(text));
      }
    });
    socket.on('close', () => subscribed.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => ({ ...calls }),
    subscribers: () => subscribed.size,
    async announce() {
      const params = ['latest', false];
      const asked = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params };
      const { result } = JSON.parse(await chain.handle(JSON.stringify(asked)));
      for (const [socket, subscription] of subscribed) {
        const message = { method: 'eth_subscription', params: { subscription, result } };
        socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
      }
    },
    drop() {
      refusing = true;
      for (const socket of sockets.clients) socket.terminate();
    },
    accept() {
      refusing = false;
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
