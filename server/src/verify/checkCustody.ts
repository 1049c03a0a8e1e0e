import type { FamilyReport } from './comparison.ts';
import type { FamilyOnChain } from './familyOnChain.ts';
import { compareInvariant } from './invariants.ts';
import { kindOf } from './kinds/index.ts';
import { readable } from './parts.ts';
import type { HouseAccount, Whole } from './whole.ts';

/** An account with delegated code is still a wallet (EIP-7702). */
const DELEGATED = '0xef0100';

/** Checks that the custody accounts hold the pending shares of wallets, and no shares of their own. */
export async function checkCustody(
  part: FamilyOnChain,
  block: number,
  whole: Whole,
): Promise<FamilyReport> {
  const { slug } = part.family;
  const where = `chain ${part.chain.chainId}, block ${block}`;
  const comparison = compareInvariant(slug, 4, where);
  const told: string[] = [];
  if (kindOf(part.family.adapter).custodyIsAsked) {
    for (const wrong of wrongByCalls(whole)) comparison.holds(wrong);
    const surplus = heldIn(whole, 'found') + heldIn(whole, 'custody') - whole.inCustody;
    if (surplus > BigInt(whole.waiters)) {
      told.push(`${slug}, ${where}: ${surplus} shares in custody are not pending for any wallet`);
    }
  } else {
    comparison.holds(
      whole.unexplained === 0n
        ? null
        : `custody accounts hold ${whole.unexplained} shares that no wallet sent: an account under custody may be a wallet`,
    );
  }
  for (const account of whole.accounts) {
    if (account.from !== 'found') comparison.holds(await wrongByCode(part, block, account));
  }
  return { compared: [comparison], unchecked: [], told };
}

function heldIn({ accounts }: Whole, from: HouseAccount['from']): bigint {
  return accounts.reduce((sum, one) => (one.from === from ? sum + one.shares : sum), 0n);
}

function wrongByCalls(whole: Whole): (string | null)[] {
  const { accounts, waiters, inCustody: waiting } = whole;
  const held = heldIn(whole, 'found') + heldIn(whole, 'custody');
  const missing =
    held >= waiting
      ? null
      : `${waiting} shares are pending, custody holds ${held}: an account that holds pending shares is missing under custody`;
  const named = accounts.filter(({ from }) => from === 'custody');
  return [missing, ...named.map(wrongAccount)];

  /** An account that is not needed for the pending shares, or has more than all of them, has shares of its own. */
  function wrongAccount({ address, shares }: HouseAccount): string | null {
    // Shares of claimable redemptions are burned, or are in custody too.
    const { claimable } = whole.waiting;
    const fits = isAbout(held, waiting) || isAbout(held, waiting + claimable);
    const needed = held - shares < waiting && shares <= waiting + claimable + BigInt(waiters);
    if (shares === 0n || fits || needed) return null;
    return `${address} is listed under custody and holds ${shares} shares that are not pending for any wallet: it may be a wallet`;
  }

  /** Each pending amount may be rounded down by one unit. */
  function isAbout(shares: bigint, due: bigint): boolean {
    return shares >= due && shares <= due + BigInt(waiters);
  }
}

async function wrongByCode(
  part: FamilyOnChain,
  block: number,
  { address, from, shares }: HouseAccount,
): Promise<string | null> {
  // If custody is an account without code, pending shares show whether it holds them for others.
  if (from === 'custody' && shares > 0n && kindOf(part.family.adapter).custodyIsAsked) return null;
  const code = await readable(() => part.node.codeAt(address, block));
  if (code !== '0x' && !code.startsWith(DELEGATED)) return null;
  const key = from === 'custody' ? 'custody' : 'routers';
  return `${address} is listed under ${key} but is not a contract: it is a wallet`;
}
