import { fn } from '../chain/abi.ts';
import type { Address } from '../domain/hex.ts';
import { KINDS } from '../vaults/index.ts';
import { type AllocatorName, findAllocator } from '../vaults/recognise/allocator.ts';
import { type CustodyAccount, findCustody } from '../vaults/recognise/custody.ts';
import { findFirstBlock } from '../vaults/recognise/firstBlock.ts';
import { findFurtherVaults } from '../vaults/recognise/furtherVaults.ts';
import { type RecognisedVault, recogniseVault } from '../vaults/recognise/index.ts';
import { ask, numberIn } from '../vaults/recognise/look.ts';
import { findPriceSource, type PriceSource } from '../vaults/recognise/priceSource.ts';
import { findRouters } from '../vaults/recognise/routers.ts';
import type { OpenChain } from './openChains.ts';

/** A share token on one chain: the vault that was asked for, and all that was found around it. */
export interface FoundVault {
  readonly chain: OpenChain;
  readonly vault: RecognisedVault;
  /** Further vaults over the same share. */
  readonly further: readonly RecognisedVault[];
  /** The first block with anything of it; null when the node keeps no old state. */
  readonly startBlock: number | null;
  readonly custody: readonly CustodyAccount[];
  readonly routers: readonly Address[];
  /** Of a receiver-queue vault. */
  readonly price: PriceSource | null;
  /** The vault whose price it uses, when it holds shares of that one: then it is its feeder. */
  readonly feeds: Address | null;
  readonly allocator: AllocatorName | null;
}

const balanceOf = fn('balanceOf(address)');

/** `siblings`: vaults over the same share that were asked for as well. */
export async function findAround(
  chain: OpenChain,
  vault: RecognisedVault,
  siblings: readonly RecognisedVault[],
): Promise<FoundVault> {
  const { look } = chain;
  const share = vault.share.address;
  const startBlock = await firstOf(chain, [vault.address, share, ...siblings.map(addressOf)]);
  const since = startBlock ?? 0;
  const further = [...siblings];
  for (const address of await findFurtherVaults(look, pairOf(vault), { since })) {
    if (further.some((one) => one.address === address)) continue;
    const found = await recogniseVault(look, address);
    if (found.kind === vault.kind && found.share.address === share) further.push(found);
  }
  const custody = new Map<Address, CustodyAccount>();
  for (const one of [vault, ...further]) {
    for (const account of await findCustody(look, pairOf(one), { since })) {
      if (!custody.has(account.address)) custody.set(account.address, account);
    }
  }
  const own = [vault, ...further].flatMap((one) => [one.address, one.asset.address]);
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
  };
}

function addressOf({ address }: RecognisedVault): Address {
  return address;
}

function pairOf({ address, asset, share }: RecognisedVault) {
  return { address, asset: asset.address, share: share.address };
}

async function firstOf(chain: OpenChain, addresses: readonly Address[]): Promise<number | null> {
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
  vault: RecognisedVault,
  price: PriceSource | null,
): Promise<Address | null> {
  if (price === null || price.entry === vault.address) return null;
  const [held] = await ask(look, price.entry, [balanceOf(vault.address)]);
  return (numberIn(held) ?? 0n) > 0n ? price.entry : null;
}
