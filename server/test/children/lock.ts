// Locks the folder given as argument and holds the lock until killed. The second argument makes it look like a process
// of another machine.
import { FolderLocked, FolderLockedElsewhere, lockFolder } from '../../src/store/folderLock.ts';
import { thisMachine } from '../../src/store/lockHolder.ts';

const [folder, machine = '{}'] = process.argv.slice(2);
try {
  await lockFolder(folder!, { ...thisMachine(), ...JSON.parse(machine) });
  console.log('locked');
  setInterval(() => undefined, 60_000);
} catch (error) {
  if (!(error instanceof FolderLocked || error instanceof FolderLockedElsewhere)) throw error;
  console.log(error.message);
}
