import {
  getPerformance,
  getStatement,
  isAssayError,
  type Performance,
  type WalletStatement,
} from '@assay/client';
import { errorMessage } from '../components/states.tsx';
import { client } from '../state/api.ts';

/** Several wallets of one owner. */
export interface Together {
  /** The current year of all wallets that could be read, as one owner. */
  readonly statement: WalletStatement<bigint>;
  /** Each wallet alone. */
  readonly wallets: readonly Performance<bigint>[];
  /** Wallets that could not be read: the statement does not include them. */
  readonly missing: readonly { readonly wallet: string; readonly why: string }[];
}

/**
 * Reads each wallet, then the sums of those that could be read. Cost and results are the server's: a transfer between two
 * wallets of one owner changes neither, so they are not the sums over the wallets.
 */
export async function readTogether(
  wallets: readonly string[],
  signal: AbortSignal,
): Promise<Together> {
  const options = { signal, amounts: 'bigint' } as const;
  const found = await Promise.all(
    wallets.map((walletAddress) =>
      getPerformance(client, { walletAddress, ...options }).catch((error: unknown) => {
        if (!isAssayError(error, 'problem')) throw error;
        return { wallet: walletAddress, error };
      }),
    ),
  );
  const read = found.filter((one): one is Performance<bigint> => 'families' in one);
  const failed = found.filter((one) => 'error' in one);
  const [first, ...others] = read.map(({ wallet }) => wallet);
  if (first === undefined) throw failed[0]!.error;
  const statement = await getStatement(client, {
    ...{ walletAddress: first, ...options },
    ...(others.length > 0 && { wallets: others.join(',') }),
  });
  return {
    ...{ statement, wallets: read },
    missing: failed.map(({ wallet, error }) => ({ wallet, why: errorMessage(error) })),
  };
}
