import { type IncomingMessage, request } from 'node:http';
import { type AdminAccess, findAdminAccess } from './adminFile.ts';
import { createImportBar, type ImportBar } from './importProgress.ts';
import { readProgressLine } from './progressLines.ts';

/** The server that uses the store folder cannot run a command; the message says what to do. */
export class ServerTakesNoCommand extends Error {
  override readonly name = 'ServerTakesNoCommand';

  constructor(pid: number, reason: string) {
    super(`the store folder is in use by process ${pid}, ${reason}`);
  }

  /** Our own message, without the token. */
  get safeText(): string {
    return this.message;
  }
}

export interface RemoteCommand {
  /** The store folder and the process that uses it. */
  readonly folder: string;
  readonly pid: number;
  readonly name: string;
  readonly args: unknown;
  readonly print: (line: string) => void;
  /** Describes a failure of the command without secrets. */
  readonly printError: (line: string) => void;
  /** Where an import shows its progress; default: the terminal. */
  readonly bar?: ImportBar;
}

/** Sends a command to the server that uses the store folder; returns its exit code. */
export async function runOnServer(command: RemoteCommand): Promise<number> {
  const { folder, pid, name, args } = command;
  const access = await findAdminAccess(folder);
  if (access === undefined || access.pid !== pid) {
    throw new ServerTakesNoCommand(
      pid,
      'which accepts no commands (or this user cannot read admin.json there): wait for it to end, or stop it',
    );
  }
  const response = await ask(access, name, args);
  if (response.statusCode !== 200) {
    response.destroy();
    throw refused(access, name, response.statusCode!);
  }
  return follow(response, command);
}

/** Not with fetch, which gives up on a command without output for five minutes. */
function ask(
  { pid, port, token }: AdminAccess,
  name: string,
  args: unknown,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request({
      ...{ host: '127.0.0.1', port, method: 'POST', agent: false },
      path: `/commands/${encodeURIComponent(name)}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    asked.once('response', resolve);
    asked.on('error', () => {
      const reason = `which does not respond on its admin port ${port}: run the command on the same machine or in the same container, or start the server with another ADMIN_PORT`;
      reject(new ServerTakesNoCommand(pid, reason));
    });
    asked.end(JSON.stringify(args));
  });
}

function refused({ pid, port }: AdminAccess, name: string, status: number): ServerTakesNoCommand {
  if (status === 404) {
    return new ServerTakesNoCommand(
      pid,
      `which does not support ${name}: restart it with this version`,
    );
  }
  if (status === 401 || status === 403) {
    return new ServerTakesNoCommand(
      pid,
      `but another program responds on its admin port ${port}: start the server with another ADMIN_PORT`,
    );
  }
  return new ServerTakesNoCommand(pid, `which rejected ${name} (HTTP ${status}): see its log`);
}

/** Every line but the last is output of the command; the last has its result. */
async function follow(response: IncomingMessage, command: RemoteCommand): Promise<number> {
  const { bar = terminalBar() } = command;
  let held: string | undefined;
  try {
    for await (const line of linesOf(response)) {
      const step = readProgressLine(line);
      if (step !== undefined) {
        bar.update(step);
        continue;
      }
      bar.clear();
      if (held !== undefined) command.print(held);
      held = line;
    }
  } catch {
    throw new ServerTakesNoCommand(command.pid, 'which ended before the command did: see its log');
  } finally {
    bar.clear();
  }
  const end = readEnd(held);
  if (end === undefined) {
    if (held !== undefined) command.print(held);
    throw new ServerTakesNoCommand(command.pid, 'which ended before the command did: see its log');
  }
  if (end.error !== undefined) command.printError(end.error);
  return end.exitCode;
}

function terminalBar(): ImportBar {
  return createImportBar({ stream: process.stderr, now: () => performance.now() });
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function readEnd(line: string | undefined): { exitCode: number; error?: string } | undefined {
  try {
    const end = JSON.parse(line ?? '') as { exitCode?: unknown; error?: unknown };
    if (!Number.isInteger(end.exitCode)) return undefined;
    const error = typeof end.error === 'string' ? { error: end.error } : {};
    return { exitCode: end.exitCode as number, ...error };
  } catch {
    return undefined;
  }
}
