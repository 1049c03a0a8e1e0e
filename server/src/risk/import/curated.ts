import type { RiskRecord } from '../../domain/risk/record.ts';
import { cleanText, mixesScripts } from '../lists/text.ts';
import { type CuratedProblem, pathText, readCuratedText } from './curatedDocument.ts';
import { assetRecord, chainRecord, poolRecord, protocolRecord } from './curatedRecords.ts';
import { type CuratedFile, curatedSchema } from './curatedSchema.ts';

/** A record with the source of each of its facts. */
export interface CuratedRecord extends RiskRecord {
  readonly citations: Readonly<Record<string, Citation>>;
}

export interface Citation {
  readonly source: string;
  /** The day of the lookup. */
  readonly date: string;
}

/** All mistakes in a file of curated facts. None of its facts are imported, because they would override all others. */
export class CuratedFactsInvalid extends Error {
  override readonly name = 'CuratedFactsInvalid';
  readonly problems: readonly CuratedProblem[];

  constructor(file: string, problems: readonly CuratedProblem[]) {
    const shown = problems.slice(0, MAX_SHOWN).map(({ line, path, message }) => {
      const place = line === null ? file : `${file}:${line}`;
      return `${place}: ${path === '' ? '' : `${path} `}${message}`.replace(/\p{Cc}+/gu, ' ');
    });
    const more = problems.length - shown.length;
    super([...shown, ...(more > 0 ? [`${file}: and ${more} more`] : [])].join('\n'));
    this.problems = problems;
  }
}

const MAX_SHOWN = 20;
/** Room for many thousand facts; a larger file is not a file of facts. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Reads the records of a file of curated facts, or of the catalog. Throws CuratedFactsInvalid. */
export async function readCuratedDocument(
  bytes: AsyncIterable<Uint8Array>,
  file = 'the curated facts',
): Promise<CuratedRecord[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > MAX_BYTES) throw whole(file, 'the file is over 8 MiB; split it');
    chunks.push(chunk);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw whole(file, 'the file is not UTF-8 text; save it as UTF-8');
  }
  return readCurated(text, file);
}

/** Reads records from text; `file` is used in messages only. */
export function readCurated(text: string, file = 'the curated facts'): CuratedRecord[] {
  const document = readCuratedText(text, curatedSchema);
  if (document.problems.length > 0) throw new CuratedFactsInvalid(file, document.problems);
  const read = document.value as CuratedFile;
  const problems: CuratedProblem[] = [];
  const ids = new Set<string>();
  const records = [
    ...each('chains', chainRecord),
    ...each('protocols', protocolRecord),
    ...each('assets', assetRecord),
    ...each('pools', poolRecord),
  ];
  if (problems.length > 0) throw new CuratedFactsInvalid(file, problems);
  return records;

  function each<K extends keyof CuratedFile>(
    kind: K,
    make: (entry: NonNullable<CuratedFile[K]>[number], fail: Fail) => CuratedRecord,
  ): CuratedRecord[] {
    return ((read[kind] ?? []) as NonNullable<CuratedFile[K]>[number][]).map((entry, index) => {
      const record = make(entry, (path, message) => fail([kind, index, ...path], message));
      const { name } = record.node.facts;
      const clean = cleanText(name);
      if (clean === undefined || clean.text !== name || mixesScripts(name)) {
        fail([kind, index, 'name'], 'contains invisible or confusable characters; type it again');
      }
      if (ids.has(record.node.id)) {
        fail([kind, index], `is ${record.node.id}, which stands above; put the facts together`);
      }
      ids.add(record.node.id);
      return record;
    });
  }

  function fail(path: readonly (string | number)[], message: string): void {
    problems.push({ line: document.lineOf(path), path: pathText(path), message });
  }
}

type Fail = (path: readonly (string | number)[], message: string) => void;

function whole(file: string, message: string): CuratedFactsInvalid {
  return new CuratedFactsInvalid(file, [{ line: null, path: '', message }]);
}
