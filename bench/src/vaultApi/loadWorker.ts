import { createRandom } from '../random.ts';
import type { LoadJob, LoadResult } from './load.ts';
import { type LoadClient, openLoadClient, requestBytes } from './loadClient.ts';
import { summarise } from './summary.ts';
import { answerMessages } from './worker.ts';

/** Connections are reused for the next job, as clients do. A server closes idle connections. */
const KEPT_MS = 1_000;
let kept: { readonly client: LoadClient; readonly port: number; readonly since: number }[] = [];

answerMessages<LoadJob>(run);

async function takeClient(port: number): Promise<LoadClient> {
  const oldest = performance.now() - KEPT_MS;
  for (const { client } of kept.filter(({ since }) => since < oldest)) client.close();
  kept = kept.filter(({ since }) => since >= oldest);
  const found = kept.findIndex((one) => one.port === port);
  return found === -1 ? openLoadClient(port) : kept.splice(found, 1)[0]!.client;
}

async function run(job: LoadJob): Promise<LoadResult> {
  const { port, encoding, paths, connections, seconds } = job;
  const requests = paths.map((path) => requestBytes(port, path, encoding));
  const random = createRandom(job.seed ?? 1);
  const latencies: number[] = [];
  const failures = new Map<string, number>();
  const began = performance.now();
  const end = seconds === undefined ? Number.POSITIVE_INFINITY : began + seconds * 1000;
  let next = 0;

  /** Returns each path once and in order, or random paths until the time is over. */
  function draw(): number | undefined {
    if (seconds === undefined) return next < requests.length ? next++ : undefined;
    if (performance.now() >= end) return undefined;
    return requests.length === 1 ? 0 : random.below(requests.length);
  }

  function failed(index: number, what: string): void {
    const key = `${what} for ${paths[index]!.split('?')[0]}`;
    failures.set(key, (failures.get(key) ?? 0) + 1);
  }

  async function drive(): Promise<void> {
    let client = await takeClient(port);
    for (let index = draw(); index !== undefined; index = draw()) {
      const sent = performance.now();
      try {
        const { status } = await client.send(requests[index]!);
        if (status !== 200) failed(index, `status ${status}`);
      } catch (error) {
        failed(index, (error as Error).message);
        client.close();
        client = await openLoadClient(port);
      }
      latencies.push(performance.now() - sent);
    }
    kept.push({ client, port, since: performance.now() });
  }

  await Promise.all(Array.from({ length: connections }, drive));
  const ms = performance.now() - began;
  return { ms, ...summarise(latencies), failures: Object.fromEntries(failures) };
}
