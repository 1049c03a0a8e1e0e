import type { AdapterName } from '../config/config.ts';
import { erc4626 } from './erc4626/index.ts';
import { erc7540 } from './erc7540/index.ts';
import type { VaultKind } from './kind.ts';
import { rated } from './rated/index.ts';
import { receiverQueue } from './receiverQueue/index.ts';

/**
 * Every kind of vault. The first kind that recognizes a contract is used: each kind has the functions of the later
 * ones.
 */
export const KINDS: Readonly<Record<AdapterName, VaultKind>> = {
  'receiver-queue': receiverQueue,
  erc7540,
  erc4626,
  rated,
};
