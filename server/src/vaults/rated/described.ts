import type { RatedConfig } from '../../config/rated/description.ts';
import type { VaultOnChain } from '../kind.ts';

/** Every chain of a family of this kind has a description: the file is not loaded without it. */
export function describedOf({ chain }: Pick<VaultOnChain, 'chain'>): RatedConfig {
  return chain.rated!;
}
