import type { AdapterName } from '../config/config.ts';
import { erc4626 } from './erc4626/index.ts';
import { erc7540 } from './erc7540/index.ts';
import type { VaultKind } from './kind.ts';
import { receiverQueue } from './receiverQueue/index.ts';

export const KINDS: Readonly<Record<AdapterName, VaultKind>> = {
  'receiver-queue': receiverQueue,
  erc4626,
  erc7540,
};
