import type { RiskRecord, RiskSource } from '../../domain/risk/record.ts';
import {
  createSourceNames,
  isObject,
  type MapContext,
  type SourceNames,
} from '../lists/defillama/item.ts';
import { findList, LISTS } from '../lists/index.ts';
import { type RiskList, sourceOfList } from '../lists/list.ts';
import { readCuratedDocument } from './curated.ts';
import { ImportTooLarge, MAX_ENTRIES } from './importRefused.ts';
import { type JsonLimits, type Place, readJsonItems } from './jsonItems.ts';
import type { ImportReport } from './report.ts';

export type OpenDocument = () => AsyncIterable<Uint8Array>;

export interface ReadOptions {
  readonly source: RiskSource;
  /** The source's documents, most important first; each may be opened repeatedly. */
  readonly open: OpenDocument | readonly OpenDocument[];
  /** Their names, for messages. */
  readonly files?: readonly string[];
  /**
   * Nodes of the sources before this one. Its own earlier nodes are excluded, so that repeating an import gives the
   * same result.
   */
  readonly known: { has(id: string): boolean };
  /** Unix seconds. */
  readonly now: number;
  readonly report: ImportReport;
  /** Protocols by the names that other lists use; the list of protocols adds to it. */
  readonly names?: SourceNames;
  readonly limits?: Partial<JsonLimits>;
}

/** Sources in an order in which each finds the nodes that it references. */
export const IMPORT_ORDER: readonly RiskSource[] = [
  'catalogue',
  'curated',
  ...LISTS.map(sourceOfList),
];

/** The nodes of families come from the store, not from a document. */
export class SourceHasNoDocuments extends Error {
  override readonly name = 'SourceHasNoDocuments';

  constructor(source: string) {
    super(`the source ${source} is not read from files; name one of ${IMPORT_ORDER.join(', ')}`);
  }
}

/**
 * Reads a source record by record; each id once. Every item of its documents yields a record, or a reason in the
 * report. Nodes that are only referenced come last, and only if no earlier source has them.
 */
export async function* readRiskSource(options: ReadOptions): AsyncGenerator<RiskRecord> {
  const { source, known, report } = options;
  const documents = typeof options.open === 'function' ? [options.open] : options.open;
  const counts = report.of(source);
  const seen = new Set<string>();
  const spokenOf = new Map<string, RiskRecord>();

  if (source === 'curated' || source === 'catalogue') {
    for (const [index, open] of documents.entries()) {
      for (const record of await readCuratedDocument(open(), options.files?.[index])) {
        counts.read++;
        yield* keep([record], record.node.facts.name);
      }
    }
    return;
  }

  const list = findList(source);
  if (list === undefined) throw new SourceHasNoDocuments(source);
  const context = { ...options, names: options.names ?? createSourceNames(), note: () => {} };
  await learn(list, documents, context);
  yield* readItems(list);
  for (const record of spokenOf.values()) {
    if (seen.has(record.node.id) || known.has(record.node.id)) continue;
    counts.made++;
    yield* emit(record);
  }

  async function* readItems({ map, join, sum }: RiskList): AsyncGenerator<RiskRecord> {
    /** Lists that join records return them after the last item. */
    const joined = new Map<string, RiskRecord>();
    for await (const { value, place, where } of items()) {
      const mapped = map(value, place.key, noting(where));
      if ('skip' in mapped) {
        report.skip(source, mapped.skip, where);
        continue;
      }
      if (join === undefined) yield* keep(mapped.records, where);
      else {
        counts.kept++;
        for (const record of mapped.records) {
          const held = joined.get(record.node.id);
          joined.set(record.node.id, held === undefined ? record : join(held, record));
        }
      }
      for (const record of mapped.spokenOf ?? []) {
        if (!spokenOf.has(record.node.id)) spokenOf.set(record.node.id, record);
      }
    }
    for (const record of joined.values()) yield* emit(record);
    // Sums over a damaged list would be wrong, so the stored values are kept.
    if (counts.broken > 0 || sum === undefined) return;
    for (const record of sum(context)) {
      if (!known.has(record.node.id)) counts.made++;
      yield* emit(record);
    }
  }

  async function* items() {
    for (const open of documents) {
      for await (const item of readJsonItems(open(), options.limits)) {
        counts.read++;
        if (counts.read > MAX_ENTRIES) throw new ImportTooLarge(source, MAX_ENTRIES);
        if (item.kind === 'fault') report.skipBroken(source, item.what, faultPlace(item.place));
        else yield { ...item, where: placeText(item.place, item.value) };
      }
    }
  }

  function noting(where: string): MapContext {
    function note(what: string, detail?: string): void {
      report.notice(source, what, detail === undefined ? where : `${detail} in ${where}`);
    }
    return { ...context, note };
  }

  /** The first of two records with one id counts. */
  function* keep(records: readonly RiskRecord[], where: string): Generator<RiskRecord> {
    const fresh = records.filter(({ node }) => !seen.has(node.id));
    if (fresh.length === 0) {
      report.skip(source, 'another item has its id', `${records[0]?.node.id ?? ''} ${where}`);
      return;
    }
    if (fresh.length < records.length) {
      report.notice(source, 'an address of it belongs to another item', where);
    }
    counts.kept++;
    for (const record of fresh) yield* emit(record);
  }

  function* emit(record: RiskRecord): Generator<RiskRecord> {
    seen.add(record.node.id);
    if (known.has(record.node.id)) counts.joined++;
    else counts.created++;
    yield record;
  }
}

/** The first pass, for values that an item needs from later items. */
async function learn(
  { learn }: RiskList,
  documents: readonly OpenDocument[],
  context: MapContext & Pick<ReadOptions, 'limits' | 'source'>,
): Promise<void> {
  if (learn === undefined) return;
  const learnItem = learn(context);
  let read = 0;
  for (const open of documents) {
    for await (const item of readJsonItems(open(), context.limits)) {
      if (++read > MAX_ENTRIES) throw new ImportTooLarge(context.source, MAX_ENTRIES);
      if (item.kind !== 'fault') learnItem(item.value);
    }
  }
}

function placeText({ index, key, at }: Place, value: unknown): string {
  const named = isObject(value) ? (value.name ?? value.symbol ?? value.pool) : undefined;
  const name = key ?? (typeof named === 'string' ? named : 'an item');
  return `${name.slice(0, 60)} (#${index}, byte ${at})`;
}

function faultPlace({ index, key, at, faultAt }: Place): string {
  const name = key === undefined ? '' : `${key.slice(0, 60)} `;
  return `${name}#${index}, byte ${at}${faultAt === undefined ? '' : ` to ${faultAt}`}`;
}
