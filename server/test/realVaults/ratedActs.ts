import { getAddress } from 'viem';
import { type Address, type Hex, lower } from '../../src/domain/hex.ts';
import { type Book, createBook } from './book.ts';
import { type Contract, createLocalChain, type LocalChain, type Receipt } from './chain.ts';
import { npmCompiled } from './contracts.ts';
import { OWNER, startOfPlay } from './plainScenario.ts';
import type { Family, Place, RatedWords } from './scenario.ts';
import { convertToAssets } from './words.ts';

/** A chain for share tokens with a rate. */
export interface RatedWorld {
  readonly chain: LocalChain;
  readonly book: Book;
  deploy(name: string, ...args: unknown[]): Promise<Contract>;
  at(name: string, address: Address): Promise<Contract>;
}

/** A share token with a rate, its acts, and the family as the configuration describes it. */
export interface RatedSystem {
  readonly family: Family;
  readonly place: Place;
  readonly preset: string;
  /** The addresses of the preset's roles. */
  readonly contracts: Readonly<Record<string, Address>>;
  readonly acts: RatedActs;
  /** Plays some acts; called repeatedly. */
  live(turn: number): Promise<void>;
}

export const DAYS_OF_RATED_PLAY = 10;
/** Represents a currency, which has no address. */
const NO_TOKEN: Address = `0x${'00'.repeat(19)}01`;
/** The number of shares to convert for a rate with all of its digits. */
export const RATE_SHARES = 10n ** 33n;

export async function createRatedWorld(chainId: number): Promise<RatedWorld> {
  const chain = await createLocalChain({ chainId, startTime: startOfPlay(DAYS_OF_RATED_PLAY) });
  return {
    chain,
    book: createBook(),
    deploy: async (name, ...args) => chain.deploy(OWNER, await npmCompiled(name), args),
    at: async (name, address) => ({ address: lower(address), abi: (await npmCompiled(name)).abi }),
  };
}

export interface RatedPlan {
  readonly slug: string;
  readonly preset: string;
  /** The family's address; the share token unless the preset uses another one. */
  readonly address: Address;
  readonly share: Address;
  readonly startBlock: number;
  readonly contracts: Readonly<Record<string, Address>>;
  /** Roles that the configuration sets to `none`, because the contract does not exist. */
  readonly none?: readonly string[];
  readonly custody?: readonly Address[];
  readonly routers?: readonly Address[];
  readonly unit: { readonly decimals: number; readonly token?: Address };
  readonly words: Omit<RatedWords, 'assetDecimals'>;
  readonly wallets: readonly Address[];
  readonly place?: Partial<Place>;
}

/** Returns the family as the configuration describes it: a preset and the addresses of its roles. */
export function familyOf(chain: LocalChain, plan: RatedPlan): { family: Family; place: Place } {
  const { slug, preset, address, share, startBlock, contracts, unit } = plan;
  const named: [string, string][] = [
    ...Object.entries(contracts).map(([role, one]): [string, string] => [role, getAddress(one)]),
    ...(plan.none ?? []).map((role): [string, string] => [role, 'none']),
  ];
  const place: Place = {
    chain,
    vaults: [address],
    share,
    asset: unit.token ?? NO_TOKEN,
    startBlock,
    custody: plan.custody ?? [],
    ...(plan.routers && { routers: plan.routers }),
    keys: named.length === 0 ? {} : { rated: { contracts: Object.fromEntries(named) } },
    rated: { ...plan.words, assetDecimals: unit.decimals },
    ...plan.place,
  };
  const { wallets } = plan;
  return {
    place,
    family: { slug, kind: 'rated', places: [place], wallets, keys: { preset } },
  };
}

/** Records the expected results of acts on a share token in the book. */
export interface RatedActs {
  /** Returns a wallet's shares, read from the contract. */
  held(wallet: Address, block?: number): Promise<bigint>;
  worth(shares: bigint, done: Receipt): Promise<bigint>;
  /** Records a deposit. Without `assets`, the payment is the value of the shares. */
  bought(done: Receipt, wallet: Address, assets?: bigint, slack?: bigint): Promise<bigint>;
  /** Records an immediate exit. `fee`: shares that went to another account in the same transaction. */
  left(
    done: Receipt,
    wallet: Address,
    assets?: bigint,
    more?: { readonly receiver?: Address; readonly fee?: bigint },
  ): Promise<bigint>;
  passed(done: Receipt, from: Address, to: Address): Promise<void>;
  /** Records shares minted without a payment. */
  minted(done: Receipt, wallet: Address): Promise<void>;
  /** Records shares minted by an issuer or a bridge: received at their value. */
  arrived(done: Receipt, wallet: Address): Promise<void>;
  /** Records shares burned without an exit. */
  burned(done: Receipt, wallet: Address): Promise<void>;
  requested(done: Receipt, request: Requested): Promise<void>;
  cancelled(done: Receipt, wallet: Address, shares: bigint): Promise<void>;
  paid(done: Receipt, wallet: Address, shares: bigint, assets: bigint, slack?: bigint): void;
}

export interface Requested {
  readonly owner: Address;
  /** The wallet that owns the request. */
  readonly wallet: Address;
  readonly shares: bigint;
  /** The assets that the vault promised. Default: the value of the shares. */
  readonly assets?: bigint;
}

export function createRatedActs(family: Family, place: Place, book: Book): RatedActs {
  const { chain } = place;
  const words = place.rated!;
  const vault = place.vaults[0]!;
  const placed = ({ block, time }: Receipt) => {
    return { family: family.slug, chainId: chain.chainId, block, time };
  };
  const grown = async (wallet: Address, { block }: Receipt) =>
    (await words.balance(wallet, block)) - (await words.balance(wallet, block - 1));
  const worth = async (shares: bigint, { block }: Receipt) =>
    (await convertToAssets(place, shares, block)) ?? 0n;

  function note(
    done: Receipt,
    type: 'deposit' | 'withdraw' | 'redeem' | 'cancel',
    entry: { user: Address; assets: bigint; shares: bigint; slack?: bigint },
  ): void {
    book.note({ ...placed(done), tx: done.hash, type, vault, ...entry });
  }

  return {
    worth,
    held: (wallet, block = chain.tip.number) => words.balance(wallet, block),
    async bought(done, wallet, given, slack = 0n) {
      const shares = await grown(wallet, done);
      const assets = given ?? (await worth(shares, done));
      note(done, 'deposit', { user: wallet, assets, shares, slack });
      book.move({ ...placed(done), wallet, kind: 'deposit', shares, assets, slack });
      return shares;
    },
    async left(done, wallet, given, { receiver = wallet, fee = 0n } = {}) {
      const shares = -(await grown(wallet, done)) - fee;
      const assets = given ?? (await worth(shares, done));
      note(done, 'withdraw', { user: receiver, assets, shares });
      book.move({ ...placed(done), wallet, kind: 'exit', shares, assets });
      return shares;
    },
    async passed(done, from, to) {
      const shares = await grown(to, done);
      book.move({ ...placed(done), wallet: from, kind: 'sent', shares, assets: 0n });
      const assets = await worth(shares, done);
      book.move({ ...placed(done), wallet: to, kind: 'received', shares, assets });
    },
    async minted(done, wallet) {
      const shares = await grown(wallet, done);
      book.move({ ...placed(done), wallet, kind: 'minted', shares, assets: 0n });
    },
    async arrived(done, wallet) {
      const shares = await grown(wallet, done);
      const assets = await worth(shares, done);
      book.move({ ...placed(done), wallet, kind: 'received', shares, assets });
    },
    async burned(done, wallet) {
      const shares = -(await grown(wallet, done));
      book.move({ ...placed(done), wallet, kind: 'sent', shares, assets: 0n });
    },
    async requested(done, { owner, wallet, shares, assets }) {
      const value = await worth(shares, done);
      const slack = assets === undefined ? 1n : 0n;
      note(done, 'redeem', { user: wallet, assets: assets ?? value, shares, slack });
      if (owner === wallet) return;
      book.move({ ...placed(done), wallet: owner, kind: 'sent', shares, assets: 0n });
      book.move({ ...placed(done), wallet, kind: 'received', shares, assets: value });
    },
    async cancelled(done, wallet, shares) {
      note(done, 'cancel', { user: wallet, assets: await worth(shares, done), shares, slack: 1n });
    },
    paid(done, wallet, shares, assets, slack = 0n) {
      note(done, 'withdraw', { user: wallet, assets, shares, slack });
      book.move({ ...placed(done), wallet, kind: 'exit', shares, assets, slack });
    },
  };
}

/** Reads of an ERC-20 share token with a rate; the rate is null while its call reverts. */
export function tokenWords(
  chain: LocalChain,
  share: Contract,
  rate: RatedWords['ratio'],
): Omit<RatedWords, 'assetDecimals'> {
  return {
    supply: (block) => chain.read(share, 'totalSupply', [], block),
    balance: (wallet, block) => chain.read(share, 'balanceOf', [wallet], block),
    ratio: (block) => rate(block).catch(() => null),
  };
}

export const SHARES_TOPIC: Hex =
  '0x9d9c909296d9c674451c0c24f02cb64981eb3b727f99865939192f880a755dcb';
