import { startApp } from '../app.ts';
import { createLog, type Log, readLogLevel } from '../cli/log.ts';
import { createProgress } from '../cli/progress.ts';
import { UsageError } from '../cli/usageError.ts';
import { watchProgress } from '../cli/watchProgress.ts';
import { OPERATOR_ERRORS } from '../operatorErrors.ts';
import type { Terminal } from './command.ts';
import { configOf } from './configOf.ts';
import { STORE_COMMANDS } from './storeCommands.ts';

/** Runs until a signal ends it. */
export async function runServer(
  name: 'start' | 'serve' | 'index',
  terminal: Terminal,
): Promise<number> {
  const { env, errors, version } = terminal;
  const config = configOf(terminal);
  if (name !== 'start' && config.store.databaseUrl === undefined) {
    throw new UsageError(
      `assay ${name} needs DATABASE_URL: the embedded database serves one process, so use assay start`,
    );
  }
  const progress = createProgress({ stream: errors, now: () => performance.now() });
  const log = openLog(env.LOG_LEVEL, progress.print);
  const app = await startApp({
    config,
    log,
    version,
    serve: name !== 'index',
    index: name !== 'serve',
    commands: STORE_COMMANDS,
  });
  if (app.url !== undefined) log.info({ port: Number(new URL(app.url).port) }, 'the API answers');
  const watching = name === 'serve' ? undefined : watchProgress(app.getChainStatuses, progress);
  const signalled = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await Promise.race([signalled, app.running]);
  watching?.stop();
  log.info({}, 'stopping');
  await app.stop();
  return 0;
}

/** Lines of the log stay above the progress bars. */
function openLog(level: string | undefined, write: (line: string) => void): Log {
  const stream = { write: (line: string) => write(line.trimEnd()) };
  return createLog({ level: readLogLevel(level), stream, safeErrors: OPERATOR_ERRORS });
}
