import { type FlagValues, readWholeNumber } from './flags.ts';

export interface VerifyArguments {
  readonly command: 'verify';
  /** Null: every family. */
  readonly family: string | null;
  /** How many wallets of each family are drawn, besides the biggest. */
  readonly wallets: number;
  /** The same seed draws the same wallets; null: other ones each time. */
  readonly seed: string | null;
}

const DEFAULT_WALLETS = 20;
const MOST_WALLETS = 100_000;

export function readVerify(flags: FlagValues): VerifyArguments {
  return {
    command: 'verify',
    family: flags.get('family') ?? null,
    wallets: readWholeNumber(flags, 'wallets', { from: 0, to: MOST_WALLETS }) ?? DEFAULT_WALLETS,
    seed: flags.get('seed') ?? null,
  };
}
