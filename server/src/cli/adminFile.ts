import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How an operator's command reaches the server that uses the store folder. */
export interface AdminAccess {
  readonly pid: number;
  readonly port: number;
  readonly token: string;
}

function fileIn(folder: string): string {
  return join(folder, 'admin.json');
}

/** Only the user that runs the server can read the file. */
export async function writeAdminAccess(folder: string, access: AdminAccess): Promise<void> {
  const draft = `${fileIn(folder)}.draft-${randomUUID().slice(0, 8)}`;
  try {
    // `wx`: the mode applies only to a new file, and no link is followed.
    await writeFile(draft, JSON.stringify(access), { mode: 0o600, flag: 'wx' });
    await rename(draft, fileIn(folder));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Returns undefined if it does not exist or cannot be read. */
export async function findAdminAccess(folder: string): Promise<AdminAccess | undefined> {
  try {
    const access = JSON.parse(await readFile(fileIn(folder), 'utf8')) as Partial<AdminAccess>;
    const { pid, port, token } = access;
    const complete =
      Number.isInteger(pid) && Number.isInteger(port) && /^[\w-]{20,}$/.test(token ?? '');
    return complete ? (access as AdminAccess) : undefined;
  } catch {
    return undefined;
  }
}

export async function removeAdminAccess(folder: string): Promise<void> {
  await rm(fileIn(folder), { force: true });
}
