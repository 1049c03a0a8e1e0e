import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { RiskSource } from '../../domain/risk/record.ts';
import type { ListSource } from '../../domain/risk/riskLists.ts';
import { type DocumentOfList, documentOfItem, documentOfName, findList } from '../lists/index.ts';
import { type ListDocument, sourceOfList } from '../lists/list.ts';
import { readJsonItems } from './jsonItems.ts';
import {
  type OpenOptions,
  openSource,
  type SourceDocument,
  SourceUnreadable,
  unreadable,
} from './openSource.ts';
import { IMPORT_ORDER } from './readSource.ts';

export interface FoundSource {
  readonly source: RiskSource;
  readonly documents: readonly SourceDocument[];
}

export interface SourceFolder {
  /** In import order. */
  readonly sources: readonly FoundSource[];
  /** Skipped files, each with the reason. */
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
}

/** Items to check before falling back to the file's name. */
const LOOK_AT = 5;

/**
 * Opens the lists in a folder, identified by their items, or else by file name. Of several lists of one kind the last
 * by name counts, which is the newest if names begin with a date. YAML files contain curated facts.
 */
export async function openSourceFolder(
  folder: string,
  yamlSource: 'curated' | 'catalogue' = 'curated',
): Promise<SourceFolder> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new SourceUnreadable(folder, unreadable(error.code));
  });
  const lists = new Map<ListDocument, SourceDocument>();
  const yaml: SourceDocument[] = [];
  const leftOut: { name: string; reason: string }[] = [];
  for (const name of names.sort().reverse()) {
    if (!['.json', '.yaml', '.yml'].includes(extname(name).toLowerCase())) {
      leftOut.push({ name, reason: 'it is neither JSON nor YAML' });
      continue;
    }
    const document = await openSource(join(folder, name)).catch((error: unknown) => {
      if (!(error instanceof SourceUnreadable)) throw error;
      leftOut.push({ name, reason: error.reason });
    });
    if (document === undefined) continue;
    if (!name.toLowerCase().endsWith('.json')) {
      yaml.unshift(document);
      continue;
    }
    const kind = ((await kindOf(document)) ?? documentOfName(name))?.document;
    if (kind === undefined) leftOut.push({ name, reason: 'its items are of no known kind' });
    else if (lists.has(kind)) leftOut.push({ name, reason: `${lists.get(kind)!.name} is newer` });
    else lists.set(kind, document);
  }
  const sources = IMPORT_ORDER.flatMap((source): FoundSource[] => {
    const kinds = findList(source)?.documents ?? [];
    const documents = kinds.flatMap((kind) => lists.get(kind) ?? []);
    if (source === yamlSource) documents.push(...yaml);
    return documents.length === 0 ? [] : [{ source, documents }];
  });
  return { sources, leftOut };
}

/**
 * Opens a list of a given kind. Rejects a list of another known kind, whose import would delete the facts of the right
 * one. Accepts an unknown kind, which may be a new format of the right one.
 */
export async function openList(
  source: ListSource,
  location: string,
  options: OpenOptions = {},
): Promise<SourceDocument> {
  const document = await openSource(location, options);
  const kind = await kindOf(document);
  if (kind === undefined || sourceOfList(kind.list) === source) return document;
  await document.close();
  throw new SourceUnreadable(
    document.name,
    `this is a list of ${kind.document.words}, so it was not read as ${source}; check which file is which`,
  );
}

/** Detects the kind of a document from its first readable items. */
async function kindOf(document: Pick<SourceDocument, 'open'>): Promise<DocumentOfList | undefined> {
  let looked = 0;
  for await (const item of readJsonItems(document.open())) {
    if (looked++ === LOOK_AT) return undefined;
    if (item.kind === 'fault') continue;
    const kind = documentOfItem(item.value, item.place.key);
    if (kind !== undefined) return kind;
  }
  return undefined;
}
