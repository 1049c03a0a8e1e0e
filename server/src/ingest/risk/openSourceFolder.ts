import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { RiskSource } from '../../domain/risk/record.ts';
import { isObject } from './defillama/item.ts';
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
  /** In the order in which they are to be imported. */
  readonly sources: readonly FoundSource[];
  /** Files that are not imported, each with the reason. */
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
}

type Shape = 'protocols' | 'parents' | 'pools' | 'stablecoins' | 'chains' | 'hacks';

const SOURCE_OF: Readonly<Record<Shape, RiskSource>> = {
  protocols: 'defillama-protocols',
  parents: 'defillama-protocols',
  pools: 'defillama-pools',
  stablecoins: 'defillama-stablecoins',
  chains: 'defillama-chains',
  hacks: 'defillama-hacks',
};

const WORDS: Readonly<Record<Shape, string>> = {
  protocols: 'protocols',
  parents: 'parent protocols',
  pools: 'pools',
  stablecoins: 'stablecoins',
  chains: 'chains',
  hacks: 'hacks',
};

/** The more telling word first. */
const BY_NAME: readonly (readonly [RegExp, Shape])[] = [
  [/parent/i, 'parents'],
  [/pools|yields/i, 'pools'],
  [/stablecoins|pegged/i, 'stablecoins'],
  [/hacks/i, 'hacks'],
  [/protocols/i, 'protocols'],
  [/chains/i, 'chains'],
];

/** Items that are looked at before a file's name is. */
const LOOK_AT = 5;

/**
 * The lists in a folder, told by what is in them, else by their names. Of several lists of one kind the last by name
 * counts, which is the newest when names begin with a date. YAML files hold curated facts.
 */
export async function openSourceFolder(
  folder: string,
  yamlSource: 'curated' | 'catalogue' = 'curated',
): Promise<SourceFolder> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new SourceUnreadable(folder, unreadable(error.code));
  });
  const lists = new Map<Shape, SourceDocument>();
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
    const shape = (await shapeOf(document)) ?? shapeOfName(name);
    if (shape === undefined) leftOut.push({ name, reason: 'its items are of no known kind' });
    else if (lists.has(shape)) leftOut.push({ name, reason: `${lists.get(shape)!.name} is newer` });
    else lists.set(shape, document);
  }
  const sources = IMPORT_ORDER.flatMap((source): FoundSource[] => {
    const shapes = (Object.keys(SOURCE_OF) as Shape[]).filter(
      (shape) => SOURCE_OF[shape] === source,
    );
    const documents = shapes.flatMap((shape) => lists.get(shape) ?? []);
    if (source === yamlSource) documents.push(...yaml);
    return documents.length === 0 ? [] : [{ source, documents }];
  });
  return { sources, leftOut };
}

/**
 * Opens one list that somebody says is of this kind. What is plainly of another kind is refused: read as this one it
 * would take away all that the right one has said. Of no known kind it may be a new shape of the right one.
 */
export async function openList(
  source: RiskSource,
  location: string,
  options: OpenOptions = {},
): Promise<SourceDocument> {
  const document = await openSource(location, options);
  const shape = await shapeOf(document);
  if (shape === undefined || SOURCE_OF[shape] === source) return document;
  await document.close();
  throw new SourceUnreadable(
    document.name,
    `this is a list of ${WORDS[shape]}, so it was not read as ${source}; check which file is which`,
  );
}

/** What the first readable items of a document are. */
export async function shapeOf(document: Pick<SourceDocument, 'open'>): Promise<Shape | undefined> {
  let looked = 0;
  for await (const item of readJsonItems(document.open())) {
    if (looked++ === LOOK_AT) return undefined;
    if (item.kind === 'fault' || !isObject(item.value)) continue;
    const shape = shapeOfItem(item.value, item.place.key);
    if (shape !== undefined) return shape;
  }
  return undefined;
}

function shapeOfItem(item: Record<string, unknown>, key: string | undefined): Shape | undefined {
  const has = (...fields: string[]) => fields.every((field) => Object.hasOwn(item, field));
  if (has('pool', 'project')) return 'pools';
  if (has('pegType')) return 'stablecoins';
  if (has('date') && (has('technique') || has('classification'))) return 'hacks';
  if (typeof item.id === 'string' && item.id.startsWith('parent#')) return 'parents';
  if (has('id', 'name') && (has('category') || has('audits') || has('chains'))) return 'protocols';
  if (has('name', 'tokenSymbol')) return 'chains';
  if (key !== undefined && (has('geckoId') || has('cmcId') || has('chainId'))) return 'chains';
  return undefined;
}

function shapeOfName(file: string): Shape | undefined {
  const name = basename(file);
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
}
