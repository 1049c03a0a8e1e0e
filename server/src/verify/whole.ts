import { type Address, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import { need } from './ask.ts';
import type { FamilyOnChain } from './familyOnChain.ts';
import { kindOf } from './kinds/index.ts';
import { NOTHING_WAITING, plus, sharesOf, type Waiting } from './kinds/kind.ts';
import { bookAt } from './transferBook.ts';

/** The distribution of a family's shares on one chain at a block: owners and accounts. */
export interface Whole {
  readonly supply: bigint;
  /** The total that all wallets must have. */
  readonly positions: bigint;
  readonly waiting: Waiting;
  /** Of the pending shares, the number that must be in custody. */
  readonly inCustody: bigint;
  /** The number of wallets with pending shares: each amount may be rounded. */
  readonly waiters: number;
  readonly accounts: readonly HouseAccount[];
  /** Shares in configured custody that no transfer of a wallet explains, if only transfers can. */
  readonly unexplained: bigint;
}

/** An account that belongs to no wallet. */
export interface HouseAccount {
  readonly address: Address;
  readonly shares: bigint;
  /** found: reported by the contracts. custody, router: listed only in the configuration. */
  readonly from: 'found' | 'custody' | 'router';
}

export async function wholeAt(part: FamilyOnChain, block: number): Promise<Whole> {
  const { share, family } = part;
  const kind = kindOf(family.adapter);
  const ask = part.askAt(block);
  const house = await houseOf(part, block);
  const inHouse = new Set(house.map(({ address }) => address));
  const waiters = kind.waiters(part, block).filter((wallet) => !inHouse.has(wallet));
  const [supply, shares, waiting] = await Promise.all([
    need<bigint>(ask, share, 'totalSupply() view returns (uint256)'),
    Promise.all(
      house.map(({ address }) =>
        ask<bigint>(share, 'balanceOf(address) view returns (uint256)', address),
      ),
    ),
    kind.waiting(part, block, waiters),
  ]);
  const accounts = house.map((account, i) => ({ ...account, shares: shares[i] ?? 0n }));
  const held = accounts.reduce((sum, account) => sum + account.shares, 0n);
  const all = [...waiting.values()].reduce(plus, NOTHING_WAITING);
  // Shares that a vault counts after it has burned them are pending, so they are included below.
  const minted = supplyByTransfers(part, block);
  const real = kind.custodyIsAsked && supply > minted ? minted : supply;
  return {
    supply,
    positions: real - held + sharesOf(all),
    waiting: all,
    inCustody: inCustody(part, block, all),
    waiters: [...waiting.values()].filter((one) => sharesOf(one) > 0n).length,
    accounts,
    unexplained: kind.custodyIsAsked ? 0n : bookAt(part, block).unexplained,
  };
}

/** Some vaults burn shares at the redemption request, and some mint a deposit's shares only at the claim. */
function inCustody({ logs }: FamilyOnChain, block: number, waiting: Waiting): bigint {
  const until = logs.transfers.filter((one) => one.block <= block);
  const asked = new Set(
    logs.requests.flatMap(({ side, transaction }) => (side === 'redeem' ? transaction : [])),
  );
  const burnsRequests = until.some(
    ({ from, to, transaction }) =>
      to === ZERO_ADDRESS && from !== ZERO_ADDRESS && asked.has(transaction),
  );
  // A mint to a wallet without a deposit is a cancelled request.
  const wallets = new Set(logs.requests.map(({ controller }) => controller));
  const makesBefore = until.some(
    ({ from, to, transaction }) =>
      from === ZERO_ADDRESS && !wallets.has(to) && !logs.deposits.has(transaction),
  );
  const { pending, deposits, returning } = waiting;
  return (burnsRequests ? 0n : pending) + (makesBefore ? deposits : 0n) + returning;
}

/** Each account once, by its strongest source. */
async function houseOf(part: FamilyOnChain, block: number) {
  const { chain, share, family } = part;
  const found = await kindOf(family.adapter).findCustody(part, block);
  const house = new Map<Address, Omit<HouseAccount, 'shares'>>();
  const add = (from: HouseAccount['from'], addresses: readonly Address[]) => {
    for (const address of addresses.map(lower)) {
      if (!house.has(address)) house.set(address, { address, from });
    }
  };
  // Shares of the zero address have no owner, and those of the token itself cannot be moved.
  add('found', [ZERO_ADDRESS, share, ...found]);
  add('custody', chain.custody);
  add('router', chain.routers);
  return [...house.values()];
}

/** The total of mints minus burns up to a block, from the token's transfers. */
export function supplyByTransfers({ logs }: FamilyOnChain, block: number): bigint {
  let supply = 0n;
  for (const { block: at, from, to, value } of logs.transfers) {
    if (at > block) break;
    // A mint to the zero address counts, because the token includes it in its supply.
    if (from === ZERO_ADDRESS) supply += value;
    else if (to === ZERO_ADDRESS) supply -= value;
  }
  return supply;
}
