import type { Connection, Submittable } from 'pg';
import { withClient } from '../postgres.ts';

/** The columns of the history as an export has them, except for the names of types. */
const ROWS = `select f.slug, h.block_time, h.chain_id, h.block_number, h.log_index, h.type, v.address, h.wallet, h.assets,
    h.shares, h.tx_hash
  from history h join family f using (family_id) join vault v using (family_id, chain_id)`;
const ORDER = 'h.block_time, h.chain_id, h.block_number, h.log_index';

/** Returns the seconds in which PostgreSQL copies the history, family by family, to a client that discards it. */
export function measureBareCopy(url: string): Promise<number> {
  return withClient(url, async (client) => {
    await client.query('set jit = off; set enable_sort = off; set enable_seqscan = off');
    const { rows } = await client.query('select family_id as id from family order by family_id');
    const start = performance.now();
    for (const { id } of rows) {
      const copy = new DiscardedCopy(
        `copy (${ROWS} where family_id = ${Number(id)} order by ${ORDER}) to stdout (format csv)`,
      );
      client.query(copy);
      await copy.done;
    }
    return (performance.now() - start) / 1_000;
  });
}

class DiscardedCopy implements Submittable {
  readonly done: Promise<void>;
  readonly #text: string;
  #resolve!: () => void;
  #reject!: (error: Error) => void;

  constructor(text: string) {
    this.#text = text;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: Connection): void {
    connection.query(this.#text);
  }

  handleCopyData(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    this.#resolve();
  }

  handleError(error: Error): void {
    this.#reject(error);
  }
}
