import { openLoadClient } from '../vaultApi/loadClient.ts';
import { answerMessages } from '../vaultApi/worker.ts';

// Sends prepared requests, and reads only the status of the response.
export interface LoadMessage {
  readonly port: number;
  readonly requests: readonly string[];
  readonly connections: number;
  /** How long to repeat all requests; absent: each once. */
  readonly seconds?: number;
}

export interface LoadAnswer {
  readonly ms: number;
  readonly count: number;
  readonly statuses: Readonly<Record<number, number>>;
}

answerMessages<LoadMessage>(async ({ port, requests, connections, seconds }) => {
  const bytes = requests.map((text) => Buffer.from(text));
  const clients = await Promise.all(
    Array.from({ length: connections }, () => openLoadClient(port)),
  );
  const statuses: Record<number, number> = {};
  const began = performance.now();
  const end = seconds === undefined ? Number.POSITIVE_INFINITY : began + seconds * 1000;
  let next = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end && (seconds !== undefined || next < bytes.length)) {
        const { status } = await client.send(bytes[next++ % bytes.length]!);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }),
  );
  const ms = performance.now() - began;
  for (const client of clients) client.close();
  return { ms, count: next, statuses };
});
