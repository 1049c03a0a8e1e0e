import type { Address } from '../../src/domain/hex.ts';
import { type Book, createBook } from './book.ts';
import { UNLIMITED } from './cast.ts';
import { type Contract, createLocalChain, type LocalChain, type Receipt } from './chain.ts';
import { npmCompiled } from './contracts.ts';
import { OWNER, startOfPlay } from './plainScenario.ts';
import { createRequestBook, type RequestBook } from './requestBook.ts';
import type { Family, Place } from './scenario.ts';

/** A chain and a token with 6 decimals, for short scenarios on models of vaults. */
export interface ShortWorld {
  readonly chain: LocalChain;
  readonly book: Book;
  readonly usd: Contract;
  deploy(name: string, ...args: unknown[]): Promise<Contract>;
}

/** A vault of a `ShortWorld` with a record of its acts. */
export interface VaultActs {
  readonly family: Family;
  readonly vault: Contract;
  readonly acts: RequestBook;
  send(from: Address, fn: string, args: readonly unknown[], to?: Contract): Promise<Receipt>;
  deposit(wallet: Address, assets: bigint): Promise<Receipt>;
}

export const UNIT = 1_000_000n;
export const DAYS_OF_SHORT_PLAY = 3;

export async function createShortWorld(chainId: number): Promise<ShortWorld> {
  const chain = await createLocalChain({ chainId, startTime: startOfPlay(DAYS_OF_SHORT_PLAY) });
  const deploy = async (name: string, ...args: unknown[]) =>
    chain.deploy(OWNER, await npmCompiled(name), args);
  return { chain, book: createBook(), deploy, usd: await deploy('Token', 'USD', 6) };
}

export async function createVaultActs(
  { chain, book, usd }: ShortWorld,
  vault: Contract,
  given: Pick<Family, 'slug' | 'kind'> & {
    readonly place?: Partial<Place>;
    readonly wallets: readonly Address[];
  },
): Promise<VaultActs> {
  const place: Place = {
    chain,
    vaults: [vault.address],
    share: vault.address,
    asset: usd.address,
    startBlock: chain.tip.number,
    custody: [vault.address],
    ...given.place,
  };
  const { slug, kind, wallets } = given;
  const family: Family = { slug, kind, places: [place], wallets };
  const acts = createRequestBook(family, place, book);
  const send: VaultActs['send'] = (from, fn, args, to = vault) => chain.send(from, to, fn, args);
  for (const wallet of wallets) {
    await chain.together([
      { from: wallet, to: usd, fn: 'mint', args: [wallet, 1_000_000n * UNIT] },
      { from: wallet, to: usd, fn: 'approve', args: [vault.address, UNLIMITED] },
    ]);
  }
  return {
    family,
    vault,
    acts,
    send,
    async deposit(wallet, assets) {
      const done = await send(wallet, 'deposit', [assets, wallet]);
      const held = (block: number) => chain.read(vault, 'balanceOf', [wallet], block);
      const shares = (await held(done.block)) - (await held(done.block - 1));
      acts.note(done, { type: 'deposit', vault: vault.address, user: wallet, assets, shares });
      await acts.move(done, { wallet, kind: 'deposit', shares, assets });
      return done;
    },
  };
}
