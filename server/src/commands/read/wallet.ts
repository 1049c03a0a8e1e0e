import type { Flag, FlagValues } from '../../cli/flags.ts';
import { UsageError } from '../../cli/usageError.ts';

export const WALLET_FLAGS: Readonly<Record<string, Flag>> = {
  family: { value: 'SLUG', text: 'in one vault family only' },
};

/** The server holds its capitals against the checksum; what is no address at all never gets there. */
export function readWallet(flags: FlagValues, walletAddress: string) {
  if (!/^0x[0-9a-f]{40}$/i.test(walletAddress)) {
    throw new UsageError('a wallet is 0x and 40 hexadecimal digits; correct it');
  }
  return { walletAddress, family: flags.get('family') };
}
