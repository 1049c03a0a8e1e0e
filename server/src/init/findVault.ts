import { fn } from '../chain/abi.ts';
import type { Address, Hex } from '../domain/hex.ts';
import { findOutsideQueue } from '../vaults/erc4626/outsideQueue.ts';
import { KINDS } from '../vaults/index.ts';
import { findAdditionalVaults } from '../vaults/recognize/additionalVaults.ts';
import { type AllocatorName, findAllocator } from '../vaults/recognize/allocator.ts';
import { findAssets } from '../vaults/recognize/assets.ts';
import { type CustodyAccount, findCustody } from '../vaults/recognize/custody.ts';
import { findFeeHolders } from '../vaults/recognize/feeHolders.ts';
import { findFirstBlock } from '../vaults/recognize/firstBlock.ts';
import { type RecognizedVault, recognizeVault } from '../vaults/recognize/index.ts';
import { findPriceSource, type PriceSource } from '../vaults/recognize/priceSource.ts';
import { ask, numberIn } from '../vaults/recognize/readContract.ts';
import { findRouters } from '../vaults/recognize/routers.ts';
import { readTokenFacts, type TokenFacts } from '../vaults/recognize/token.ts';
import { findUnseenDeposits, type UnseenDeposits } from '../vaults/recognize/unseenDeposits.ts';
import { findUnseenRedemptions } from '../vaults/recognize/unseenRedemptions.ts';
import { findWrappedSupply, type WrappedSupply } from '../vaults/recognize/wrapped.ts';
import type { PresetMatch } from './findPreset.ts';
import type { OpenChain } from './openChains.ts';

/** The base asset; without an address if it is a currency, or a token that no contract names. */
export type DraftAsset = Omit<TokenFacts, 'address'> & { readonly address: Address | null };
export type DraftVault = Omit<RecognizedVault, 'asset'> & { readonly asset: DraftAsset };

/** A share token on one chain: the requested vault and everything that was found around it. */
export interface FoundVault {
  readonly chain: OpenChain;
  readonly vault: DraftVault;
  /** Its description, for a share token with a rate. */
  readonly rated?: PresetMatch;
  /** Additional vaults over the same share. */
  readonly further: readonly RecognizedVault[];
  /** Its first block; null if the RPC endpoint has no archive state. */
  readonly startBlock: number | null;
  readonly custody: readonly CustodyAccount[];
  readonly routers: readonly Address[];
  /** Where redemptions wait that a plain vault counts as paid. */
  readonly outsideQueue: Address | null;
  /** For a receiver-queue vault. */
  readonly price: PriceSource | null;
  /** The vault whose price it uses, if it holds shares of it: then it is its feeder. */
  readonly feeds: Address | null;
  readonly allocator: AllocatorName | null;
  /** Other assets that it accepts and pays, besides its base asset. */
  readonly otherAssets: readonly TokenFacts[];
  /** For a plain vault. */
  readonly unseen: UnseenDeposits | null;
  /** Transactions in which shares were paid out without a Withdraw event, newest first. */
  readonly unseenRedemptions: readonly Hex[];
  /** Set if its supply is that of another token. */
  readonly wrapped: WrappedSupply | null;
}

const balanceOf = fn('balanceOf(address)');

/** `siblings`: other requested vaults over the same share. */
export async function findAround(
  chain: OpenChain,
  vault: RecognizedVault,
  siblings: readonly RecognizedVault[],
): Promise<FoundVault> {
  const { look } = chain;
  const share = vault.share.address;
  const startBlock = await firstOf(chain, [vault.address, share, ...siblings.map(addressOf)]);
  const since = startBlock ?? 0;
  const further = [...siblings];
  for (const address of await findAdditionalVaults(look, pairOf(vault), { since })) {
    if (further.some((one) => one.address === address)) continue;
    const found = await recognizeVault(look, address);
    if (found.kind === vault.kind && found.share.address === share) further.push(found);
  }
  const isPlain = vault.kind === 'erc4626';
  const custody = new Map<Address, CustodyAccount>();
  for (const one of [vault, ...further]) {
    for (const account of await findCustody(look, pairOf(one), { since, isPlain })) {
      if (!custody.has(account.address)) custody.set(account.address, account);
    }
  }
  const own = [vault, ...further].flatMap((one) => [one.address, one.asset.address]);
  const around = { since, further: further.map(addressOf), custody: [...custody.keys()] };
  const { paysAtOnce } = KINDS[vault.kind];
  const { decimals } = vault.share;
  const price =
    KINDS[vault.kind].price === 'published'
      ? await findPriceSource(look, { address: vault.address, shareDecimals: decimals })
      : null;
  return {
    chain,
    vault,
    further,
    startBlock,
    custody: [...custody.values()],
    routers: await findRouters(look, share, { since, except: [...own, ...custody.keys()] }),
    price,
    feeds: await feederOf(chain, vault, price),
    allocator: await findAllocator(look, vault.address),
    otherAssets: await otherAssetsOf(chain, vault),
    unseen: paysAtOnce ? await findUnseenDeposits(look, pairOf(vault), around) : null,
    unseenRedemptions: paysAtOnce
      ? await findUnseenRedemptions(look, pairOf(vault), {
          ...around,
          feeHolders: await findFeeHolders(look, vault.address),
        })
      : [],
    wrapped: await findWrappedSupply(look, share),
    outsideQueue: vault.kind === 'erc4626' ? await findOutsideQueue(look, vault.address) : null,
  };
}

async function otherAssetsOf(
  { look }: OpenChain,
  { address, asset }: RecognizedVault,
): Promise<TokenFacts[]> {
  const assets = (await findAssets(look, address)).filter((one) => one !== asset.address);
  return Promise.all(assets.map((one) => readTokenFacts(look, one)));
}

function addressOf({ address }: RecognizedVault): Address {
  return address;
}

function pairOf({ address, asset, share }: RecognizedVault) {
  return { address, asset: asset.address, share: share.address };
}

export async function firstOf(
  chain: OpenChain,
  addresses: readonly Address[],
): Promise<number | null> {
  let first: number | null = null;
  for (const address of new Set(addresses)) {
    const block = await findFirstBlock(chain.look, address);
    if (block === null) return null;
    first = first === null ? block : Math.min(first, block);
  }
  return first;
}

async function feederOf(
  { look }: OpenChain,
  vault: RecognizedVault,
  price: PriceSource | null,
): Promise<Address | null> {
  if (price === null || price.entry === vault.address) return null;
  const [held] = await ask(look, price.entry, [balanceOf(vault.address)]);
  return (numberIn(held) ?? 0n) > 0n ? price.entry : null;
}
