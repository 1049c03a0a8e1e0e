import { checkChains } from '../check/check.ts';
import { type CheckLine, pass } from '../check/line.ts';
import { findAdminAccess } from '../cli/adminFile.ts';
import type { Config } from '../config/config.ts';
import { examineCalls } from './examineCalls.ts';
import { examineClock } from './examineClock.ts';
import { examineFacilitator } from './examineFacilitator.ts';
import { examineNodes } from './examineNodes.ts';
import { examineStore } from './examineStore.ts';
import { findRunningServer } from './runningServer.ts';

/** All that `assay check` looks at, and all around it: nodes, a facilitator, clock, database, disk, calls. Changes nothing. */
export async function examine(
  config: Config,
  now: () => number,
): Promise<{ readonly lines: readonly CheckLine[]; readonly ok: boolean }> {
  const { file, chains, families, store, payments } = config;
  // A server with the embedded database says itself which port it took.
  const access = store.databaseUrl === undefined ? await findAdminAccess(store.folder) : undefined;
  const running = await findRunningServer(config, access?.port);
  const [contracts, nodes, facilitator] = await Promise.all([
    checkChains(config),
    examineNodes(config, now()),
    examineFacilitator(payments),
  ]);
  const heads = nodes.flatMap(({ head }) => (head === undefined ? [] : [head.time]));
  const lines = [
    pass(`configuration: ${file}, ${chains.length} chains, ${families.length} families`),
    ...contracts.lines,
    ...facilitator,
    ...nodes.map(({ line }) => line),
    examineClock(now(), heads),
    ...(await examineStore(store, chains, running)),
    ...(await examineCalls(config, running, now())),
  ];
  return { lines, ok: lines.every(({ ok }) => ok) };
}
