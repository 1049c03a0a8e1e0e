import type { ListedVault } from '@assay/client';

export type Family = ListedVault<bigint>;
