import * as core from '@yo-protocol/core';

type Address = `0x${string}`;

/** An amount in the legacy API's format. */
export interface FormattedValue {
  readonly raw: string | number;
  readonly formatted: string;
}

interface Yields {
  readonly '1d': string | null;
  readonly '7d': string | null;
  readonly '30d': string | null;
}

interface Point {
  readonly timestamp: number;
  readonly value: number;
}

/** Reads a vault, or a wallet in it, through the client. */
type Of<Answer> = (api: unknown, network: string, vault: Address) => Promise<Answer>;
type OfWallet<Answer> = (
  api: unknown,
  network: string,
  vault: Address,
  wallet: Address,
  limit?: number,
) => Promise<Answer>;

/**
 * The published client of the legacy API. Its declarations name files without extensions, which this project's module
 * resolution does not find, so the functions that the tests use are declared here.
 */
export const publishedClient = core as unknown as {
  createApiClient(options: { readonly baseUrl: string }): unknown;
  readonly CHAIN_ID_TO_NETWORK: Readonly<Record<number, string>>;
  readonly getVaultSnapshot: Of<{
    readonly stats: {
      readonly yield: Yields;
      readonly rewardYield: string | null;
      readonly protocolStats: readonly { readonly yield: Yields }[];
    };
  }>;
  readonly getVaultYieldTimeseries: Of<Point[]>;
  readonly getVaultTvlTimeseries: Of<Point[]>;
  readonly getVaultPendingRedeems: Of<unknown>;
  readonly getUserPendingRedemptions: OfWallet<unknown>;
  readonly getUserTransactionHistory: OfWallet<unknown[]>;
  readonly getUserPerformance: OfWallet<unknown>;
  getUserPoints(api: unknown, wallet: Address): Promise<unknown>;
};
