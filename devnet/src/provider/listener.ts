import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server that can refuse connections for a while and come back on its port. */
export interface Listener {
  readonly url: string;
  /** While any reason is set, connections are refused. */
  refuse(reason: 'down' | 'restart' | 'closed', isSet: boolean): Promise<void>;
}

const RETRY_MS = 50;

export async function createListener(server: Server, host: string): Promise<Listener> {
  const reasons = new Set<string>();
  await listen(0);
  const { port } = server.address() as AddressInfo;
  let turn: Promise<void> = Promise.resolve();
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    refuse(reason, isSet) {
      if (isSet) reasons.add(reason);
      else reasons.delete(reason);
      turn = turn.then(apply);
      return turn;
    },
  };

  async function apply(): Promise<void> {
    if (reasons.size > 0) {
      if (server.listening) await stop();
      return;
    }
    while (!server.listening && reasons.size === 0) {
      // Another process may hold the port for a moment.
      await listen(port).catch(() => sleep(RETRY_MS));
    }
  }

  function listen(at: number): Promise<void> {
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(at, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  }

  /** Cuts every connection: requests in progress get no response. */
  async function stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }
}
