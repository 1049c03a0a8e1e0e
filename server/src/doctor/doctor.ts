import { checkChains } from '../check/check.ts';
import { type CheckLine, pass } from '../check/line.ts';
import { findAdminAccess } from '../cli/adminFile.ts';
import type { Config } from '../config/config.ts';
import { examineBackups } from './examineBackups.ts';
import { examineCalls } from './examineCalls.ts';
import { examineClock } from './examineClock.ts';
import { examineFacilitator } from './examineFacilitator.ts';
import { examineHosts } from './examineHosts.ts';
import { examineNodes } from './examineNodes.ts';
import { examineSelling } from './examineSelling.ts';
import { examineStore } from './examineStore.ts';
import { findRunningServer } from './runningServer.ts';

/**
 * Runs all checks of `assay check` and those of the environment: RPC endpoints, facilitator, clock, database, disk,
 * calls. Changes nothing.
 */
export async function examine(
  config: Config,
  now: () => number,
): Promise<{ readonly lines: readonly CheckLine[]; readonly ok: boolean }> {
  const { file, chains, families, store, payments } = config;
  // A server with the embedded database records its port itself.
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
    ...(await examineSelling(config, running, now())),
    ...nodes.map(({ line }) => line),
    examineClock(now(), heads),
    ...(await examineStore(store, chains, running)),
    ...(await examineBackups(config.backup, now())),
    ...(store.databaseUrl === undefined
      ? []
      : await examineHosts(store.databaseUrl, payments !== undefined)),
    ...(await examineCalls(config, running, now())),
  ];
  return { lines, ok: lines.every(({ ok }) => ok) };
}
