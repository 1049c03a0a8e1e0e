import { type Logger, pino } from 'pino';
import { UsageError } from './usageError.ts';

export type Log = Logger;
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LEVELS)[number];

/** Reads LOG_LEVEL; default: info. */
export function readLogLevel(text: string | undefined): LogLevel {
  if (!text) return 'info';
  const level = LEVELS.find((known) => known === text.toLowerCase());
  if (level === undefined) {
    throw new UsageError(`LOG_LEVEL must be one of ${LEVELS.join(', ')}; correct it`);
  }
  return level;
}

/** An error class whose messages are our own, without URLs, keys, or SQL. */
// biome-ignore lint/suspicious/noExplicitAny: the arguments of a class that is only compared
export type ErrorClass = abstract new (...args: any[]) => Error;

export interface LogDeps {
  readonly level: LogLevel;
  readonly stream: { write(line: string): unknown };
  /** Errors to log with their message. Others are logged by class only, unless they have a safeText. */
  readonly safeErrors?: readonly ErrorClass[];
}

/** Matches a URL, also inside JSON: it may contain a key in its path or credentials before its host. */
const URL_TEXT = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'\\<>]*/gi;
const SECRET_KEY = /^(.*urls?|.*api_?key|private_?key|password|secret|authorization|headers)$/i;

/**
 * Writes JSON lines. Each line is cleaned of URLs last. An error under `err` is logged as its class and safe message;
 * its stack only at the levels debug and trace.
 */
export function createLog({ level, stream, safeErrors = [] }: LogDeps): Log {
  const verbose = level === 'debug' || level === 'trace';
  const describe = (error: unknown) => describeError(error, safeErrors, verbose);
  return pino(
    {
      level,
      base: undefined,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => withoutSecrets(fields),
      },
      serializers: { err: describe, error: describe },
      hooks: {
        logMethod(args, method) {
          const [first, ...rest] = args as unknown[];
          const fields = first instanceof Error ? { err: first } : first;
          // Without this, a line without a message would get the error's message, which may be third-party text.
          const bare =
            rest.length === 0 && (fields as { err?: unknown } | undefined)?.err instanceof Error;
          method.apply(this, [fields, ...(bare ? ['failed'] : rest)] as [unknown, string]);
        },
      },
    },
    { write: (line: string) => void stream.write(line.replace(URL_TEXT, '[url]')) },
  );
}

interface ErrorDescription {
  readonly class: string;
  readonly text?: string;
  readonly code?: string;
  readonly cause?: ErrorDescription;
  readonly stack?: string;
}

function describeError(
  error: unknown,
  safe: readonly ErrorClass[],
  verbose: boolean,
  depth = 0,
): ErrorDescription {
  if (!(error instanceof Error)) return { class: typeof error };
  const { safeText, code } = error as { safeText?: unknown; code?: unknown };
  const own = safe.some((errorClass) => error instanceof errorClass);
  const text = typeof safeText === 'string' ? safeText : own ? error.message : undefined;
  return {
    class: error.name,
    ...(text !== undefined && { text }),
    // System and SQL codes such as ECONNREFUSED are from a fixed list.
    ...(typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) && { code }),
    ...(error.cause instanceof Error &&
      depth < 3 && { cause: describeError(error.cause, safe, verbose, depth + 1) }),
    ...(verbose && error.stack !== undefined && { stack: error.stack }),
  };
}

function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      SECRET_KEY.test(key) ? '[redacted]' : cleaned(value),
    ]),
  );
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  const plain = typeof value === 'object' && value !== null;
  if (!plain || value instanceof Error) return value;
  if (Array.isArray(value)) return value.map(cleaned);
  return withoutSecrets(value as Record<string, unknown>);
}
