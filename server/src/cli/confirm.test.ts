import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { askHidden, confirm } from './confirm.ts';

describe('confirm', () => {
  test.each([
    ['y\n', true],
    ['YES\n', true],
    ['n\n', false],
    ['\n', false],
    ['yeah\n', false],
    ['', false],
  ])('behavior: %j', async (typed, expected) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const answered = confirm('Overwrite it?', { input, output });
    input.end(typed);
    expect(await answered).toBe(expected);
    expect(String(output.read())).toBe('Overwrite it? [y/N] ');
  });
});

describe('askHidden', () => {
  test.each([
    ['pass word\n', 'pass word'],
    ['abc\u007fd\r', 'abd'],
    ['', ''],
  ])('behavior: %j', async (typed, expected) => {
    const [input, errors] = [new PassThrough(), new PassThrough()];
    const answered = askHidden('Password: ', { input, errors });
    input.end(typed);
    expect(await answered).toBe(expected);
    expect(String(errors.read())).toBe('Password: \n');
  });
});
