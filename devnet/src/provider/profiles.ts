import type { Profile } from './profile.ts';
import { ALCHEMY_FREE } from './profiles/alchemyFree.ts';
import { ANKR_FREEMIUM } from './profiles/ankrFreemium.ts';
import { BALANCED_LOSSY } from './profiles/balancedLossy.ts';
import { BASE_PUBLIC } from './profiles/basePublic.ts';
import { CHAINSTACK_FREE } from './profiles/chainstackFree.ts';
import { INFURA_FREE } from './profiles/infuraFree.ts';
import { PUBLICNODE } from './profiles/publicnode.ts';
import { RETH_PRUNED } from './profiles/rethPruned.ts';

export type ProfileName =
  | 'alchemy-free'
  | 'infura-free'
  | 'ankr-freemium'
  | 'chainstack-free'
  | 'base-public'
  | 'publicnode'
  | 'reth-pruned'
  | 'balanced-lossy';

/**
 * Eight RPC plans as they behaved in the autumn of 2026. Chosen, not known of the provider: bursts, except Alchemy's and
 * Base's; PublicNode's rate and depths; batch limits of Infura and Chainstack; result limits of Chainstack, Base, and
 * PublicNode; how the others reject long batches and results; reth's log depth; every share and duration of a fault.
 */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  'alchemy-free': ALCHEMY_FREE,
  'infura-free': INFURA_FREE,
  'ankr-freemium': ANKR_FREEMIUM,
  'chainstack-free': CHAINSTACK_FREE,
  'base-public': BASE_PUBLIC,
  publicnode: PUBLICNODE,
  'reth-pruned': RETH_PRUNED,
  'balanced-lossy': BALANCED_LOSSY,
};

export const PROFILE_NAMES = Object.keys(PROFILES) as ProfileName[];

export function isProfileName(name: string): name is ProfileName {
  return Object.hasOwn(PROFILES, name);
}
