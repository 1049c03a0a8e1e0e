import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { removeAdminAccess, writeAdminAccess } from '../cli/adminFile.ts';
import { describeFailure } from '../cli/failure.ts';
import type { Log } from '../cli/log.ts';
import type { StoreCommand } from '../commands/storeCommand.ts';
import type { Config } from '../config/config.ts';
import { createAdminServer, createMetricsServer, type ProbedDeps } from '../http/admin.ts';
import type { Store } from '../store/store.ts';
import { OPERATOR_ERRORS } from './operatorErrors.ts';
import type { StartUp } from './startUp.ts';

/** Opens the ports for operators: metrics and health, and on the admin port the commands of the embedded database. */
export async function openAdminServers(deps: {
  readonly config: Config;
  readonly store: Store;
  readonly log: Log;
  readonly commands: readonly StoreCommand[];
  readonly probed: ProbedDeps;
  readonly listen: StartUp['listen'];
  /** What to close with the process; more is added. */
  readonly servers: FastifyInstance[];
  readonly closing: (() => Promise<void>)[];
}): Promise<void> {
  const { config, store, log, probed, listen, servers, closing } = deps;
  const token = randomBytes(32).toString('base64url');
  const commands = { token, ...bindCommands(deps.commands, { config, store, log }) };
  // With PostgreSQL, a command opens the store itself.
  const locked = store.engine === 'pglite';
  const admin = createAdminServer({ ...probed, ...(locked && { commands }) });
  servers.push(admin);
  const port = await listen(admin, 'admin');
  if (locked) {
    const { folder } = config.store;
    closing.push(() => removeAdminAccess(folder));
    await writeAdminAccess(folder, { pid: process.pid, port, token });
  }
  if (config.http.metricsPort === undefined) return;
  const watched = createMetricsServer(probed);
  servers.push(watched);
  await listen(watched, 'metrics');
}

/** The operator's commands on this process's own store. */
function bindCommands(
  commands: readonly StoreCommand[],
  own: { readonly config: Config; readonly store: Store; readonly log: Log },
) {
  return {
    commands: commands.map(({ name, runOn }) => ({
      name,
      run: (args: unknown, print: (line: string) => void, signal: AbortSignal) =>
        runOn({ ...own, signal }, args as never, print),
    })),
    describeFailure: (error: unknown) => describeFailure(error, OPERATOR_ERRORS),
  };
}
