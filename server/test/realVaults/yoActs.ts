import { encodeFunctionData } from 'viem';
import type { Address } from '../../src/domain/hex.ts';
import type { Book, HistoryEntry, Move } from './book.ts';
import type { Call, Contract, Receipt } from './chain.ts';
import { OPERATOR, STRATEGY, UPDATER, type YoSetting, type YoVault } from './yoDeploy.ts';

const ALL = 2n ** 256n - 1n;
const WHOLE = 10n ** 6n;

export type YoActs = ReturnType<typeof createYoActs>;

/** Actions of users and the operator on a vault. Expected results come from balances and from the queue's own reads. */
export function createYoActs(
  { oracle, gateway }: YoSetting,
  { chain, vault, asset, priced }: YoVault,
  family: string,
  book: Book,
) {
  const placed = ({ block, time }: Receipt) => ({ family, chainId: chain.chainId, block, time });

  async function grown(of: Contract, who: Address, { block }: Receipt): Promise<bigint> {
    const at = (number: number) => chain.read(of, 'balanceOf', [who], number);
    return (await at(block)) - (await at(block - 1));
  }

  async function pendingOf(receiver: Address, block = chain.tip.number) {
    const read = chain.read<readonly [bigint, bigint]>;
    const [assets, shares] = await read(vault, 'pendingRedeemRequest', [receiver], block);
    return { assets, shares };
  }

  async function priceAt(block: number): Promise<bigint> {
    const read = chain.read<readonly [bigint, bigint]>;
    return (await read(oracle, 'getLatestPrice', [priced], block))[0];
  }

  function note(
    receipt: Receipt,
    entry: Pick<HistoryEntry, 'type' | 'user' | 'assets' | 'shares'>,
  ) {
    book.note({ ...placed(receipt), vault: vault.address, tx: receipt.hash, ...entry });
  }

  function move(receipt: Receipt, entry: Pick<Move, 'wallet' | 'kind' | 'shares' | 'assets'>) {
    if (entry.shares > 0n) book.move({ ...placed(receipt), ...entry });
  }

  /** Moves shares between wallets at the last price published before. */
  function pass(receipt: Receipt, from: Address, to: Address, shares: bigint, price: bigint) {
    if (from === to) return;
    move(receipt, { wallet: from, kind: 'sent', shares, assets: 0n });
    if (to === vault.address) return;
    move(receipt, { wallet: to, kind: 'received', shares, assets: (shares * price) / WHOLE });
  }

  async function enter(receipt: Receipt, payer: Address, user: Address): Promise<void> {
    const shares = await grown(vault, user, receipt);
    const assets = -(await grown(asset, payer, receipt));
    note(receipt, { type: 'deposit', user, assets, shares });
    move(receipt, { wallet: user, kind: 'deposit', shares, assets });
  }

  /** Records an exit: paid at once unless the queue grew. */
  async function leave(
    receipt: Receipt,
    given: { owner: Address; receiver: Address; shares: bigint; routed: boolean },
  ): Promise<'paid' | 'queued'> {
    const { owner, receiver, shares, routed } = given;
    const before = await pendingOf(receiver, receipt.block - 1);
    const after = await pendingOf(receiver, receipt.block);
    const queued = after.shares > before.shares;
    const price = await priceAt(receipt.block - 1);
    if (queued || routed) pass(receipt, owner, receiver, shares, price);
    if (queued) {
      const assets = after.assets - before.assets;
      note(receipt, { type: 'redeem', user: receiver, assets, shares });
      return 'queued';
    }
    const assets = await grown(asset, receiver, receipt);
    note(receipt, { type: 'withdraw', user: receiver, assets, shares });
    move(receipt, { wallet: routed ? receiver : owner, kind: 'exit', shares, assets });
    return 'paid';
  }

  const publishing = (price: bigint): Call => ({
    from: UPDATER,
    to: oracle,
    fn: 'updateSharePrice',
    args: [priced, price],
  });

  return {
    chain,
    vault: vault.address,
    balance: (wallet: Address) => chain.read(vault, 'balanceOf', [wallet]),
    pendingOf,
    price: () => priceAt(chain.tip.number),

    async fund(wallet: Address, amount: bigint): Promise<void> {
      await chain.together([
        { from: wallet, to: asset, fn: 'mint', args: [wallet, amount] },
        { from: wallet, to: asset, fn: 'approve', args: [vault.address, ALL] },
        { from: wallet, to: asset, fn: 'approve', args: [gateway.address, ALL] },
        { from: wallet, to: vault, fn: 'approve', args: [gateway.address, ALL] },
      ]);
    },

    async publish(price: bigint): Promise<void> {
      await chain.together([publishing(price)]);
    },

    async deposit(wallet: Address, assets: bigint, receiver = wallet): Promise<void> {
      await enter(await chain.send(wallet, vault, 'deposit', [assets, receiver]), wallet, receiver);
    },

    async mint(wallet: Address, shares: bigint): Promise<void> {
      await enter(await chain.send(wallet, vault, 'mint', [shares, wallet]), wallet, wallet);
    },

    async routeDeposit(wallet: Address, assets: bigint, receiver = wallet): Promise<void> {
      const args = [vault.address, assets, 0n, receiver, 7];
      await enter(await chain.send(wallet, gateway, 'deposit', args), wallet, receiver);
    },

    async redeem(owner: Address, shares: bigint, receiver = owner) {
      const receipt = await chain.send(owner, vault, 'requestRedeem', [shares, receiver, owner]);
      return leave(receipt, { owner, receiver, shares, routed: false });
    },

    async routeRedeem(owner: Address, shares: bigint, receiver = owner) {
      const args = [vault.address, shares, 0n, receiver, 7];
      const receipt = await chain.send(owner, gateway, 'redeem', args);
      return leave(receipt, { owner, receiver, shares, routed: true });
    },

    async fulfil(receiver: Address, shares: bigint, gross: bigint): Promise<void> {
      const args = [receiver, shares, gross];
      const receipt = await chain.send(OPERATOR, vault, 'fulfillRedeem', args);
      const assets = await grown(asset, receiver, receipt);
      note(receipt, { type: 'withdraw', user: receiver, assets, shares });
      move(receipt, { wallet: receiver, kind: 'exit', shares, assets });
    },

    async cancel(receiver: Address, shares: bigint, gross: bigint): Promise<void> {
      const receipt = await chain.send(OPERATOR, vault, 'cancelRedeem', [receiver, shares, gross]);
      note(receipt, { type: 'cancel', user: receiver, assets: gross, shares });
    },

    async transfer(from: Address, to: Address, shares: bigint): Promise<void> {
      const receipt = await chain.send(from, vault, 'transfer', [to, shares]);
      pass(receipt, from, to, shares, await priceAt(receipt.block - 1));
    },

    /**
     * Sends a transfer and a new price in one block, in either order. Only a price published before the transfer
     * counts.
     */
    async transferBeside(from: Address, to: Address, shares: bigint, next: bigint, first: boolean) {
      const call = { from, to: vault, fn: 'transfer', args: [to, shares] };
      const before = await priceAt(chain.tip.number);
      const calls = first ? [publishing(next), call] : [call, publishing(next)];
      const receipts = await chain.together(calls);
      pass(receipts[first ? 1 : 0]!, from, to, shares, first ? next : before);
    },

    async invest(amount: bigint): Promise<void> {
      const args = [STRATEGY, amount] as const;
      const data = encodeFunctionData({ abi: asset.abi, functionName: 'transfer', args } as never);
      await chain.send(OPERATOR, vault, 'manage', [asset.address, data, 0n]);
    },

    async bringBack(amount: bigint): Promise<void> {
      await chain.send(STRATEGY, asset, 'mint', [vault.address, amount]);
    },

    held: () => chain.read(asset, 'balanceOf', [vault.address]),
  };
}
