import type { Answered } from './postgresClient.ts';
import { queryFault } from './postgresFault.ts';
import type { Call } from './preparedCalls.ts';
import type { Param, Queryable, Statement } from './store.ts';
import { paramText } from './wire.ts';

/** Reads of one moment go out together. */
const TOGETHER = 4;

interface Waiting extends Call {
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * While others are under way, sends the reads that come in one turn of the event loop in few packets: under load a
 * packet costs more than the reading. One that comes alone waits for nothing. Those behind one that fails are asked
 * again, each by itself.
 */
export function gatherReads(run: (calls: readonly Call[]) => Promise<Answered>): Queryable {
  let waiting: Waiting[] = [];
  let underWay = 0;
  return { query };

  function query<Row>(statement: Statement, params: readonly Param[] = []): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const values = params.map(paramText);
      waiting.push({ statement, values, resolve: resolve as Waiting['resolve'], reject });
      if (underWay === 0) sendAll();
      else if (waiting.length === 1) setImmediate(sendAll);
    });
  }

  function sendAll(): void {
    const all = waiting;
    waiting = [];
    for (let i = 0; i < all.length; i += TOGETHER) void send(all.slice(i, i + TOGETHER));
  }

  async function send(calls: readonly Waiting[]): Promise<void> {
    underWay++;
    const { answers, error } = await run(calls).catch((error) => ({ answers: [], error }));
    underWay--;
    for (const [i, call] of calls.entries()) {
      const answer = answers[i];
      if (Array.isArray(answer)) call.resolve(answer);
      else if (answer !== undefined || i === answers.length) {
        call.reject(queryFault(call.statement.name, answer ?? error));
      } else void send([call]);
    }
  }
}
