import { deriveWallets } from '../../../devnet/src/wallet.ts';
import { type Address, lower } from '../../src/domain/hex.ts';

export const HOUR = 3600;
export const DAY = 24 * HOUR;
export const UNLIMITED = 2n ** 256n - 1n;

const NAMES = [
  ...['ann', 'bob', 'cleo', 'dan', 'eve', 'fay', 'gus', 'hal'],
  ...['ida', 'jon', 'kim', 'leo', 'mia', 'ned', 'olga', 'pam'],
] as const;
type Name = (typeof NAMES)[number];

/** The same sixteen wallets take part in every scenario. */
export type Cast = Readonly<Record<Name, Address>>;

export function createCast(): Cast {
  return Object.fromEntries(
    addresses('wallet', NAMES.length).map((address, index) => [NAMES[index]!, address]),
  ) as Cast;
}

/** Derives more accounts from a label. */
export function addresses(label: string, count: number): Address[] {
  return deriveWallets('real vaults', label, count).map(({ address }) => lower(address));
}
