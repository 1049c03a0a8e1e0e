import { join } from 'node:path';
import { loadBuilt } from '../loadBuilt.ts';
import { type Figure, seconds, times } from '../table.ts';

const ASKED = { csv: 200_000, parquet: 50_000 } as const;
const MAX_MB = 300;

interface FileOptions {
  readonly store: unknown;
  readonly folder: string;
  readonly slugs: readonly string[];
  /** Of a bare copy of the same rows by the database; see bareCopy.ts. */
  readonly bareSeconds: number;
  /** CPU of the database so far, in ms; null if the system does not report it. */
  readonly databaseCpuMs: () => number | null;
}

/** Exports the history into files, in this process. */
export async function measureFiles(options: FileOptions): Promise<Figure[]> {
  const { store, folder, slugs, bareSeconds, databaseCpuMs } = options;
  const { createExportReader } = await loadBuilt('commands/exportReader.js');
  const { exportAll } = await loadBuilt('export/exportFolder.js');
  const { findTable } = await loadBuilt('export/tables.js');
  const families = slugs.map((slug) => ({ slug, priceFeed: null, chains: [] }));
  const reader = await createExportReader({ families, chains: [] }, store);
  const figures: Figure[] = [];
  for (const format of ['csv', 'parquet'] as const) {
    const before = process.memoryUsage.rss();
    let peak = before;
    const sampler = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 50);
    let rows = 0;
    const cpu = process.cpuUsage();
    const databaseCpu = databaseCpuMs();
    const start = performance.now();
    await exportAll({
      ...{ reader, format, folder: join(folder, format), tables: [findTable('history')] },
      ...{ range: {}, limit: 5_000 },
      onTable: (_: string, count: number) => {
        rows = count;
      },
    });
    const wallSeconds = (performance.now() - start) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    clearInterval(sampler);
    const databaseSeconds = ((databaseCpuMs() ?? 0) - (databaseCpu ?? 0)) / 1_000;
    const perSecond = rows / wallSeconds;
    const perCore = rows / ((user + system) / 1e6);
    const measured = format === 'csv' ? perSecond : perCore;
    const addedMb = (peak - before) / 1e6;
    figures.push(
      {
        figure: `${format}, ${rows} rows of history: rows per second${format === 'csv' ? '' : ' of a core'}`,
        asked: `≥ ${ASKED[format]}`,
        measured: `${measured.toFixed(0)} (${perSecond.toFixed(0)} a second, ${perCore.toFixed(0)} per core, CPU of the database ${seconds(databaseSeconds * 1_000)})`,
        pass: measured >= ASKED[format],
      },
      {
        figure: `${format}: time, against a bare COPY of the same rows`,
        asked: '',
        measured: `${times(wallSeconds / bareSeconds)} (${seconds(wallSeconds * 1_000)} / ${seconds(bareSeconds * 1_000)})`,
        pass: null,
      },
      {
        figure: `${format}: memory that the export adds`,
        asked: `≤ ${MAX_MB} MB`,
        measured: `${addedMb.toFixed(0)} MB`,
        pass: addedMb <= MAX_MB,
      },
    );
  }
  return figures;
}
