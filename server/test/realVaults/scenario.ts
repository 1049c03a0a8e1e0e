import { getAddress } from 'viem';
import { stringify } from 'yaml';
import type { Address, Hex } from '../../src/domain/hex.ts';
import type { Book } from './book.ts';
import type { LocalChain } from './chain.ts';

export type Kind = 'erc4626' | 'receiver-queue' | 'erc7540' | 'rated';

/** A family's vault on one chain, as a user can describe it who only knows addresses. */
export interface Place {
  readonly chain: LocalChain;
  /** The vault of the file first, then further ones over the same share token. */
  readonly vaults: readonly Address[];
  readonly share: Address;
  /** Of the first vault. */
  readonly asset: Address;
  readonly startBlock: number;
  readonly role?: 'settlement' | 'execution';
  /** Contracts that hold shares or assets for others; the vaults themselves among them. */
  readonly custody: readonly Address[];
  /** Held by these for whoever hands them shares within a transaction. */
  readonly routers?: readonly Address[];
  /** What the file says of the vault besides its address and routers. */
  readonly keys?: Readonly<Record<string, unknown>>;
  /** Shares that the vault's conversion counts beyond totalSupply. */
  readonly virtualShares?: bigint;
  /** The conversion already leaves out fees that are not minted yet. */
  readonly dilutes?: boolean;
  /** Holds assets of redemptions that cool down (plain vaults). */
  readonly silo?: Address;
  /** Shares that transfers brought and totalSupply does not count any more: profit that time has unlocked. */
  uncounted?(block: number): Promise<bigint>;
  /** A request burns its shares, so custody holds none of them. */
  readonly burnsRequests?: boolean;
  /** The last block up to this one at which the vault reported claimable amounts: a paused vault reports 0. */
  spokenAt?(block: number): Promise<number>;
  /** Deposits are taken at once, only redemptions are requested: maxMint means how many may enter. */
  readonly depositsAtOnce?: boolean;
  /** Shares that wait for a wallet in a queue outside the vault (plain vaults with custody). */
  queued?(wallet: Address, block: number): Promise<bigint>;
  /** What a vault fixed for the pending requests of a wallet (ERC-7540 with a timelock). */
  promised?(wallet: Address, block: number): Promise<bigint>;
  /** What such a queue says itself of a wallet. */
  outside?(wallet: Address, block: number): Promise<Outside>;
  /** What it owes for shares that are gone, to all wallets. */
  owed?(block: number): Promise<bigint>;
  /** Of a share token with a rate (rated), which has none of the calls of ERC-4626. */
  readonly rated?: RatedWords;
}

/** What the contracts around a share token say, by calls alone. */
export interface RatedWords {
  readonly assetDecimals: number;
  /** The first topic of what moves shares, where it is not Transfer. */
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
  /** Processed, and not taken out. */
  readonly claimableShares: bigint;
  readonly claimableAssets: bigint;
  /** Owed for shares that are gone. */
  readonly pendingAssets: bigint;
}

export interface Family {
  readonly slug: string;
  readonly kind: Kind;
  readonly places: readonly Place[];
  /** Who may have something waiting without ever having had a share. */
  readonly wallets?: readonly Address[];
  /** What the file says of the family besides. */
  readonly keys?: Readonly<Record<string, unknown>>;
}

/** A Chainlink-shaped feed of a base asset. */
export interface Feed {
  readonly name: string;
  readonly chain: LocalChain;
  readonly proxy: Address;
  readonly startBlock: number;
}

/** Everything that was played on some chains, with what must come out. */
export interface Scenario {
  readonly families: readonly Family[];
  readonly book: Book;
  readonly feeds?: readonly Feed[];
  /** The file that it is served with names families that cannot be read, so status always has an error. */
  readonly halted?: boolean;
}

export const FINALITY = 12;
export const TICKS = { liveSeconds: 300, backfillSeconds: 3600 };
export const MAX_PRICE_AGE = 2 * 86_400;

export function chainsOf({ families, feeds = [] }: Scenario): LocalChain[] {
  const places = families.flatMap((family) => family.places);
  return [...new Set([...places, ...feeds].map(({ chain }) => chain))];
}

/** The file with which all of it is served: what a vault team would write. */
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
      // A busy machine is no dead node.
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
