import { describe, expect, test } from 'vitest';
import { choosePrimary, type HostReport, type KnownPrimary } from './choosePrimary.ts';

const host = (
  url: string,
  timeline: number | null,
  more: Partial<HostReport> = {},
): HostReport => ({
  url,
  timeline,
  cluster: '7',
  server: `started ${url}`,
  ...more,
});
const known = (url: string, timeline: number): KnownPrimary => ({
  url,
  timeline,
  cluster: '7',
  server: `started ${url}`,
});

describe('choosePrimary', () => {
  test.each<[string, HostReport[], KnownPrimary | undefined, ReturnType<typeof summary>]>([
    ['one primary', [host('a', 1), host('b', null)], undefined, ['a', undefined, false]],
    ['no host responds', [], undefined, [undefined, undefined, false]],
    ['only replicas', [host('a', null), host('b', null)], undefined, [undefined, undefined, false]],
    ['the newer of two', [host('a', 1), host('b', 2)], undefined, ['b', undefined, true]],
    [
      'the newer of two, by name',
      [host('a', 3), host('b', 2)],
      known('b', 2),
      ['a', undefined, true],
    ],
    ['an old primary alone', [host('a', 1)], known('b', 2), [undefined, 'old-primary', false]],
    ['two promotions', [host('a', 2), host('b', 2)], undefined, [undefined, 'two-primaries', true]],
    [
      'two promotions, one away',
      [host('a', 2)],
      known('b', 2),
      [undefined, 'two-primaries', false],
    ],
    ['a restart', [host('b', 2, { server: 'later' })], known('b', 2), ['b', undefined, false]],
    [
      'two names of one server',
      [host('a', 2, { server: 's' }), host('b', 2, { server: 's' })],
      undefined,
      ['a', undefined, false],
    ],
    [
      'two clusters',
      [host('a', 1), host('b', 9, { cluster: '8' })],
      undefined,
      [undefined, 'other-cluster', false],
    ],
    [
      'a host of another cluster beside the known one',
      [host('a', 1), host('b', 9, { cluster: '8' })],
      known('a', 1),
      ['a', undefined, false],
    ],
    [
      'only a host of another cluster',
      [host('b', 9, { cluster: '8' })],
      known('a', 1),
      [undefined, 'other-cluster', false],
    ],
    [
      'a role that may not read the cluster',
      [host('a', 1, { cluster: null }), host('b', 2, { cluster: null })],
      undefined,
      ['b', undefined, true],
    ],
  ])('%s', (_, reports, before, expected) => {
    expect(summary(choosePrimary(reports, before))).toEqual(expected);
  });
});

function summary({ primary, refusal, split }: ReturnType<typeof choosePrimary>) {
  return [primary?.url, refusal, split] as const;
}
