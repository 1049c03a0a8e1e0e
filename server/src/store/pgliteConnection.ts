import type { Answer, PgliteThread } from './pgliteThread.ts';
import { statementFault } from './postgresFault.ts';
import type { Param, Statement } from './store.ts';
import type { Connection } from './transact.ts';
import { paramText, readerOf } from './wire.ts';

/** The one connection that PGlite has. */
export function createPgliteConnection(thread: PgliteThread): Connection {
  async function query<Row>(statement: Statement, params: readonly Param[] = []): Promise<Row[]> {
    const { name, text } = statement;
    const request = { kind: 'run', name, text, params: params.map(paramText) } as const;
    return readRows(await checked(name, thread.send(request))) as Row[];
  }

  return {
    query,
    async queryAll(queries) {
      let failure: Error | undefined;
      for (const { statement, params, resolve, reject } of queries) {
        if (failure === undefined) {
          await query(statement, params).then(resolve, (error: Error) => {
            failure = error;
          });
        }
        if (failure !== undefined) reject(failure);
      }
      return undefined;
    },
    async exec(text) {
      const answer = await checked('exec', thread.send({ kind: 'exec', text }));
      return { rows: readRows(answer), tag: answer.tag };
    },
  };
}

async function checked(name: string, answer: Promise<Answer>): Promise<Answer> {
  const received = await answer;
  if (received.error) throw statementFault(name, received.error);
  return received;
}

function readRows({ fields, values }: Answer): Record<string, unknown>[] {
  const readers = fields.map(({ oid }) => readerOf(oid));
  const rows: Record<string, unknown>[] = [];
  for (let at = 0; at < values.length; at += fields.length) {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < fields.length; i++) {
      const text = values[at + i]!;
      row[fields[i]!.name] = text === null ? null : readers[i]!(text);
    }
    rows.push(row);
  }
  return rows;
}
