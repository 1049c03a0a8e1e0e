import { runOnServer } from '../cli/adminClient.ts';
import type { Config } from '../config/config.ts';
import { EventsGone } from '../domain/events/event.ts';
import type { ExportReader } from '../export/exportFolder.ts';
import { createReadPage } from '../export/tables.ts';
import { createEventFeed } from '../http/events/eventFeed.ts';
import { eventWire } from '../http/events/eventWire.ts';
import { loadCursorKey } from '../http/vault/cursor.ts';
import { exportState } from '../store/exports/exportState.ts';
import type { PageQuery } from '../store/exports/exportTable.ts';
import type { Store } from '../store/store.ts';
import type { StoreCommand, StoreContext } from './storeCommand.ts';

/** A call of an ExportReader, as it is sent to a running server. */
type ExportCall =
  | { readonly call: 'readPage'; readonly table: string; readonly query: PageQuery }
  | { readonly call: 'readState' }
  | { readonly call: 'findChanges'; readonly cursor: string };

/** Reads the primary: a replica could be behind the state that was read before. */
export async function createExportReader(config: Config, store: Store): Promise<ExportReader> {
  const form = eventWire(await loadCursorKey(store));
  const feed = createEventFeed({
    ...{ config, store: { reads: store }, onCommit: () => () => undefined },
  });
  return {
    readPage: createReadPage(store, { feed, form }),
    async readState() {
      // First: what is committed in between counts as changed.
      const cursor = form.cursorOf(await feed.head());
      return { cursor, families: await exportState.getFamilies(store, config.families) };
    },
    async findChanges(cursor) {
      const position = form.positionOf(cursor);
      if (position === undefined) return undefined;
      // Before the position is validated: what is pruned in between would be missing.
      const changes = await exportState.getPastChanges(store, position.batch);
      try {
        await feed.read(position, {}, 1);
      } catch (error) {
        if (error instanceof EventsGone) return undefined;
        throw error;
      }
      return changes;
    },
  };
}

/** Readers of the store of a running server: a call is answered with one line. */
const readers = new WeakMap<Store, Promise<ExportReader>>();

export const exportRead: StoreCommand<ExportCall> = {
  name: 'export read',
  async runOn({ config, store }: StoreContext, asked, print) {
    const known = readers.get(store) ?? createExportReader(config, store);
    readers.set(store, known);
    print(JSON.stringify({ result: await answer(await known, asked) }));
    return 0;
  },
};

function answer(reader: ExportReader, asked: ExportCall): Promise<unknown> {
  switch (asked.call) {
    case 'readPage':
      return reader.readPage(asked.table, asked.query);
    case 'readState':
      return reader.readState();
    case 'findChanges':
      return reader.findChanges(asked.cursor);
  }
}

/** The server ended an export; it printed why. */
export class ExportReadFailed extends Error {
  override readonly name = 'ExportReadFailed';
  /** As the server described it. */
  readonly safeText: string;

  constructor(text: string) {
    super(text);
    this.safeText = text.replace(/^assay: /, '');
  }
}

/** Reads the store of the server that uses the folder. */
export function createRemoteReader(server: {
  readonly folder: string;
  readonly pid: number;
}): ExportReader {
  return {
    readPage: (table, query) => ask({ call: 'readPage', table, query }),
    readState: () => ask({ call: 'readState' }),
    findChanges: (cursor) => ask({ call: 'findChanges', cursor }),
  };

  async function ask<T>(args: ExportCall): Promise<T> {
    let line = '';
    let failure = '';
    const exitCode = await runOnServer({
      ...{ ...server, name: exportRead.name, args },
      print: (text) => {
        line = text;
      },
      printError: (text) => {
        failure = text;
      },
    });
    if (exitCode !== 0) throw new ExportReadFailed(failure);
    return (JSON.parse(line) as { result: T }).result;
  }
}
