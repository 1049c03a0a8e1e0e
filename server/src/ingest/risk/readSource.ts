import type { Incident } from '../../domain/risk/graph.ts';
import type { RiskRecord, RiskSource } from '../../domain/risk/record.ts';
import { readCuratedDocument } from './curated.ts';
import { mapChain } from './defillama/chains.ts';
import { incidentsRecord, mapHack } from './defillama/hacks.ts';
import {
  createSourceNames,
  isObject,
  type MapContext,
  type Mapped,
  type SourceNames,
} from './defillama/item.ts';
import { learnPools, mapPool } from './defillama/pools.ts';
import { learnProtocol, mapProtocol } from './defillama/protocols.ts';
import { mapStablecoin } from './defillama/stablecoins.ts';
import { ImportTooLarge, MOST_ENTRIES } from './importRefused.ts';
import { type JsonLimits, type Place, readJsonItems } from './jsonItems.ts';
import type { ImportReport } from './report.ts';

export type OpenDocument = () => AsyncIterable<Uint8Array>;

export interface ReadOptions {
  readonly source: RiskSource;
  /** The source's documents, the weightier first; each may be opened more than once. */
  readonly open: OpenDocument | readonly OpenDocument[];
  /** Their names, for messages. */
  readonly files?: readonly string[];
  /** The nodes of the sources before it: not its own of before, so that importing again gives the same. */
  readonly known: { has(id: string): boolean };
  /** Unix seconds. */
  readonly now: number;
  readonly report: ImportReport;
  /** What is known of the protocols by other lists' names for them; the list of protocols adds to it. */
  readonly names?: SourceNames;
  readonly limits?: Partial<JsonLimits>;
}

/** Sources in the order in which each finds what it points to. */
export const IMPORT_ORDER = [
  'catalogue',
  'curated',
  'defillama-chains',
  'defillama-protocols',
  'defillama-stablecoins',
  'defillama-pools',
  'defillama-hacks',
] as const satisfies readonly RiskSource[];

/** The families' nodes come from the store, not from a document. */
export class SourceHasNoDocuments extends Error {
  override readonly name = 'SourceHasNoDocuments';

  constructor(source: string) {
    super(`the source ${source} is not read from files; name one of ${IMPORT_ORDER.join(', ')}`);
  }
}

/**
 * What a source says, record by record; each id once. Every item of its documents gives a record or a reason in the
 * report. Nodes that are only pointed to come last, and only when no source before this one knows them.
 */
export async function* readRiskSource(options: ReadOptions): AsyncGenerator<RiskRecord> {
  const { source, known, report } = options;
  const documents = typeof options.open === 'function' ? [options.open] : options.open;
  const counts = report.of(source);
  const seen = new Set<string>();
  const spokenOf = new Map<string, RiskRecord>();

  if (source === 'families') throw new SourceHasNoDocuments(source);
  if (source === 'curated' || source === 'catalogue') {
    for (const [index, open] of documents.entries()) {
      for (const record of await readCuratedDocument(open(), options.files?.[index])) {
        counts.read++;
        yield* keep([record], record.node.facts.name);
      }
    }
    return;
  }

  const context = { ...options, names: options.names ?? createSourceNames(), note: () => {} };
  await learn(source, documents, context);
  yield* source === 'defillama-hacks' ? readHacks() : readItems();
  for (const record of spokenOf.values()) {
    if (seen.has(record.node.id) || known.has(record.node.id)) continue;
    counts.made++;
    yield* emit(record);
  }

  async function* readItems(): AsyncGenerator<RiskRecord> {
    for await (const { value, place, where } of items()) {
      const mapped = mapItem(value, place, where);
      if ('skip' in mapped) {
        report.skip(source, mapped.skip, where);
        continue;
      }
      yield* keep(mapped.records, where);
      for (const record of mapped.spokenOf ?? []) {
        if (!spokenOf.has(record.node.id)) spokenOf.set(record.node.id, record);
      }
    }
  }

  /** Several hacks of one protocol are one record: they wait until all are read. */
  async function* readHacks(): AsyncGenerator<RiskRecord> {
    const found = new Map<string, { name: string; incidents: Incident[] }>();
    for await (const { value, where } of items()) {
      const mapped = mapHack(value, noting(where));
      if ('skip' in mapped) {
        report.skip(source, mapped.skip, where);
        continue;
      }
      counts.kept++;
      const { incidents } = found.get(mapped.slug) ?? { incidents: [] };
      found.set(mapped.slug, { name: mapped.name, incidents: [...incidents, mapped.incident] });
    }
    for (const [slug, { name, incidents }] of found) {
      yield* emit(incidentsRecord(slug, name, incidents));
    }
  }

  async function* items() {
    for (const open of documents) {
      for await (const item of readJsonItems(open(), options.limits)) {
        counts.read++;
        if (counts.read > MOST_ENTRIES) throw new ImportTooLarge(source, MOST_ENTRIES);
        if (item.kind === 'fault') report.skipBroken(source, item.what, faultPlace(item.place));
        else yield { ...item, where: placeText(item.place, item.value) };
      }
    }
  }

  function mapItem(value: unknown, place: Place, where: string): Mapped {
    const noted = noting(where);
    if (source === 'defillama-chains') return mapChain(value, place.key, noted);
    if (source === 'defillama-pools') return mapPool(value, noted);
    if (source === 'defillama-stablecoins') return mapStablecoin(value, noted);
    return mapProtocol(value, noted);
  }

  function noting(where: string): MapContext {
    function note(what: string, detail?: string): void {
      report.notice(source, what, detail === undefined ? where : `${detail} in ${where}`);
    }
    return { ...context, note };
  }

  /** Of two with one id the first counts. */
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

/** A first reading, for what an item must know of items after it. */
async function learn(
  source: RiskSource,
  documents: readonly OpenDocument[],
  context: MapContext & Pick<ReadOptions, 'limits'>,
): Promise<void> {
  const pools = learnPools(context);
  if (source !== 'defillama-protocols' && source !== 'defillama-pools') return;
  let read = 0;
  for (const open of documents) {
    for await (const item of readJsonItems(open(), context.limits)) {
      if (++read > MOST_ENTRIES) throw new ImportTooLarge(source, MOST_ENTRIES);
      if (item.kind === 'fault') continue;
      if (source === 'defillama-pools') pools(item.value);
      else learnProtocol(item.value, context);
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
