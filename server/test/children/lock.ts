// Locks the folder given as argument and holds it until killed.
import { FolderLocked, lockFolder } from '../../src/store/folderLock.ts';

try {
  await lockFolder(process.argv[2]!);
  console.log('locked');
  setInterval(() => undefined, 60_000);
} catch (error) {
  if (!(error instanceof FolderLocked)) throw error;
  console.log(error.message);
}
