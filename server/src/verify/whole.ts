import { type Address, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import { need } from './ask.ts';
import type { FamilyOnChain } from './familyOnChain.ts';
import { kindOf } from './kinds/index.ts';
import { NOTHING_WAITING, plus, sharesOf, type Waiting } from './kinds/kind.ts';
import { bookAt } from './transferBook.ts';

/** All shares of a family on one chain at a block: whose they are, and where they stand. */
export interface Whole {
  readonly supply: bigint;
  /** What all wallets must have together. */
  readonly positions: bigint;
  readonly waiting: Waiting;
  /** How many wallets that is of: each amount may be rounded. */
  readonly waiters: number;
  readonly accounts: readonly HouseAccount[];
  /** Shares in named custody that no transfer of a wallet explains, where transfers are all that can. */
  readonly unexplained: bigint;
}

/** Nobody's wallet. */
export interface HouseAccount {
  readonly address: Address;
  readonly shares: bigint;
  /** found: the contracts name it. custody, router: only the file does. */
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
  return {
    supply,
    positions: supply - held + sharesOf(all),
    waiting: all,
    waiters: [...waiting.values()].filter((one) => sharesOf(one) > 0n).length,
    accounts,
    unexplained: kind.custodyIsAsked ? 0n : bookAt(part, block).unexplained,
  };
}

/** Each account once, by the strongest word for it. */
async function houseOf(part: FamilyOnChain, block: number) {
  const { chain, share, family } = part;
  const found = await kindOf(family.adapter).findCustody(part, block);
  const house = new Map<Address, Omit<HouseAccount, 'shares'>>();
  const add = (from: HouseAccount['from'], addresses: readonly Address[]) => {
    for (const address of addresses.map(lower)) {
      if (!house.has(address)) house.set(address, { address, from });
    }
  };
  // Shares of the zero address were minted to nobody; those of the token itself nobody can move.
  add('found', [ZERO_ADDRESS, share, ...found]);
  add('custody', chain.custody);
  add('router', chain.routers);
  return [...house.values()];
}

/** The sum of all that was minted less what was burned, up to a block, by the token's transfers. */
export function supplyByTransfers({ logs }: FamilyOnChain, block: number): bigint {
  let supply = 0n;
  for (const { block: at, from, to, value } of logs.transfers) {
    if (at > block) break;
    // A mint to the zero address counts: the token has them in its supply.
    if (from === ZERO_ADDRESS) supply += value;
    else if (to === ZERO_ADDRESS) supply -= value;
  }
  return supply;
}
