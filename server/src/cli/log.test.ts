import { describe, expect, test } from 'vitest';
import { createLog, type ErrorClass, type LogLevel, readLogLevel } from './log.ts';
import { UsageError } from './usageError.ts';

class Known extends Error {
  override readonly name = 'Known';
}

function lines(level: LogLevel, use: (log: ReturnType<typeof createLog>) => void) {
  const written: string[] = [];
  const safeErrors: ErrorClass[] = [Known];
  use(createLog({ level, safeErrors, stream: { write: (line) => written.push(line) } }));
  return written;
}

function fields(line: string | undefined): Record<string, unknown> {
  const { time, ...rest } = JSON.parse(line ?? '{}');
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  return rest;
}

describe('createLog', () => {
  test('default', () => {
    const [line] = lines('info', (log) => log.info({ chain: 'base', block: 12 }, 'indexed'));
    expect(fields(line)).toEqual({ level: 'info', chain: 'base', block: 12, msg: 'indexed' });
    expect(line).toMatch(/\n$/);
  });

  test('behavior: below the level nothing is written', () => {
    expect(lines('warn', (log) => log.info('quiet'))).toEqual([]);
  });

  test('behavior: logs only the class and code of an unknown error', () => {
    const error = Object.assign(new TypeError('select secret from keys'), { code: 'ECONNREFUSED' });
    const [line] = lines('info', (log) => log.error({ err: error }, 'failed'));
    expect(fields(line).err).toEqual({ class: 'TypeError', code: 'ECONNREFUSED' });
  });

  test('behavior: safe texts of known errors, and of errors that have one', () => {
    const safe = Object.assign(new Error('raw'), { safeText: 'rpc 1 does not answer' });
    const known = new Known('the store is closed', { cause: safe });
    const [line] = lines('info', (log) => log.error({ err: known }, 'failed'));
    expect(fields(line).err).toEqual({
      class: 'Known',
      text: 'the store is closed',
      cause: { class: 'Error', text: 'rpc 1 does not answer' },
    });
  });

  test('behavior: an error alone is described the same way', () => {
    const [line] = lines('info', (log) => log.error(new Error('secret text')));
    expect(line).not.toContain('secret');
    expect(fields(line).err).toEqual({ class: 'Error' });
  });

  test('behavior: the stack only at debug', () => {
    const [line] = lines('debug', (log) => log.error({ err: new Known('x') }));
    expect(fields(line).err).toHaveProperty('stack');
  });

  test('behavior: no URL or key is logged, regardless of its position', () => {
    const url = 'https://user:hunter2@rpc.example/hunter2?key=hunter2';
    const error = Object.assign(new Known(`failed at ${url}`), { safeText: `at "${url}"` });
    const written = lines('trace', (log) => {
      log.info(`message ${url}`);
      log.info({ text: `in a field ${url}`, deep: [{ apiKey: 'hunter2', rpcUrl: 'hunter2' }] });
      log.child({ where: url }).info({ err: error, headers: { a: 'hunter2' } }, '%s', url);
      log.info({ postgres: 'postgresql://me:hunter2@db/x' });
    });
    expect(written).toHaveLength(4);
    expect(written.join('')).not.toContain('hunter2');
  });

  test('behavior: amounts keep their digits', () => {
    const [line] = lines('info', (log) => log.info({ amount: 10n ** 30n }));
    expect(fields(line).amount).toBe('1000000000000000000000000000000');
  });
});

describe('readLogLevel', () => {
  test('default', () => {
    expect(readLogLevel(undefined)).toBe('info');
    expect(readLogLevel('DEBUG')).toBe('debug');
  });

  test('error: an unknown level', () => {
    expect(() => readLogLevel('loud')).toThrow(UsageError);
  });
});
