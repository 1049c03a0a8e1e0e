import { describe, expect, test } from 'vitest';
import { byName, isLoopbackHost, isSamePlace } from './loopback.ts';

describe('isLoopbackHost', () => {
  test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.9.9.9', '::1', '[::1]'])('%s', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  test.each([
    '0.0.0.0',
    '::',
    '10.0.0.1',
    'example.com',
    'localhost.example.com',
    '',
    '1127.0.0.1',
  ])('not %s', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });
});

describe('byName', () => {
  const listening = 'http://127.0.0.1:8080';
  test.each([
    ['localhost:8080', 'http://localhost:8080'],
    ['LocalHost:8080', 'http://localhost:8080'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['127.0.0.1:8080', listening],
    // Another port is another server; another host name could be anything.
    ['localhost:9090', listening],
    ['localhost', listening],
    ['evil.example.com:8080', listening],
    ['localhost:8080/evil', listening],
    ['evil@localhost:8080', listening],
    [undefined, listening],
  ])('%s', (host, url) => {
    expect(byName(listening, host)).toBe(url);
  });

  test('behavior: a server for others is called by its own name', () => {
    expect(byName('https://risk.example.com', 'localhost')).toBe('https://risk.example.com');
  });
});

describe('isSamePlace', () => {
  test.each([
    ['http://localhost:8080/a?b=c', 'http://127.0.0.1:8080/a?b=c', true],
    ['http://localhost/a', 'http://[::1]/a', true],
    ['http://localhost:8080/a', 'http://127.0.0.1:8080/b', false],
    ['http://localhost:8080/a', 'http://127.0.0.1:8081/a', false],
    ['https://localhost:8080/a', 'http://127.0.0.1:8080/a', false],
    ['http://example.com/a', 'http://127.0.0.1/a', false],
    ['loopback:8080/a', 'http://127.0.0.1:8080/a', false],
    ['https://example.com/a', 'https://example.com/a', true],
  ])('%s and %s', (one, other, same) => {
    expect(isSamePlace(one, other)).toBe(same);
  });
});
