import { answerMessages } from '../vaultApi/worker.ts';
import { createMeter } from './meter.ts';

// Reads page after page, alternating between both ways, and reports the CPU of each.
export interface ReadMessage {
  readonly url: string;
  readonly count: number;
}

export interface ReadAnswer {
  /** CPU per read, in milliseconds. */
  readonly client: number;
  readonly fetch: number;
}

type Read = (turn: number) => Promise<unknown>;
let reads: { readonly client: Read; readonly fetch: Read } | undefined;
/** Each request has its own URL, so that no cache helps. */
let turn = 0;

answerMessages<ReadMessage>(async ({ url, count }): Promise<ReadAnswer> => {
  reads ??= { client: await clientRead(url), fetch: fetchRead(url) };
  const { client, fetch } = reads;
  return createMeter({ client: () => client(turn++), fetch: () => fetch(turn++) }).run(count);
});

async function clientRead(url: string): Promise<Read> {
  const built = new URL('../../../client/dist/index.js', import.meta.url);
  const { createClient, getHistory } = await import(built.href);
  const client = createClient({ url });
  return (i) => getHistory(client, { family: 'svcusd', cursor: `${i}` });
}

function fetchRead(url: string): Read {
  return async (i) => {
    const response = await fetch(`${url}/v1/history?family=svcusd&cursor=${i}`);
    return JSON.parse(await response.text());
  };
}
