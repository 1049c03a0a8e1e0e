// Locks the folder given as argument and holds it until killed; as a process of another machine when that is given.
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
