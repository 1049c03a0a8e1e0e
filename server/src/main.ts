import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startApp } from './app.ts';
import { checkChains } from './check/check.ts';
import { runOnServer } from './cli/adminClient.ts';
import { readArguments, type ServerCommand, UsageError } from './cli/arguments.ts';
import { describeFailure } from './cli/failure.ts';
import { createImportBar } from './cli/importProgress.ts';
import { createLog, type Log, readLogLevel } from './cli/log.ts';
import { createProgress } from './cli/progress.ts';
import type { RiskImportArguments } from './cli/riskArguments.ts';
import { watchProgress } from './cli/watchProgress.ts';
import { type Command, verifyCommand } from './commands.ts';
import type { Config } from './config/config.ts';
import { loadConfig } from './config/load.ts';
import { importLegacy } from './ingest/legacy/legacyImport.ts';
import { runInit } from './initCommand.ts';
import { OPERATOR_ERRORS } from './operatorErrors.ts';
import {
  paymentsListCommand,
  paymentsReconcileCommand,
  paymentsRefundCommand,
  paymentsReportCommand,
} from './paymentCommands.ts';
import { createRiskImport, riskGradeCommand, riskShowCommand } from './riskCommands.ts';
import { FolderLocked } from './store/folderLock.ts';
import { openStore } from './store/open.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

/** Runs one command; the result is the process's exit code. */
async function run(words: readonly string[]): Promise<number> {
  const line = readArguments(words);
  if (line.command === 'help') return print(line.text);
  if (line.command === 'version') return print(version);
  if (line.command === 'init') {
    return runInit(line, { print, input: process.stdin, output: process.stdout });
  }
  const config = loadConfig({ file: line.config, env: process.env });
  switch (line.command) {
    case 'migrate':
      await (await openStore(config.store)).close();
      return print('the database has the newest schema');
    case 'check': {
      const report = await checkChains(config);
      for (const { ok, warning, text } of report.lines) {
        print(`${!ok ? 'FAIL' : warning ? 'warn' : 'ok  '} ${text}`);
      }
      return report.ok ? 0 : 1;
    }
    case 'import-legacy': {
      if (!config.families.some(({ slug }) => slug === line.family)) {
        throw new UsageError(`no family ${JSON.stringify(line.family)} in ${config.file}`);
      }
      const store = await openStore(config.store);
      try {
        const now = Math.floor(Date.now() / 1000);
        const count = await importLegacy(store, { ...line, now });
        return print(`imported ${count} ticks of ${line.family}`);
      } finally {
        await store.close();
      }
    }
    case 'verify':
      return runOnStore(verifyCommand, line, config);
    case 'risk import':
      return runRiskImport(line, config);
    case 'risk grade':
      return runOnStore(riskGradeCommand, {}, config);
    case 'risk show':
      return runOnStore(riskShowCommand, { id: line.id }, config);
    case 'payments list':
      return runOnStore(paymentsListCommand, {}, config);
    case 'payments reconcile':
      return runOnStore(paymentsReconcileCommand, {}, config);
    case 'payments report':
      return runOnStore(paymentsReportCommand, line, config);
    case 'payments refund':
      return runOnStore(paymentsRefundCommand, line, config);
    default:
      return runServer(line.command, config);
  }
}

/** Runs a command on the store; where a running server has the folder, that server does it. */
async function runOnStore<Args>(
  command: Command<Args>,
  args: Args,
  config: Config,
): Promise<number> {
  try {
    const store = await openStore(config.store);
    try {
      return await command.run({ config, store }, args, print);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof FolderLocked)) throw error;
    const { folder, pid } = error;
    const printError = (line: string) => process.stderr.write(`${line}\n`);
    return runOnServer({ folder, pid, name: command.name, args, print, printError });
  }
}

/** A server that does it in our stead may run elsewhere: files are named from the root. */
async function runRiskImport(line: RiskImportArguments, config: Config): Promise<number> {
  const bar = createImportBar({ stream: process.stderr, now: () => performance.now() });
  const describe = (error: unknown) => describeFailure(error, OPERATOR_ERRORS).text;
  const absolute = (path: string) => (/^[a-z][a-z0-9+.-]+:\/\//i.test(path) ? path : resolve(path));
  const { from, sources, curated, force } = line;
  const args = {
    from: from && absolute(from),
    sources: sources.map(({ name, location }) => ({ name, location: absolute(location) })),
    curated: curated && absolute(curated),
    force,
  };
  const command = createRiskImport({ describe, onProgress: bar.update });
  return runOnStore(command, args, config).finally(bar.clear);
}

async function runServer(
  command: Exclude<ServerCommand, 'migrate' | 'check'>,
  config: Config,
): Promise<number> {
  if (command !== 'start' && config.store.databaseUrl === undefined) {
    throw new UsageError(
      `assay ${command} needs DATABASE_URL: the embedded database serves one process, so use assay start`,
    );
  }
  const progress = createProgress({ stream: process.stderr, now: () => performance.now() });
  const log = openLog(progress.print);
  const app = await startApp({
    config,
    log,
    version,
    serve: command !== 'index',
    index: command !== 'serve',
  });
  if (app.url !== undefined) log.info({ port: Number(new URL(app.url).port) }, 'the API answers');
  const watching = command === 'serve' ? undefined : watchProgress(app.getChainStatuses, progress);
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
function openLog(write: (line: string) => void): Log {
  const level = readLogLevel(process.env.LOG_LEVEL);
  const stream = { write: (line: string) => write(line.trimEnd()) };
  return createLog({ level, stream, safeErrors: OPERATOR_ERRORS });
}

function print(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}

run(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const { text, exitCode } = describeFailure(error, OPERATOR_ERRORS);
    process.stderr.write(`${text}\n`);
    process.exit(exitCode);
  },
);
