import { createHash, timingSafeEqual } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { sendProblem } from './httpServer.ts';
import { noSuch, problem } from './problem.ts';

/** The commands that an operator can run in the server. */
export interface AdminCommand {
  readonly name: string;
  /** Lines are sent to the operator as they are printed; returns the exit code. */
  run(args: unknown, print: (line: string) => void, signal: AbortSignal): Promise<number>;
}

export interface AdminCommandsDeps {
  /** Required to run commands. */
  readonly token: string;
  readonly commands: readonly AdminCommand[];
  /** Describes a failed command for the operator, with its exit code: 2 for a mistake of the operator. */
  readonly describeFailure: (error: unknown) => {
    readonly text: string;
    readonly exitCode: number;
  };
  readonly onError: (error: unknown) => void;
}

/** The operator gets the message; the server itself is healthy. */
const MISTAKE = 2;

/**
 * POST /commands/{name} with JSON arguments: streams lines of text as the command prints them; the last one is JSON
 * with its exit code and failure.
 */
export function registerAdminCommands(app: FastifyInstance, deps: AdminCommandsDeps): void {
  const { commands, describeFailure, onError } = deps;
  const expected = digest(`Bearer ${deps.token}`);

  app.post<{ Params: { name: string } }>(
    '/commands/:name',
    {
      onRequest(request, reply, done) {
        if (timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) return done();
        const refusal = problem(401, 'a command needs the token in the file admin.json');
        sendProblem(reply, { ...refusal, headers: { 'www-authenticate': 'Bearer' } });
      },
    },
    (request, reply) => {
      const command = commands.find(({ name }) => name === request.params.name);
      if (command === undefined) {
        sendProblem(reply, problem(404, noSuch('command')));
        return;
      }
      const lines = new PassThrough();
      const left = new AbortController();
      // The operator has disconnected, so stop the command.
      reply.raw.once('close', () => left.abort());
      reply
        .header('content-type', 'text/plain; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(lines);
      void finish(command, request.body, lines, left.signal);
    },
  );

  async function finish(
    command: AdminCommand,
    args: unknown,
    lines: PassThrough,
    signal: AbortSignal,
  ): Promise<void> {
    const write = (line: string) => {
      if (!lines.destroyed) lines.write(`${line}\n`);
    };
    let end: { exitCode: number; error?: string };
    try {
      end = { exitCode: await command.run(args, write, signal) };
    } catch (error) {
      const { text, exitCode } = describeFailure(error);
      end = { exitCode, error: text };
      if (!signal.aborted && exitCode !== MISTAKE) onError(error);
    }
    write(JSON.stringify(end));
    lines.end();
  }
}

/** Hashes to equal length, so that the comparison takes constant time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
