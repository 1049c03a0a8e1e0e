import type { AdapterName } from '../../config/config.ts';
import { erc4626 } from './erc4626.ts';
import { erc7540 } from './erc7540.ts';
import type { KindReads } from './kind.ts';
import { rated } from './rated.ts';
import { receiverQueue } from './receiverQueue.ts';

/** The code does not compile without every kind: a new kind must define its checks. */
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
