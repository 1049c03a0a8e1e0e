import type { Flag, FlagValues } from '../../cli/flags.ts';
import { UsageError } from '../../cli/usageError.ts';
import { COST_METHODS } from '../../domain/wallet/accounting/costMethod.ts';

export const WALLET_FLAGS: Readonly<Record<string, Flag>> = {
  family: { value: 'SLUG', text: 'Only this vault family' },
};

export const METHOD_FLAG = {
  method: {
    value: 'METHOD',
    text: 'Cost method: average (default), fifo, lifo, or hifo',
    choices: COST_METHODS,
  },
} as const;

/** The server verifies the checksum; text that is not an address is never sent. */
export function readWallet(flags: FlagValues, walletAddress: string) {
  if (!/^0x[0-9a-f]{40}$/i.test(walletAddress)) {
    throw new UsageError('a wallet address is 0x and 40 hexadecimal digits; correct it');
  }
  return { walletAddress, family: flags.get('family') };
}
