import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CostMethod } from '../domain/wallet/accounting/costMethod.ts';
import type { FamilyState } from '../store/exports/exportState.ts';
import { EXPORT_SCHEMA, type ExportRange } from '../store/exports/exportTable.ts';

export type ExportFormat = 'csv' | 'parquet';

/** A file of the folder. */
export interface ExportFile {
  readonly export: number;
  readonly table: string;
  /** Relative to the folder. */
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Rows of earlier exports that are void: those of a family with a time from `from` on and before `to`. */
export interface Replaced {
  readonly export: number;
  readonly table: string;
  readonly family: string;
  readonly from: number;
  readonly to: number;
}

/** One run, with the state of the store at its start. */
export interface ExportRun {
  readonly number: number;
  /** Of the feed of events. */
  readonly cursor: string;
  readonly families: readonly FamilyState[];
  /** Blocks, if not all. */
  readonly range: ExportRange;
}

/** What a folder of exports has. It is written last. */
export interface Manifest {
  readonly schemaVersion: number;
  readonly format: ExportFormat;
  readonly tables: readonly string[];
  /** Cost method of the tables with costs. Absent: average. */
  readonly method?: CostMethod;
  /** False until the run is complete. */
  readonly complete: boolean;
  /** The newest run. */
  readonly run: ExportRun;
  /** The run before, until the newest is complete. */
  readonly before: ExportRun | null;
  readonly files: readonly ExportFile[];
  readonly replaced: readonly Replaced[];
}

export const MANIFEST = 'manifest.json';

/** A folder that cannot be continued; the message says why. */
export class ExportFolderUnusable extends Error {
  override readonly name = 'ExportFolderUnusable';
}

/** Names what the system refused, without the text of the system. */
export function asUnusable(folder: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  return new ExportFolderUnusable(
    `${folder} cannot be written (${code}): check its permissions and the free space, and repeat the command`,
  );
}

/** Undefined if the folder has none. */
export async function findManifest(folder: string): Promise<Manifest | undefined> {
  const path = join(folder, MANIFEST);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const manifest = readManifest(text);
  if (manifest === undefined) {
    throw new ExportFolderUnusable(
      `${path} is not a manifest of this version; export into a new folder`,
    );
  }
  return manifest;
}

function readManifest(text: string): Manifest | undefined {
  try {
    const read = JSON.parse(text) as Manifest;
    const isWhole = read.schemaVersion === EXPORT_SCHEMA && Array.isArray(read.files) && read.run;
    return isWhole ? read : undefined;
  } catch {
    return undefined;
  }
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await replaceFile(join(folder, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** A reader sees the old text or the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.part`, text);
  await rename(`${path}.part`, path);
}
