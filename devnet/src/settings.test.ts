import { describe, expect, test } from 'vitest';
import { BadSetting, readSettings } from './settings.ts';

describe('readSettings', () => {
  test('default', () => {
    expect(readSettings({})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      adminPort: 9464,
      firstPort: undefined,
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
});
