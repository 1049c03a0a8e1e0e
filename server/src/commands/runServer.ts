import { startApp } from '../assembly/app.ts';
import { OPERATOR_ERRORS } from '../assembly/operatorErrors.ts';
import { startTracing, wantsTracing } from '../assembly/tracing.ts';
import { createLog, type Log, readLogLevel } from '../cli/log.ts';
import { createProgress } from '../cli/progress.ts';
import { UsageError } from '../cli/usageError.ts';
import { watchProgress } from '../cli/watchProgress.ts';
import { unixTime } from '../runtime/unixTime.ts';
import type { Terminal } from './command.ts';
import { configOf } from './configOf.ts';
import { getStartWarnings } from './startWarnings.ts';
import { STORE_COMMANDS } from './storeCommands.ts';

/** Runs until it receives a signal. */
export async function runServer(
  name: 'start' | 'serve' | 'index',
  terminal: Terminal,
): Promise<number> {
  const { env, output, errors, version } = terminal;
  const config = configOf(terminal);
  if (name !== 'start' && config.store.databaseUrl === undefined) {
    throw new UsageError(
      `assay ${name} needs DATABASE_URL: the embedded database allows only one process, so use assay start`,
    );
  }
  const progress = createProgress({
    stream: errors,
    output,
    now: () => performance.now(),
  });
  // Without its log, the server must exit with an error, so that its supervisor restarts it.
  output.prependListener('error', () => process.exit(1));
  const log = openLog(env.LOG_LEVEL, progress.print);
  for (const warning of getStartWarnings(config, unixTime())) log.warn({}, warning);
  // Handled from the start: the first process of a container ignores signals without a handler.
  const ended = signalled(log);
  const tracing = wantsTracing(env)
    ? await startTracing({
        version,
        env,
        onError: nowAndThen(() => log.warn({}, 'traces cannot be sent')),
      })
    : undefined;
  const starting = startApp({
    config,
    log,
    version,
    serve: name !== 'index',
    index: name !== 'serve',
    commands: STORE_COMMANDS,
  });
  const app = await Promise.race([starting, ended.then(() => undefined)]);
  if (app === undefined) {
    log.info({}, 'stopped during startup');
    return 0;
  }
  if (app.url !== undefined) log.info({ port: Number(new URL(app.url).port) }, 'the API is ready');
  // Elsewhere nothing is drawn, and with thousands of families each look at them costs a noticeable query.
  const isDrawn = name !== 'serve' && errors.isTTY === true;
  const watching = isDrawn ? watchProgress(app.getChainStatuses, progress) : undefined;
  try {
    await Promise.race([ended, app.running]);
  } catch (err) {
    // Nothing can be saved here: the next process reads the state of open payments from the chain.
    log.fatal({ err }, 'the process cannot continue and ends; restart it');
    return 1;
  }
  watching?.stop();
  log.info(
    { drainSeconds: app.url === undefined ? 0 : (config.http.drainSeconds ?? 0) },
    'stopping',
  );
  await app.stop();
  await tracing?.stop();
  return 0;
}

/** A terminal, npm, and a parent process may each forward the same Ctrl-C. */
const SAME_SIGNAL_MS = 500;

/** Resolves at the first signal; a later one ends the process immediately. */
function signalled(log: Log): Promise<void> {
  let firstAt: number | undefined;
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        firstAt ??= performance.now();
        if (performance.now() - firstAt > SAME_SIGNAL_MS) {
          log.warn(
            { signal },
            'ended by a second signal, without waiting for requests in progress',
          );
          process.exit(1);
        }
        resolve();
      });
    }
  });
}

/** Limits the log: the library reports each failure, and a collector may be unreachable for hours. */
const QUIET_MS = 60_000;

function nowAndThen(report: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - last < QUIET_MS) return;
    last = performance.now();
    report();
  };
}

/** Standard output contains only the log. */
function openLog(level: string | undefined, write: (line: string) => void): Log {
  const stream = { write: (line: string) => write(line.trimEnd()) };
  return createLog({ level: readLogLevel(level), stream, safeErrors: OPERATOR_ERRORS });
}
