import { describe, expect, test } from 'vitest';
import { ConfigError } from '../config/problem.ts';
import { describeFailure } from './failure.ts';
import { UsageError } from './usageError.ts';

class Known extends Error {}

describe('describeFailure', () => {
  test('default', () => {
    const problems = [
      { line: 3, path: 'chains[0].id', message: 'is missing; add it' },
      { line: null, path: '', message: 'is odd' },
    ];
    expect(describeFailure(new ConfigError('assay.yaml', problems), [])).toEqual({
      text: 'assay.yaml:3: chains[0].id is missing; add it\nassay.yaml: is odd',
      exitCode: 2,
    });
  });

  test('behavior: invalid usage has its own exit code', () => {
    const failure = { text: 'assay: unknown command "x"', exitCode: 2 };
    expect(describeFailure(new UsageError('unknown command "x"'), [])).toEqual(failure);
  });

  test('behavior: errors with a safe message', () => {
    const safe = Object.assign(new Error('raw'), { safeText: 'rpc 1 is away' });
    expect(describeFailure(safe, [])).toEqual({ text: 'assay: rpc 1 is away', exitCode: 1 });
    expect(describeFailure(new Known('port 1 is taken'), [Known]).text).toBe(
      'assay: port 1 is taken',
    );
  });

  test('error: shows only the class of any other error', () => {
    for (const thrown of [new TypeError('https://secret'), 'secret', null]) {
      const { text, exitCode } = describeFailure(thrown, [Known]);
      expect(text).not.toContain('secret');
      expect(exitCode).toBe(1);
    }
  });
});
