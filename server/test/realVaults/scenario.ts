import { getAddress } from 'viem';
import { stringify } from 'yaml';
import type { Address, Hex } from '../../src/domain/hex.ts';
import type { Book } from './book.ts';
import type { LocalChain } from './chain.ts';

export type Kind = 'erc4626' | 'receiver-queue' | 'erc7540' | 'rated';

/** A family's vault on one chain, as a user who knows only addresses can describe it. */
export interface Place {
  readonly chain: LocalChain;
  /** The vault of the configuration first, then additional vaults over the same share token. */
  readonly vaults: readonly Address[];
  readonly share: Address;
  /** The first vault's asset. */
  readonly asset: Address;
  readonly startBlock: number;
  readonly role?: 'settlement' | 'execution';
  /** Contracts that hold shares or assets for others, including the vaults themselves. */
  readonly custody: readonly Address[];
  /** Routers hold shares only for the account that sends them within the transaction. */
  readonly routers?: readonly Address[];
  /** More keys of the vault in the configuration, besides its address and routers. */
  readonly keys?: Readonly<Record<string, unknown>>;
  /** Shares that the vault's conversion counts in addition to totalSupply. */
  readonly virtualShares?: bigint;
  /** The conversion already deducts fees that are not minted yet. */
  readonly dilutes?: boolean;
  /** The contract with the assets of redemptions that cool down (plain vaults). */
  readonly silo?: Address;
  /** Shares that transfers brought but totalSupply leaves out: profit that time has unlocked. */
  uncounted?(block: number): Promise<bigint>;
  /** A request burns its shares, so custody holds none of them. */
  readonly burnsRequests?: boolean;
  /** Returns the last block up to this one at which the vault reported claimable amounts: a paused vault reports 0. */
  spokenAt?(block: number): Promise<number>;
  /** Deposits are immediate and only redemptions are requested, so maxMint is the deposit limit. */
  readonly depositsAtOnce?: boolean;
  /** Returns a wallet's pending shares in a queue outside the vault (plain vaults with custody). */
  queued?(wallet: Address, block: number): Promise<bigint>;
  /** Returns the assets that the vault fixed for a wallet's pending requests (ERC-7540 with a timelock). */
  promised?(wallet: Address, block: number): Promise<bigint>;
  /** Returns a wallet's amounts as the outside queue reports them. */
  outside?(wallet: Address, block: number): Promise<Outside>;
  /** Returns the assets owed to all wallets for burned shares. */
  owed?(block: number): Promise<bigint>;
  /** The reads of a share token with a rate (rated), which has none of ERC-4626's functions. */
  readonly rated?: RatedWords;
}

/** Reads of a share token and the contracts around it, by calls alone. */
export interface RatedWords {
  readonly assetDecimals: number;
  /** The first topic of the event that moves shares, if it is not Transfer. */
  readonly moves?: Hex;
  /** Null while there is no rate. */
  ratio(block: number): Promise<{ assets: bigint; shares: bigint } | null>;
  supply(block: number): Promise<bigint>;
  balance(wallet: Address, block: number): Promise<bigint>;
  queue?(wallet: Address, block: number): Promise<Partial<RatedQueue>>;
}

export interface RatedQueue {
  readonly shares: bigint;
  readonly requestedAssets: bigint;
  readonly claimableShares: bigint;
  readonly claimableAssets: bigint;
}

export interface Outside {
  /** Processed but not yet withdrawn. */
  readonly claimableShares: bigint;
  readonly claimableAssets: bigint;
  /** Owed for burned shares. */
  readonly pendingAssets: bigint;
}

export interface Family {
  readonly slug: string;
  readonly kind: Kind;
  readonly places: readonly Place[];
  /** Wallets that may have pending requests without ever having had a share. */
  readonly wallets?: readonly Address[];
  /** More keys of the family in the configuration. */
  readonly keys?: Readonly<Record<string, unknown>>;
}

/** A Chainlink-compatible feed of a base asset. */
export interface Feed {
  readonly name: string;
  readonly chain: LocalChain;
  readonly proxy: Address;
  readonly startBlock: number;
}

/** Families on their chains with the expected results. */
export interface Scenario {
  readonly families: readonly Family[];
  readonly book: Book;
  readonly feeds?: readonly Feed[];
  /** The configuration names families that cannot be read, so status always has an error. */
  readonly halted?: boolean;
}

export const FINALITY = 12;
export const TICKS = { liveSeconds: 300, backfillSeconds: 3600 };
export const MAX_PRICE_AGE = 2 * 86_400;

export function chainsOf({ families, feeds = [] }: Scenario): LocalChain[] {
  const places = families.flatMap((family) => family.places);
  return [...new Set([...places, ...feeds].map(({ chain }) => chain))];
}

/** Returns the configuration that serves the whole scenario, as a vault team would write it. */
export function configOf(scenario: Scenario, storeFolder = 'unused'): string {
  return stringify({
    http: { host: '127.0.0.1', port: 0, adminPort: 0 },
    store: { folder: storeFolder },
    ticks: TICKS,
    chains: chainsOf(scenario).map(({ chainId, url }) => ({
      id: chainId,
      name: `chain-${chainId}`,
      rpc: [url],
      finality: { depth: FINALITY },
      pollSeconds: 0.1,
      // A busy machine must not look like a failed RPC endpoint.
      timeoutSeconds: 60,
    })),
    prices: {
      maxAgeSeconds: MAX_PRICE_AGE,
      feeds: Object.fromEntries(
        (scenario.feeds ?? []).map(({ name, chain, proxy, startBlock }) => [
          name,
          { aggregator: getAddress(proxy), chain: chain.chainId, startBlock },
        ]),
      ),
    },
    families: scenario.families.map(familyOf),
  });
}

function familyOf({ slug, kind, places, keys }: Family) {
  const address = places[0]!.vaults[0]!;
  return {
    slug,
    name: slug,
    address: getAddress(address),
    adapter: kind,
    base: { marketDataId: `${slug}-base` },
    share: { marketDataId: slug },
    ...keys,
    chains: places.map(
      ({ chain, vaults, role = 'settlement', startBlock, routers, keys: own }) => ({
        chain: chain.chainId,
        role,
        startBlock,
        ...(vaults[0] !== address && { address: getAddress(vaults[0]!) }),
        ...(vaults.length > 1 && { vaults: vaults.slice(1).map((vault) => getAddress(vault)) }),
        ...(routers && { routers: routers.map((router) => getAddress(router)) }),
        ...own,
      }),
    ),
  };
}
