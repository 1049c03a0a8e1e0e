import { describe, expect, test } from 'vitest';
import { BadSetting, readSettings } from './settings.ts';

describe('readSettings', () => {
  test('default', () => {
    expect(readSettings({})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      adminPort: 9464,
      firstPort: undefined,
      provider: undefined,
    });
  });

  test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('behavior: HOST=%s', (HOST) => {
    expect(readSettings({ HOST }).host).toBe(HOST);
  });

  test.each(['0.0.0.0', '::', '192.168.1.4', 'example.com', '127.0.0.1.example.com'])(
    'error: HOST=%s is not loopback',
    (HOST) => {
      expect(() => readSettings({ HOST })).toThrow(BadSetting);
    },
  );

  test.each(['x', '-1', '65536', '80.5'])('error: PORT=%s', (PORT) => {
    expect(() => readSettings({ PORT })).toThrow(/^PORT=/);
  });

  test.each([['--provider', 'chainstack-free'], ['--provider=chainstack-free']])(
    'behavior: %s %s',
    (...args) => {
      expect(readSettings({}, args).provider).toBe('chainstack-free');
    },
  );

  test.each([['--provider', 'no-such'], ['--provider='], ['--provider']])(
    'error: %s %s lists the providers',
    (...args) => {
      expect(() => readSettings({}, args)).toThrow(
        'is not a provider: use alchemy-free, infura-free, ankr-freemium, chainstack-free, base-public, publicnode, reth-pruned, or balanced-lossy.',
      );
    },
  );

  test.each([['--providers'], ['-p'], ['chainstack-free']])('error: %s', (argument) => {
    expect(() => readSettings({}, [argument])).toThrow(`${argument} is not an option`);
  });
});
