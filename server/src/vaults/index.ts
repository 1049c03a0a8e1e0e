import type { AdapterName } from '../config/config.ts';
import { erc4626 } from './erc4626/index.ts';
import { erc7540 } from './erc7540/index.ts';
import type { VaultKind } from './kind.ts';
import { receiverQueue } from './receiverQueue/index.ts';

/** Every kind of vault. A contract is of the first that recognises it: each has what the later ones have. */
export const KINDS: Readonly<Record<AdapterName, VaultKind>> = {
  'receiver-queue': receiverQueue,
  erc7540,
  erc4626,
};
