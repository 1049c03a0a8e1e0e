import { type Address, lower } from '../../src/domain/hex.ts';
import type { Random } from '../activity.ts';
import type { Book, HistoryEntry, Move } from './book.ts';
import { type Contract, type LocalChain, type Receipt, Refused } from './chain.ts';

/** Actions of users on a plain ERC-4626 vault. Records each act in the book from balances before and after it. */
export interface PlainActs {
  /** Mints assets for a wallet and approves the vault for them. */
  fund(wallet: Address, amount: bigint): Promise<void>;
  deposit(wallet: Address, assets: bigint, receiver?: Address): Promise<void>;
  /** Deposits so little that a price derived from it would be far off; if the vault rejects the amount, the minimum. */
  dustIn(wallet: Address, assets: bigint): Promise<void>;
  /** Redeems a tiny amount; does nothing if the vault rejects it. */
  dustOut(wallet: Address, shares: bigint): Promise<void>;
  mint(wallet: Address, shares: bigint, receiver?: Address): Promise<void>;
  withdraw(wallet: Address, assets: bigint, receiver?: Address): Promise<void>;
  redeem(wallet: Address, shares: bigint, receiver?: Address): Promise<void>;
  transfer(from: Address, to: Address, shares: bigint): Promise<void>;
  profit(assets: bigint): Promise<void>;
  loss(assets: bigint): Promise<void>;
  balance(wallet: Address): Promise<bigint>;
}

export interface PlainVault {
  readonly chain: LocalChain;
  readonly family: string;
  readonly vault: Contract;
  readonly asset: Contract;
  readonly book: Book;
  /** The account whose shares appear in a transaction without a deposit, such as fees; they cost nothing. */
  readonly feeRecipient?: Address;
}

const ALL = 2n ** 256n - 1n;

export function createPlainActs(given: PlainVault): PlainActs {
  const { chain, family, vault, asset, book, feeRecipient } = given;

  const shareOf = (who: Address, block: number) => chain.read(vault, 'balanceOf', [who], block);
  const assetOf = (who: Address, block: number) => chain.read(asset, 'balanceOf', [who], block);
  const placed = ({ block, time }: Receipt) => ({ family, chainId: chain.chainId, block, time });

  async function grown(of: typeof shareOf, who: Address, { block }: Receipt): Promise<bigint> {
    return (await of(who, block)) - (await of(who, block - 1));
  }

  function note(
    receipt: Receipt,
    entry: Pick<HistoryEntry, 'type' | 'user' | 'assets' | 'shares'>,
  ) {
    book.note({ ...placed(receipt), vault: vault.address, tx: receipt.hash, ...entry });
  }

  function move(receipt: Receipt, entry: Pick<Move, 'wallet' | 'kind' | 'shares' | 'assets'>) {
    // A payment too small to buy a share still counts as paid.
    if (entry.shares > 0n || entry.assets > 0n) book.move({ ...placed(receipt), ...entry });
  }

  async function act(from: Address, fn: string, args: readonly unknown[]): Promise<Receipt> {
    const receipt = await chain.send(from, vault, fn, args);
    if (feeRecipient !== undefined && fn !== 'transfer') await noteFees(receipt, feeRecipient);
    return receipt;
  }

  async function noteFees(receipt: Receipt, wallet: Address): Promise<void> {
    const shares = await grown(shareOf, wallet, receipt);
    move(receipt, { wallet, kind: 'minted', shares, assets: 0n });
  }

  async function enter(receipt: Receipt, payer: Address, user: Address): Promise<void> {
    const shares = await grown(shareOf, user, receipt);
    const assets = -(await grown(assetOf, payer, receipt));
    note(receipt, { type: 'deposit', user, assets, shares });
    move(receipt, { wallet: user, kind: 'deposit', shares, assets });
  }

  async function leave(receipt: Receipt, owner: Address, user: Address): Promise<void> {
    const shares = -(await grown(shareOf, owner, receipt));
    const assets = await grown(assetOf, user, receipt);
    note(receipt, { type: 'withdraw', user, assets, shares });
    move(receipt, { wallet: owner, kind: 'exit', shares, assets });
  }

  async function deposit(wallet: Address, assets: bigint, receiver = wallet): Promise<void> {
    await enter(await act(wallet, 'deposit', [assets, receiver]), wallet, receiver);
  }

  async function redeem(wallet: Address, shares: bigint, receiver = wallet): Promise<void> {
    await leave(await act(wallet, 'redeem', [shares, receiver, wallet]), wallet, receiver);
  }

  return {
    deposit,
    redeem,
    async dustIn(wallet, assets) {
      const refused = await refusal(deposit(wallet, assets));
      if (refused) await deposit(wallet, await chain.read(vault, 'previewMint', [1n]));
    },
    async dustOut(wallet, shares) {
      await refusal(redeem(wallet, shares));
    },
    async fund(wallet, amount) {
      await chain.together([
        { from: wallet, to: asset, fn: 'mint', args: [wallet, amount] },
        { from: wallet, to: asset, fn: 'approve', args: [vault.address, ALL] },
      ]);
    },
    async mint(wallet, shares, receiver = wallet) {
      await enter(await act(wallet, 'mint', [shares, receiver]), wallet, receiver);
    },
    async withdraw(wallet, assets, receiver = wallet) {
      await leave(await act(wallet, 'withdraw', [assets, receiver, wallet]), wallet, receiver);
    },
    async transfer(from, to, shares) {
      const receipt = await act(from, 'transfer', [to, shares]);
      if (from === to) return;
      const assets = await chain.read(vault, 'convertToAssets', [shares], receipt.block);
      move(receipt, { wallet: from, kind: 'sent', shares, assets: 0n });
      // Shares sent to the vault itself have no owner any longer.
      if (to !== lower(vault.address))
        move(receipt, { wallet: to, kind: 'received', shares, assets });
    },
    async profit(assets) {
      await chain.send(asset.address, asset, 'mint', [vault.address, assets]);
    },
    async loss(assets) {
      await chain.send(asset.address, asset, 'burn', [vault.address, assets]);
    },
    balance: (wallet) => chain.read(vault, 'balanceOf', [wallet]),
  };
}

/** Returns whether the vault rejected an act; throws on any other failure. */
async function refusal(act: Promise<void>): Promise<boolean> {
  try {
    await act;
    return false;
  } catch (error) {
    if (error instanceof Refused) return true;
    throw error;
  }
}

/** Plays one random everyday act; `unit` is one asset (10^decimals). */
export async function playOne(
  acts: PlainActs,
  wallets: readonly Address[],
  unit: bigint,
  random: Random,
): Promise<void> {
  const wallet = random.pick(wallets);
  const other = random.pick(wallets);
  const amount = (unit * BigInt(1 + random.int(5_000_000))) / 1000n;
  const held = await acts.balance(wallet);
  switch (random.int(10)) {
    case 0:
    case 1:
      return acts.deposit(wallet, amount, other);
    case 2:
      return acts.dustIn(wallet, BigInt(1 + random.int(9)));
    case 3:
      if (held > 0n) return acts.redeem(wallet, part(held), other);
      return acts.deposit(wallet, amount);
    case 4:
      if (held > 3n) return acts.dustOut(wallet, 1n + BigInt(random.int(3)));
      return acts.deposit(wallet, amount);
    case 5:
    case 6:
      if (held > 0n) return acts.transfer(wallet, other, part(held));
      return acts.deposit(wallet, amount);
    case 7:
      return acts.deposit(wallet, amount);
    case 8:
      return acts.profit(amount / 3n + 1n);
    default:
      if (held > 0n) return acts.redeem(wallet, random.int(3) === 0 ? held : part(held));
      return acts.deposit(wallet, amount);
  }

  function part(of: bigint): bigint {
    const taken = of / BigInt(2 + random.int(6));
    return taken > 0n ? taken : of;
  }
}
