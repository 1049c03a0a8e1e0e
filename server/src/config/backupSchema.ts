import { type Static, Type } from 'typebox';
import type { BackupConfig } from './config.ts';
import { mapping, pattern, whole } from './schemaFields.ts';

export const BACKUP_DEFAULTS = { every: '24h', keep: 7, folder: '.assay/backups' } as const;

const UNIT_SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };

export const backup = mapping(
  {
    every: Type.Optional(
      pattern('^[1-9][0-9]{0,3}[mhd]$', {
        description: 'Interval between backups, in minutes (m), hours (h), or days (d).',
        errorMessage: 'must be a time such as 30m, 24h or 7d',
        default: BACKUP_DEFAULTS.every,
        examples: [BACKUP_DEFAULTS.every],
      }),
    ),
    keep: Type.Optional(
      whole(1, 1_000, {
        description:
          'Number of complete backups to keep. The oldest is removed after a new one is complete.',
        default: BACKUP_DEFAULTS.keep,
      }),
    ),
    folder: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Folder for the backups of this store only, relative to the working directory and preferably on another disk.',
        errorMessage: 'must be the path of a folder',
        default: BACKUP_DEFAULTS.folder,
      }),
    ),
  },
  'Backs up the embedded database on a schedule. Omit it with DATABASE_URL, and back up PostgreSQL with its own tools.',
);

export function toBackup(read: Static<typeof backup>): BackupConfig {
  const every = read.every ?? BACKUP_DEFAULTS.every;
  return {
    everySeconds: Number(every.slice(0, -1)) * UNIT_SECONDS[every.slice(-1)]!,
    keep: read.keep ?? BACKUP_DEFAULTS.keep,
    folder: read.folder ?? BACKUP_DEFAULTS.folder,
  };
}
