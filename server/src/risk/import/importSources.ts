import type { RiskSource } from '../../domain/risk/record.ts';
import { listSource } from '../../domain/risk/riskLists.ts';
import { riskRecords } from '../../store/risk/records.ts';
import type { Store } from '../../store/store.ts';
import { addNames, createSourceNames, type SourceNames } from '../lists/defillama/item.ts';
import { applyImport, type ImportOutcome, type ImportProgress } from './applyImport.ts';
import type { FoundSource } from './openSourceFolder.ts';
import { IMPORT_ORDER, readRiskSource } from './readSource.ts';
import { createImportReport, type ImportReport, type SourceReport } from './report.ts';

export interface ImportSources {
  readonly store: Store;
  readonly sources: readonly FoundSource[];
  /** Unix seconds. */
  readonly now: number;
  readonly force?: boolean;
  /** Stored with each import, so that changed documents are noticed. */
  readonly hash?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface SourceResult {
  readonly source: FoundSource['source'];
  readonly outcome?: ImportOutcome;
  /** Why the source was not imported. The others are imported regardless. */
  readonly error?: unknown;
}

/** Imports the sources in order, each in one transaction. Later sources see the rows of earlier ones. */
export async function importSources(
  given: ImportSources,
): Promise<{ readonly results: readonly SourceResult[]; readonly report: ImportReport }> {
  const { store, signal } = given;
  const report = createImportReport();
  const results: SourceResult[] = [];
  for (const { source, documents } of inOrder(given.sources)) {
    if (signal?.aborted) break;
    try {
      const known = await riskRecords.getIdsOf(store, sourcesBefore(source));
      const names = await namesFor(store, source);
      const open = documents.map((document) => () => document.open());
      const files = documents.map(({ name }) => name);
      const records = readRiskSource({ source, open, files, known, now: given.now, report, names });
      const readerReport = () => plain(report.of(source));
      results.push({
        source,
        outcome: await applyImport({ ...given, source, records, readerReport }),
      });
    } catch (error) {
      results.push({ source, error });
    }
  }
  return { results, report };
}

/** Independent of the order of past imports: a source never uses nodes that only a later one defines. */
function sourcesBefore(source: RiskSource): RiskSource[] {
  const order: readonly RiskSource[] = IMPORT_ORDER;
  return ['families', ...order.slice(0, Math.max(0, order.indexOf(source)))];
}

/**
 * Loads the stored names of protocols, so that a list resolves to the same nodes with or without the other lists. The
 * list of protocols itself starts without them.
 */
async function namesFor(store: Store, source: RiskSource): Promise<SourceNames> {
  const names = createSourceNames();
  if (source === listSource('protocols')) return names;
  const kept = await riskRecords.getNames(store, listSource('protocols'));
  for (const [id, said] of kept) addNames(names, id.slice('protocol:'.length), said);
  return names;
}

function inOrder(sources: readonly FoundSource[]): FoundSource[] {
  const order: readonly string[] = IMPORT_ORDER;
  return [...sources].sort((a, b) => order.indexOf(a.source) - order.indexOf(b.source));
}

function plain({ reasons, notices, ...counts }: SourceReport): object {
  return {
    ...counts,
    reasons: Object.fromEntries(reasons),
    notices: Object.fromEntries(notices),
  };
}
