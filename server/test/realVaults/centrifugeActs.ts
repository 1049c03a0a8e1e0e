import type { Address } from '../../src/domain/hex.ts';
import { type AssetVault, type Centrifuge, POOL, TRANCHE } from './centrifuge.ts';
import type { LocalChain, Receipt } from './chain.ts';
import { type RequestBook, sendAndAsk } from './requestBook.ts';

const PRICE_UNIT = 10n ** 18n;

export type CentrifugeActs = ReturnType<typeof createCentrifugeActs>;

/** Actions of wallets and the issuer. The book records the expected results in the main vault's asset. */
export function createCentrifugeActs(
  chain: LocalChain,
  { issuer, share, main, poolManager, investmentManager }: Centrifuge,
  book: RequestBook,
) {
  const send = (from: Address, { vault }: AssetVault, fn: string, args: readonly unknown[]) =>
    chain.send(from, vault, fn, args);
  /** Sends a message from the other chain about one user's requests. */
  const fulfil = (fn: string, at: AssetVault, user: Address, ...amounts: bigint[]) =>
    chain.send(issuer, investmentManager, fn, [POOL, TRANCHE, user, at.assetId, ...amounts]);

  /** Returns the amount in the family's base asset. For another asset, this is the value of the shares. */
  async function inBase(at: AssetVault, done: Receipt, assets: bigint | null, shares: bigint) {
    if (at === main && assets !== null) return { assets, slack: 0n };
    return { assets: await book.worth(shares, done), slack: 1n };
  }

  async function note(
    type: 'deposit' | 'redeem' | 'cancel',
    at: AssetVault,
    user: Address,
    done: Receipt,
    amounts: { assets: bigint | null; shares: bigint },
  ): Promise<void> {
    const { shares } = amounts;
    const paid = await inBase(at, done, amounts.assets, shares);
    book.note(done, { type, vault: at.vault.address, user, shares, ...paid });
  }

  /** The contract derives the position from the remaining assets, so it is off by about the shares in the request. */
  async function leave(
    at: AssetVault,
    done: Receipt,
    receiver: Address,
    controller: Address,
    amounts: { assets: bigint; shares: bigint },
  ): Promise<void> {
    const { shares } = amounts;
    const paid = await inBase(at, done, amounts.assets, shares);
    const vault = at.vault.address;
    book.note(done, { type: 'withdraw', vault, user: receiver, shares, ...paid });
    await book.move(done, { wallet: controller, kind: 'exit', ...paid, rough: true });
  }

  async function price(at: AssetVault, value: number) {
    const price = (PRICE_UNIT * BigInt(Math.round(value * 1e9))) / 10n ** 9n;
    const computedAt = BigInt(chain.tip.time);
    const args = [POOL, TRANCHE, at.assetId, price, computedAt];
    await chain.send(issuer, poolManager, 'updateTranchePrice', args);
  }

  async function requestDeposit(
    at: AssetVault,
    by: Address,
    assets: bigint,
    controller = by,
    owner = by,
  ) {
    await send(by, at, 'requestDeposit', [assets, controller, owner]);
  }

  /** Fulfils at the vault's current price: the deposit is paid, and its shares stay in the escrow until claimed. */
  async function fulfilDeposit(at: AssetVault, user: Address, assets: bigint) {
    const shares = await chain.read(at.vault, 'convertToShares', [assets]);
    const done = await fulfil('fulfillDepositRequest', at, user, assets, shares);
    const paid = await inBase(at, done, assets, shares);
    await book.move(done, { wallet: user, kind: 'deposit', ...paid });
  }

  async function claimMint(
    at: AssetVault,
    by: Address,
    shares: bigint,
    receiver = by,
    controller = by,
  ) {
    const args = [shares, receiver, controller];
    const { done, returned } = await sendAndAsk(chain, by, at.vault, 'mint', args);
    await note('deposit', at, receiver, done, { assets: returned, shares });
    if (receiver === controller) await book.rounded(done, controller);
    else await book.pass(done, controller, receiver);
  }

  async function claimDeposit(at: AssetVault, by: Address, assets: bigint) {
    const { done, returned } = await sendAndAsk(chain, by, at.vault, 'deposit', [assets, by, by]);
    await note('deposit', at, by, done, { assets, shares: returned });
    await book.rounded(done, by);
  }

  async function requestRedeem(
    at: AssetVault,
    by: Address,
    shares: bigint,
    controller = by,
    owner = by,
  ) {
    const done = await send(by, at, 'requestRedeem', [shares, controller, owner]);
    await note('redeem', at, controller, done, { assets: null, shares });
    if (controller !== owner) await book.pass(done, owner, controller, shares);
  }

  /** The issuer queues a wallet's shares, unclaimed shares first. */
  async function trigger(at: AssetVault, user: Address, shares: bigint) {
    const done = await fulfil('triggerRedeemRequest', at, user, shares);
    await note('redeem', at, user, done, { assets: null, shares });
  }

  async function fulfilRedeem(at: AssetVault, user: Address, shares: bigint) {
    const assets = await chain.read(at.vault, 'convertToAssets', [shares]);
    await book.rounded(await fulfil('fulfillRedeemRequest', at, user, assets, shares), user);
  }

  async function claimWithdraw(at: AssetVault, by: Address, assets: bigint, receiver = by) {
    const args = [assets, receiver, by];
    const { done, returned } = await sendAndAsk(chain, by, at.vault, 'withdraw', args);
    await leave(at, done, receiver, by, { assets, shares: returned });
  }

  async function claimRedeem(at: AssetVault, by: Address, shares: bigint, controller = by) {
    const args = [shares, controller, controller];
    const { done, returned } = await sendAndAsk(chain, by, at.vault, 'redeem', args);
    await leave(at, done, controller, controller, { assets: returned, shares });
  }

  async function cancelRedeem(at: AssetVault, by: Address) {
    await send(by, at, 'cancelRedeemRequest', [0n, by]);
  }

  async function fulfilCancelRedeem(at: AssetVault, user: Address, shares: bigint) {
    await fulfil('fulfillCancelRedeemRequest', at, user, shares);
  }

  async function claimCancelRedeem(at: AssetVault, by: Address) {
    const args = [0n, by, by];
    const fn = 'claimCancelRedeemRequest';
    const { done, returned } = await sendAndAsk(chain, by, at.vault, fn, args);
    await note('cancel', at, by, done, { assets: null, shares: returned });
  }

  async function cancelDeposit(at: AssetVault, by: Address) {
    const pending = await chain.read(at.vault, 'pendingDepositRequest', [0n, by]);
    await send(by, at, 'cancelDepositRequest', [0n, by]);
    await fulfil('fulfillCancelDepositRequest', at, by, pending, pending);
  }

  async function transfer(from: Address, to: Address, shares: bigint) {
    const done = await chain.send(from, share, 'transfer', [to, shares]);
    await book.pass(done, from, to, shares);
  }

  /** Mints shares that arrive from another chain. */
  async function bridge(to: Address, shares: bigint) {
    const args = [POOL, TRANCHE, to, shares];
    const done = await chain.send(issuer, poolManager, 'handleTransferTrancheTokens', args);
    await book.move(done, { wallet: to, kind: 'minted', assets: 0n, shares });
  }

  return {
    send,
    price,
    requestDeposit,
    fulfilDeposit,
    claimMint,
    claimDeposit,
    requestRedeem,
    trigger,
    fulfilRedeem,
    claimWithdraw,
    claimRedeem,
    cancelRedeem,
    fulfilCancelRedeem,
    claimCancelRedeem,
    cancelDeposit,
    transfer,
    bridge,
  };
}
