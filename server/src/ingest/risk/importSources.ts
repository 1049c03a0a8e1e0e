import { riskRecords } from '../../store/risk/records.ts';
import type { Store } from '../../store/store.ts';
import { applyImport, type ImportOutcome, type ImportProgress } from './applyImport.ts';
import { createSourceNames } from './defillama/item.ts';
import type { FoundSource } from './openSourceFolder.ts';
import { IMPORT_ORDER, readRiskSource } from './readSource.ts';
import { createImportReport, type ImportReport, type SourceReport } from './report.ts';

export interface ImportSources {
  readonly store: Store;
  readonly sources: readonly FoundSource[];
  /** Unix seconds. */
  readonly now: number;
  readonly force?: boolean;
  /** Kept with each import to see later whether its documents changed. */
  readonly hash?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface SourceResult {
  readonly source: FoundSource['source'];
  readonly outcome?: ImportOutcome;
  /** Why the source was left as it was; the others are not held back by it. */
  readonly error?: unknown;
}

/** Imports one source after the other, each finding what those before it brought; each in its own transaction. */
export async function importSources(
  given: ImportSources,
): Promise<{ readonly results: readonly SourceResult[]; readonly report: ImportReport }> {
  const { store, signal } = given;
  const report = createImportReport();
  const names = createSourceNames();
  const results: SourceResult[] = [];
  for (const { source, documents } of inOrder(given.sources)) {
    if (signal?.aborted) break;
    try {
      const known = await riskRecords.getIdsOfOthers(store, source);
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
