import { type CheckLine, pass, warn } from '../check/line.ts';
import type { BackupConfig } from '../config/config.ts';
import { listBackups, newestBackup } from '../store/backupFolder.ts';
import { CopyRefused } from '../store/storeCopy.ts';

/** Returns nothing if no backups are scheduled. */
export async function examineBackups(
  config: BackupConfig | undefined,
  now: number,
): Promise<CheckLine[]> {
  if (config === undefined) return [];
  const { folder, everySeconds } = config;
  const fix = 'see the log of the server, which makes backups while it runs';
  try {
    const backups = await listBackups(folder);
    const newest = newestBackup(backups, now);
    if (newest === undefined) return [warn('backup', `there is none in ${folder} yet`, fix)];
    const hours = ((now - newest.at) / 3600).toFixed(1);
    const found = `the newest of ${backups.length} in ${folder} is ${hours} hours old`;
    return [
      now - newest.at > 2 * everySeconds ? warn('backup', found, fix) : pass(`backup: ${found}`),
    ];
  } catch (error) {
    if (!(error instanceof CopyRefused)) throw error;
    return [warn('backup', `${folder} cannot be read`, 'run this as the user of the server')];
  }
}
