import type { FamilyReport } from './comparison.ts';
import type { Deployment } from './deployment.ts';
import { compareInvariant } from './invariants.ts';
import { kindOf } from './kinds/index.ts';
import { readable } from './notReadable.ts';
import type { ShareDistribution, SystemAccount } from './shareDistribution.ts';

/** An account with delegated code is still a wallet (EIP-7702). */
const DELEGATED = '0xef0100';

/** Checks that the custody accounts hold the pending shares of wallets, and no shares of their own. */
export async function compareCustody(
  deployment: Deployment,
  block: number,
  distribution: ShareDistribution,
): Promise<FamilyReport> {
  const { slug } = deployment.family;
  const where = `chain ${deployment.chain.chainId}, block ${block}`;
  const comparison = compareInvariant(slug, 4, where);
  const notices: string[] = [];
  if (kindOf(deployment.family.adapter).custodyIsAsked) {
    for (const wrong of wrongByCalls(distribution)) comparison.holds(wrong);
    const surplus =
      heldIn(distribution, 'found') + heldIn(distribution, 'custody') - distribution.inCustody;
    if (surplus > BigInt(distribution.pendingWallets)) {
      notices.push(
        `${slug}, ${where}: ${surplus} shares in custody are not pending for any wallet`,
      );
    }
  } else {
    comparison.holds(
      distribution.unexplained === 0n
        ? null
        : `custody accounts hold ${distribution.unexplained} shares that no wallet sent: an account under custody may be a wallet`,
    );
  }
  for (const account of distribution.accounts) {
    if (account.from !== 'found') comparison.holds(await wrongByCode(deployment, block, account));
  }
  return { compared: [comparison], unchecked: [], notices };
}

function heldIn({ accounts }: ShareDistribution, from: SystemAccount['from']): bigint {
  return accounts.reduce((sum, one) => (one.from === from ? sum + one.shares : sum), 0n);
}

function wrongByCalls(distribution: ShareDistribution): (string | null)[] {
  const { accounts, pendingWallets, inCustody } = distribution;
  const held = heldIn(distribution, 'found') + heldIn(distribution, 'custody');
  const missing =
    held >= inCustody
      ? null
      : `${inCustody} shares are pending, custody holds ${held}: an account that holds pending shares is missing under custody`;
  const named = accounts.filter(({ from }) => from === 'custody');
  return [missing, ...named.map(wrongAccount)];

  /** An account that is not needed for the pending shares, or has more than all of them, has shares of its own. */
  function wrongAccount({ address, shares }: SystemAccount): string | null {
    // Shares of claimable redemptions are burned, or are in custody too.
    const { claimable } = distribution.pendingShares;
    const fits = isAbout(held, inCustody) || isAbout(held, inCustody + claimable);
    const needed =
      held - shares < inCustody && shares <= inCustody + claimable + BigInt(pendingWallets);
    if (shares === 0n || fits || needed) return null;
    return `${address} is listed under custody and holds ${shares} shares that are not pending for any wallet: it may be a wallet`;
  }

  /** Each pending amount may be rounded down by one unit. */
  function isAbout(shares: bigint, due: bigint): boolean {
    return shares >= due && shares <= due + BigInt(pendingWallets);
  }
}

async function wrongByCode(
  deployment: Deployment,
  block: number,
  { address, from, shares }: SystemAccount,
): Promise<string | null> {
  // If custody is an account without code, pending shares show whether it holds them for others.
  if (from === 'custody' && shares > 0n && kindOf(deployment.family.adapter).custodyIsAsked)
    return null;
  const code = await readable(() => deployment.reader.codeAt(address, block));
  if (code !== '0x' && !code.startsWith(DELEGATED)) return null;
  const key = from === 'custody' ? 'custody' : 'routers';
  return `${address} is listed under ${key} but is not a contract: it is a wallet`;
}
