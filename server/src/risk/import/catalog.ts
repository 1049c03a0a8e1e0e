import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { riskImports } from '../../store/risk/imports.ts';
import type { Store } from '../../store/store.ts';
import { importSources, type SourceResult } from './importSources.ts';
import { openSource } from './openSource.ts';
import type { Grading } from './regrade.ts';

/** Folders of the catalog: as JSON from the build, or its source files. */
const CATALOGS = ['../../catalog/', '../../../catalog/'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);

interface ImportIfChanged {
  readonly store: Store;
  readonly now: number;
  readonly grading?: Grading;
}

/** Imports the catalog that ships with the server; returns undefined if the graph already contains this version. */
export async function importCatalog(
  given: ImportIfChanged & { readonly folder?: string },
): Promise<SourceResult | undefined> {
  for (const folder of given.folder === undefined ? CATALOGS : [given.folder]) {
    const all = await readdir(folder).catch(() => []);
    const names = all.filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
    const files = names.map((name) => join(folder, name));
    if (files.length > 0) return importIfChanged(given, 'catalogue', files);
  }
  // A server installed without the catalog keeps the facts of the operator and the families.
  return undefined;
}

/** The same for the operator's facts. */
export function importCurated(
  given: ImportIfChanged & { readonly file: string },
): Promise<SourceResult | undefined> {
  return importIfChanged(given, 'curated', [given.file]);
}

async function importIfChanged(
  given: ImportIfChanged,
  source: 'catalogue' | 'curated',
  files: readonly string[],
): Promise<SourceResult | undefined> {
  const documents = await Promise.all(files.map((file) => openSource(file)));
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file)).update('\0');
  const read = hash.digest('hex').slice(0, 32);
  const held = (await riskImports.getAll(given.store)).find((row) => row.source === source);
  if (held?.hash === read) return undefined;
  // Both are maintained by hand, so facts removed from them were removed on purpose.
  const { results } = await importSources({
    ...given,
    sources: [{ source, documents }],
    hash: read,
    force: true,
  });
  return results[0];
}
