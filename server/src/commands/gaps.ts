import { getFamilyGaps } from '../store/gaps/familyGaps.ts';
import type { StoreCommand } from './storeCommand.ts';

/** For `assay doctor` while a server uses the embedded database: prints each gap as a line of JSON. */
export const gapsOfStore: StoreCommand<object> = {
  name: 'gaps',
  async runOn({ store }, _args, print) {
    for (const gap of await getFamilyGaps(store)) print(JSON.stringify(gap));
    return 0;
  },
};
