import type { Address } from '../../src/domain/hex.ts';
import type { LocalChain, Receipt } from './chain.ts';
import type { Lagoon } from './lagoon.ts';
import { type RequestBook, sendAndAsk } from './requestBook.ts';

const NOBODY = '0x0000000000000000000000000000000000000000';

export type LagoonActs = ReturnType<typeof createLagoonActs>;

/** Actions of wallets and keepers on a Lagoon vault. The book records the expected results. */
export function createLagoonActs(
  chain: LocalChain,
  { vault, asset, safe, valuer, feeReceiver, protocolFeeReceiver }: Lagoon,
  book: RequestBook,
  wallets: readonly Address[],
) {
  const ask = (fn: string, args: readonly unknown[], block?: number) =>
    chain.read(vault, fn, args, block);
  const send = (from: Address, fn: string, args: readonly unknown[] = []) =>
    chain.send(from, vault, fn, args);
  const note = (
    type: 'deposit' | 'withdraw' | 'redeem',
    user: Address,
    done: Receipt,
    amounts: { assets: bigint; shares: bigint; slack?: bigint },
  ) => book.note(done, { type, vault: vault.address, user, ...amounts });

  /** A new request first claims the controller's settled deposit. Returns a function that notes this claim. */
  async function readyDeposit(controller: Address): Promise<(done: Receipt) => Promise<void>> {
    const assets = await ask('claimableDepositRequest', [0n, controller]);
    const shares = await ask('maxMint', [controller]);
    return async (done) => {
      if (assets > 0n) note('deposit', controller, done, { assets, shares });
    };
  }

  async function readyRedemption(controller: Address): Promise<(done: Receipt) => Promise<void>> {
    const shares = await ask('claimableRedeemRequest', [0n, controller]);
    const assets = await ask('maxWithdraw', [controller]);
    return async (done) => {
      if (shares > 0n) await leave(done, controller, controller, { assets, shares });
    };
  }

  async function leave(
    done: Receipt,
    receiver: Address,
    controller: Address,
    amounts: { assets: bigint; shares: bigint },
  ): Promise<void> {
    note('withdraw', receiver, done, amounts);
    await book.move(done, { wallet: controller, kind: 'exit', ...amounts });
  }

  async function queue(done: Receipt, shares: bigint, controller: Address, owner: Address) {
    const assets = await book.worth(shares, done);
    note('redeem', controller, done, { assets, shares, slack: 1n });
    if (controller !== owner) await book.pass(done, owner, controller, shares);
  }

  async function requestDeposit(by: Address, assets: bigint, controller = by, owner = by) {
    const claim = await readyDeposit(controller);
    const done = await send(by, 'requestDeposit', [assets, controller, owner]);
    await claim(done);
    await book.rounded(done, controller);
  }

  async function requestRedeem(by: Address, shares: bigint, controller = by, owner = by) {
    const claim = await readyRedemption(controller);
    const done = await send(by, 'requestRedeem', [shares, controller, owner]);
    await claim(done);
    await queue(done, shares, controller, owner);
  }

  async function claimAndRequestRedeem(by: Address, shares: bigint) {
    const deposit = await readyDeposit(by);
    const redemption = await readyRedemption(by);
    const done = await send(by, 'claimSharesAndRequestRedeem', [shares]);
    await deposit(done);
    await redemption(done);
    await queue(done, shares, by, by);
  }

  async function claimDeposit(by: Address, assets: bigint, receiver = by, controller = by) {
    const args = [assets, receiver, controller];
    const { done, returned } = await sendAndAsk(chain, by, vault, 'deposit', args);
    note('deposit', receiver, done, { assets, shares: returned });
    if (receiver === controller) await book.rounded(done, controller);
    else await book.pass(done, controller, receiver);
  }

  async function claimMint(by: Address, shares: bigint) {
    const { done, returned } = await sendAndAsk(chain, by, vault, 'mint', [shares, by]);
    note('deposit', by, done, { assets: returned, shares });
    await book.rounded(done, by);
  }

  async function claimOnBehalf(controllers: readonly Address[]) {
    const claims = [];
    for (const controller of controllers) claims.push(await readyDeposit(controller));
    const done = await send(safe, 'claimSharesOnBehalf', [controllers]);
    for (const claim of claims) await claim(done);
  }

  /** Claims, or redeems at once if the vault is closed and the wallet has nothing to claim. */
  async function claimRedeem(by: Address, shares: bigint, receiver = by, controller = by) {
    const args = [shares, receiver, controller];
    const { done, returned } = await sendAndAsk(chain, by, vault, 'redeem', args);
    await leave(done, receiver, controller, { assets: returned, shares });
  }

  async function claimWithdraw(by: Address, assets: bigint) {
    const { done, returned } = await sendAndAsk(chain, by, vault, 'withdraw', [assets, by, by]);
    await leave(done, by, by, { assets, shares: returned });
  }

  async function syncDeposit(by: Address, assets: bigint, receiver = by) {
    const args = [assets, receiver, NOBODY];
    const { done, returned } = await sendAndAsk(chain, by, vault, 'syncDeposit', args);
    note('deposit', receiver, done, { assets, shares: returned });
    await book.move(done, { wallet: receiver, kind: 'deposit', assets, shares: returned });
  }

  async function transfer(from: Address, to: Address, shares: bigint) {
    const done = await send(from, 'transfer', [to, shares]);
    // Shares sent to the vault itself have no owner any longer.
    if (to !== vault.address) await book.pass(done, from, to, shares);
    else await book.move(done, { wallet: from, kind: 'sent', assets: 0n, shares });
  }

  /**
   * Proposes the safe's balance as the new value, which closes the epoch, and settles. A settled deposit counts as paid
   * at this point. No value changes between the two.
   */
  async function settle(fn: 'settleDeposit' | 'settleRedeem' | 'close', wait = 0) {
    const nav = await chain.read(asset, 'balanceOf', [safe]);
    await send(valuer, 'updateNewTotalAssets', [nav]);
    chain.advance(wait);
    await tellSettled(await send(safe, fn, [nav]));
  }

  /** Requests, proposes, and settles in one block, so the shares are claimable at its end. */
  async function requestRedeemAndSettle(wallet: Address, shares: bigint) {
    const nav = await chain.read(asset, 'balanceOf', [safe]);
    const [done] = await chain.together([
      { from: wallet, to: vault, fn: 'requestRedeem', args: [shares, wallet, wallet] },
      { from: valuer, to: vault, fn: 'updateNewTotalAssets', args: [nav] },
      { from: safe, to: vault, fn: 'settleDeposit', args: [nav] },
    ]);
    await queue(done!, shares, wallet, wallet);
    await tellSettled(done!);
  }

  async function tellSettled(done: Receipt): Promise<void> {
    for (const wallet of wallets) {
      const before = await ask('pendingDepositRequest', [0n, wallet], done.block - 1);
      const after = await ask('pendingDepositRequest', [0n, wallet], done.block);
      const assets = before - after;
      if (assets > 0n) await book.move(done, { wallet, kind: 'deposit', assets });
    }
    for (const wallet of [feeReceiver, protocolFeeReceiver]) {
      await book.move(done, { wallet, kind: 'minted', assets: 0n });
    }
  }

  return {
    ask,
    send,
    settle,
    requestDeposit,
    requestRedeem,
    requestRedeemAndSettle,
    claimAndRequestRedeem,
    claimDeposit,
    claimMint,
    claimOnBehalf,
    claimRedeem,
    claimWithdraw,
    syncDeposit,
    transfer,
  };
}
