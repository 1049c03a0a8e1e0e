import type { AdapterName } from '../../config/config.ts';
import { erc4626 } from './erc4626.ts';
import { erc7540 } from './erc7540.ts';
import type { KindReads } from './kind.ts';
import { rated } from './rated.ts';
import { receiverQueue } from './receiverQueue.ts';

/** A kind that is not here does not compile: whoever adds one says how it is checked. */
export function kindOf(adapter: AdapterName): KindReads {
  switch (adapter) {
    case 'receiver-queue':
      return receiverQueue;
    case 'erc4626':
      return erc4626;
    case 'erc7540':
      return erc7540;
    case 'rated':
      return rated;
    default:
      return adapter satisfies never;
  }
}
