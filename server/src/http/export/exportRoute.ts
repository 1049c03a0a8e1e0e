import type { Config } from '../../config/config.ts';
import { COST_METHODS } from '../../domain/wallet/accounting/costMethod.ts';
import type { EventSource } from '../../export/eventPages.ts';
import { type ExportCursor, readExportCursor } from '../../export/exportCursor.ts';
import { readTable, type TableQuery } from '../../export/readTable.ts';
import { createReadPage, PUBLIC_TABLES, partsOf } from '../../export/tables.ts';
import type { ExportTable } from '../../store/exports/exportTable.ts';
import { families } from '../../store/families/families.ts';
import type { Store } from '../../store/store.ts';
import { type ParameterReader, readParameters } from '../parameters.ts';
import { BadParameters, NotFound, noSuch } from '../problem.ts';
import type { Route, RouteRequest } from '../route.ts';
import { CHAIN_ID } from '../routeParameters.ts';
import { BLOCK, exportExample, exportParameters, FORMATS } from './exportSchema.ts';
import type { ExportStreams } from './exportStreams.ts';

export interface ExportDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'engine' | 'reads'>;
  readonly events: EventSource;
  readonly streams: ExportStreams;
}

/** A page holds up the embedded database, which has one connection. */
const PAGE_ROWS = { pglite: 500, postgres: 2_000 } as const;

/** GET /v1/export/{table} */
export function exportRoute({ config, store, events, streams }: ExportDeps): Route {
  const read = createReadPage(store.reads, events);
  return {
    path: '/v1/export/{table}',
    access: 'open',
    operationId: 'exportTable',
    summary: 'Export a table',
    description:
      'Streams all rows of a table as CSV, in the order of the key columns, with which each line begins. To continue after a lost connection, pass the key of the last complete line as `cursor`. Addresses and hashes are in lower case, amounts in base units, and an empty cell is null. Rows that are committed during the export can be missing. A server streams two exports at a time, one per client address. Columns and files for analysis: `docs/export.md`.',
    tag: 'export',
    parameters: exportParameters,
    response: { type: 'string', description: 'CSV with a header.' },
    responseExample: exportExample,
    mediaType: 'text/csv',
    problems: [400, 404, 410, 429],
    maxAge: 0,
    answer: async () => exportExample,
    async stream(request, raw, response) {
      const query = await readQuery(request);
      await streams.open({ query, lines: readTable(read, query), raw, response });
    },
  };

  async function readQuery(request: RouteRequest): Promise<TableQuery> {
    const table = PUBLIC_TABLES.find(({ name }) => name === request.path.table);
    if (table === undefined) throw new NotFound(noSuch('table'));
    const { family, cursor, range, method } = readParameters(
      (parameters) => readAsked(parameters, table),
      request,
    );
    const configured = config.families.filter(
      ({ slug }) => family === undefined || slug === family,
    );
    if (configured.length === 0 && family !== undefined) throw new NotFound(noSuch('vault family'));
    const stored = await families.getAll(store.reads);
    const known = configured.flatMap(({ slug }) => stored.find((row) => row.slug === slug) ?? []);
    const ofFeed = [{ familyId: 0, slug: family ?? '' }];
    const parts = table.isLog ? ofFeed : partsOf(table, known);
    if (cursor !== undefined && !parts.some(({ slug }) => slug === cursor.family)) {
      const reason = 'is of another family; pass the filters of the first request';
      throw new BadParameters([{ parameter: 'cursor', reason }]);
    }
    return { table, families: parts, range, method, cursor, limit: PAGE_ROWS[store.engine] };
  }

  function readAsked(parameters: ParameterReader, table: ExportTable) {
    parameters.choice('format', FORMATS);
    const family = parameters.text('family');
    const range = {
      chainId: parameters.optionalInteger('chainId', CHAIN_ID),
      fromBlock: parameters.optionalInteger('from', BLOCK),
      toBlock: parameters.optionalInteger('to', BLOCK),
    };
    const hasChains = table.columns.some(({ name }) => name === 'chain_id');
    if (range.chainId !== undefined && !hasChains) {
      parameters.mistake('chainId', `cannot be used: rows of ${table.name} are of no chain`);
    }
    for (const name of ['from', 'to'] as const) {
      if (range[`${name}Block`] === undefined) continue;
      if (!table.hasBlocks) {
        parameters.mistake(name, `cannot be used: rows of ${table.name} are of no block`);
      } else if (range.chainId === undefined) {
        parameters.mistake(name, 'needs chainId: set it to the chain of the block');
      }
    }
    const method = parameters.choice('method', COST_METHODS);
    if (method !== undefined && !table.hasCosts) {
      parameters.mistake('method', `cannot be used: rows of ${table.name} have no cost`);
    }
    const cursor = readCursor(parameters, table, family);
    return { family, range, method, cursor };
  }

  function readCursor(
    parameters: ParameterReader,
    table: ExportTable,
    family: string | undefined,
  ): ExportCursor | undefined {
    const text = parameters.text('cursor');
    if (text === undefined) return undefined;
    const cursor = readExportCursor(table, text);
    const isCursor =
      cursor !== undefined && (!table.isLog || events.form.positionOf(cursor.family) !== undefined);
    if (isCursor) {
      return table.isLog ? { family: family ?? '', after: [cursor.family] } : cursor;
    }
    const key = table.columns.slice(0, table.keyLength).map(({ name }) => name);
    parameters.mistake('cursor', `must be the first cells of a line: ${key.join(',')}`);
    return undefined;
  }
}
