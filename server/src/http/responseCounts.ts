import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** How many answers a server has given, probes aside, by the first digit of their status. */
export interface ResponseCounts {
  watch(server: Server): void;
  read(): { readonly status: string; readonly value: number }[];
  stop(): void;
}

interface Finished {
  readonly server: Server;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Node's own word that an answer is out: the framework's hooks do not see those that pass it by. */
const CHANNEL = 'http.server.response.finish';
const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;

export function createResponseCounts(): ResponseCounts {
  const counts = CLASSES.map(() => 0);
  let watched: Server | undefined;
  subscribe(CHANNEL, count);
  return {
    watch(server) {
      watched = server;
    },
    read: () => CLASSES.map((status, i) => ({ status, value: counts[i]! })),
    stop: () => {
      unsubscribe(CHANNEL, count);
    },
  };

  function count(message: unknown): void {
    const { server, request, response } = message as Finished;
    // What a balancer asks all the time would hide what clients get, and a 503 there is no error.
    if (server !== watched || request.url?.startsWith('/health/')) return;
    const at = Math.floor(response.statusCode / 100) - 2;
    if (counts[at] !== undefined) counts[at]++;
  }
}
