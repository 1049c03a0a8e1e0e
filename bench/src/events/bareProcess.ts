import pg from 'pg';
import { answerMessages } from '../vaultApi/worker.ts';
import { micros } from './commits.ts';
import { percentile } from './latencies.ts';

// The minimum that a follower of commits can do: one SELECT of the newest row per notification.
export type BareMessage =
  | { readonly listen: string }
  | { readonly restart: true }
  | { report: true };

let latencies: number[] = [];

answerMessages(async (message: BareMessage) => {
  if ('listen' in message) await listen(message.listen);
  else if ('restart' in message) latencies = [];
  else return { p95: percentile(latencies, 0.95) };
  return {};
});

async function listen(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  let newest = 0;
  let isBusy = false;
  client.on('notification', async () => {
    if (isBusy) return;
    isBusy = true;
    const { rows } = await client.query({
      name: 'newest',
      text: 'select shares from history order by block_time desc, chain_id desc, block_number desc limit 1',
    });
    const started = Number(rows[0]?.shares ?? 0);
    if (started > newest) latencies.push((micros() - started) / 1_000);
    newest = Math.max(newest, started);
    isBusy = false;
  });
  await client.query('listen assay_events');
}
