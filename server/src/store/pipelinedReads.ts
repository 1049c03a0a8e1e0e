import { type Answered, rowsOf } from './postgresClient.ts';
import { queryFault } from './postgresFault.ts';
import type { Call } from './preparedCalls.ts';
import type { Param, Queryable, Statement } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';
import { paramText } from './wire.ts';

/** Maximum calls per packet: more save little, and each waits for all. */
const TOGETHER = 4;

interface Waiting extends Call {
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads through `run`. While others are in flight, brief reads that start in one turn of the event loop share a few
 * packets, because under load a packet costs more than such a read. A single read is sent at once. Reads behind a
 * rejected one are sent again, one by one.
 */
export function pipelineReads(run: (calls: readonly Call[]) => Promise<Answered>): Queryable {
  let waiting: Waiting[] = [];
  let inFlight = 0;
  return { query };

  function query<Row>(statement: Statement, params: readonly Param[] = []): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const values = params.map(paramText);
      const call = { statement, values, resolve: resolve as Waiting['resolve'], reject };
      if (!statement.brief || inFlight === 0) return void send([call]);
      waiting.push(call);
      if (waiting.length === 1) setImmediate(sendWaiting);
    });
  }

  function sendWaiting(): void {
    const all = waiting;
    waiting = [];
    for (let i = 0; i < all.length; i += TOGETHER) void send(all.slice(i, i + TOGETHER));
  }

  async function send(calls: readonly Waiting[]): Promise<void> {
    inFlight++;
    const { answers, error, sent } = await run(calls);
    inFlight--;
    // Without a response from the database, a second attempt would only wait again.
    const asksAgain = sent && !(error instanceof StoreUnavailable);
    for (const [i, { statement, resolve, reject }] of calls.entries()) {
      const answer = answers[i];
      try {
        if (answer !== undefined) resolve(rowsOf(answer));
        else if (asksAgain && i > answers.length) void send([calls[i]!]);
        else reject(queryFault(statement.name, error));
      } catch (unreadable) {
        reject(unreadable);
      }
    }
  }
}
