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

/** A share token with a rate that is played with, and how the file describes it. */
export interface RatedSystem {
  readonly family: Family;
  readonly place: Place;
  readonly preset: string;
  /** Every role of the preset. */
  readonly contracts: Readonly<Record<string, Address>>;
  readonly acts: RatedActs;
  /** Some acts; called again and again. */
  live(turn: number): Promise<void>;
}

export const DAYS_OF_RATED_PLAY = 10;
/** A currency has no address. */
const NO_TOKEN: Address = `0x${'00'.repeat(19)}01`;
/** Of so many the rate is asked, for all of its digits. */
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
  /** The family's address; the share token unless the preset says otherwise. */
  readonly address: Address;
  readonly share: Address;
  readonly startBlock: number;
  readonly contracts: Readonly<Record<string, Address>>;
  /** Roles of which the file says that there is no such contract. */
  readonly none?: readonly string[];
  readonly custody?: readonly Address[];
  readonly routers?: readonly Address[];
  readonly unit: { readonly decimals: number; readonly token?: Address };
  readonly words: Omit<RatedWords, 'assetDecimals'>;
  readonly wallets: readonly Address[];
  readonly place?: Partial<Place>;
}

/** The family as the file describes it: a preset, and the addresses of its roles. */
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

/** Writes into the book what acts on a share token must come to. */
export interface RatedActs {
  /** What a wallet's shares are by a call. */
  held(wallet: Address, block?: number): Promise<bigint>;
  worth(shares: bigint, done: Receipt): Promise<bigint>;
  /** Bought; without assets for what the shares are worth then. */
  bought(done: Receipt, wallet: Address, assets?: bigint, slack?: bigint): Promise<bigint>;
  /** Paid out at once; `fee`: shares that went to another account in the same transaction. */
  left(
    done: Receipt,
    wallet: Address,
    assets?: bigint,
    more?: { readonly receiver?: Address; readonly fee?: bigint },
  ): Promise<bigint>;
  passed(done: Receipt, from: Address, to: Address): Promise<void>;
  /** Shares that nobody paid for. */
  minted(done: Receipt, wallet: Address): Promise<void>;
  /** Made by an issuer or a bridge: received for what they are worth. */
  arrived(done: Receipt, wallet: Address): Promise<void>;
  /** Burned without an exit. */
  burned(done: Receipt, wallet: Address): Promise<void>;
  requested(done: Receipt, request: Requested): Promise<void>;
  cancelled(done: Receipt, wallet: Address, shares: bigint): Promise<void>;
  paid(done: Receipt, wallet: Address, shares: bigint, assets: bigint, slack?: bigint): void;
}

export interface Requested {
  readonly owner: Address;
  /** Whose it is from then on. */
  readonly wallet: Address;
  readonly shares: bigint;
  /** What was promised; absent: what they are worth. */
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

/** An ERC-20 share token with a rate; one that reverts is none. */
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
