import { describe, expect, test } from 'vitest';
import { parseConfig } from './load.ts';
import { ConfigError } from './problem.ts';

function parse(backup: string, env: Record<string, string> = {}) {
  const text = `chains: [{ id: 8453, name: base }]
families: []
${backup}
`;
  return parseConfig({ file: 'assay.yaml', text, env }).backup;
}

function mistake(backup: string, env: Record<string, string> = {}): string {
  try {
    parse(backup, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

describe('backup', () => {
  test('default', () => {
    expect(parse('')).toBeUndefined();
    expect(parse('backup: {}')).toEqual({
      everySeconds: 86_400,
      keep: 7,
      folder: '.assay/backups',
    });
    expect(parse('backup: { every: 7d, keep: 1, folder: /srv/backups }')).toEqual({
      everySeconds: 7 * 86_400,
      keep: 1,
      folder: '/srv/backups',
    });
    expect(parse('backup: { every: 30m }')!.everySeconds).toBe(1_800);
  });

  test('error: a time without a unit, no backups to keep, and a folder inside the store', () => {
    expect(mistake('backup: { every: 24 }')).toContain('must be a time such as 30m, 24h or 7d');
    expect(mistake('backup: { every: 0h }')).toContain('must be a time such as 30m, 24h or 7d');
    expect(mistake('backup: { keep: 0 }')).toContain('must be an integer from 1 to 1000');
    for (const folder of ['.assay/store', './.assay/store/data/../backups']) {
      expect(mistake(`backup: { folder: ${folder} }`)).toBe(
        'assay.yaml:3: backup.folder is within store.folder, and would be lost with it; choose another folder, preferably on another disk',
      );
    }
    expect(mistake('backup: { folder: .assay/store.backups }')).toBe('');
  });

  test('error: PostgreSQL has its own tools', () => {
    expect(mistake('backup: {}', { DATABASE_URL: 'postgres://db/assay' })).toMatch(
      /^assay\.yaml:3: backup is for the embedded database, .*pg_dump.*\(docs\/operate\.md, Back up\)$/,
    );
  });
});
