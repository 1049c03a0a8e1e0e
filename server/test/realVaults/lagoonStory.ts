import type { Address } from '../../src/domain/hex.ts';
import { createRandom } from '../activity.ts';
import { createBook } from './book.ts';
import { addresses, type Cast, createCast, DAY, HOUR, UNLIMITED } from './cast.ts';
import { createLocalChain, type LocalChain } from './chain.ts';
import { deployLagoon, type Lagoon } from './lagoon.ts';
import { createLagoonActs, type LagoonActs } from './lagoonActs.ts';
import { liveOn } from './lagoonLife.ts';
import { createRequestBook } from './requestBook.ts';
import type { Family, Place } from './scenario.ts';
import type { Played } from './testScenario.ts';

export interface LagoonStory {
  readonly chain: LocalChain;
  readonly lagoon: Lagoon;
  readonly acts: LagoonActs;
  readonly cast: Cast;
}

const START = Date.UTC(2026, 2, 2) / 1000;
const WHOLE = 10n ** 18n;
const usdc = (units: number) => BigInt(Math.round(units * 1e6));

/** Plays eleven days: six settlements, a loss, a period of synchronous deposits, and a pause. */
export async function playLagoon(options: {
  /** Names the silo in the configuration, although it can be found on chain. */
  readonly nameSilo: boolean;
  /** Closes the vault at the end. Redemptions are then immediate, paid from the vault's balance. */
  readonly closes: boolean;
}): Promise<Played> {
  const chain = await createLocalChain({ chainId: 8453, startTime: START });
  const cast = createCast();
  const [admin, safe, valuer, feeReceiver, protocolFeeReceiver] = addresses('lagoon', 5) as [
    ...[Address, Address, Address, Address, Address],
  ];
  const roles = { admin, safe, valuer, feeReceiver, protocolFeeReceiver };
  const lagoon = await deployLagoon(chain, roles);
  const wallets = [...Object.values(cast), feeReceiver, protocolFeeReceiver];
  const place: Place = {
    chain,
    vaults: [lagoon.vault.address],
    share: lagoon.vault.address,
    asset: lagoon.asset.address,
    startBlock: chain.tip.number,
    custody: [lagoon.vault.address, lagoon.silo],
    virtualShares: 10n ** 12n,
    spokenAt: (block) => lastUnpaused(chain, lagoon, block),
    ...(options.nameSilo && { keys: { custody: [lagoon.silo] } }),
  };
  const family: Family = { slug: 'lagoon', kind: 'erc7540', places: [place], wallets };
  const book = createBook();
  const acts = createLagoonActs(chain, lagoon, createRequestBook(family, place, book), wallets);
  const story: LagoonStory = { chain, lagoon, acts, cast };
  for (const wallet of Object.values(cast)) {
    await chain.send(admin, lagoon.asset, 'mint', [wallet, usdc(1_000_000)]);
    await chain.send(wallet, lagoon.asset, 'approve', [lagoon.vault.address, UNLIMITED]);
  }
  await firstDeposits(story);
  await firstRedemptions(story);
  await requestsThatClaim(story);
  await synchronousDeposits(story);
  await lossAndPause(story);
  await leaveOpen(story);
  if (options.closes) await close(story);
  const random = createRandom(20_260_302);
  let rounds = 0;
  return {
    families: [family],
    book,
    async goOn() {
      rounds += 1;
      await liveOn(story, random);
      // The comparison runs once while nothing can be claimed.
      if (rounds === 2) await acts.send(admin, 'pause');
    },
  };
}

async function lastUnpaused(chain: LocalChain, { vault }: Lagoon, block: number): Promise<number> {
  let at = block;
  // `paused` fails before the vault exists, which counts as not paused.
  while (await chain.read<boolean>(vault, 'paused', [], at).catch(() => false)) at -= 1;
  return at;
}

export async function profit({ chain, lagoon }: LagoonStory, assets: bigint): Promise<void> {
  await chain.send(lagoon.admin, lagoon.asset, 'mint', [lagoon.safe, assets]);
}

async function firstDeposits({ chain, acts, cast }: LagoonStory): Promise<void> {
  const { ann, bob, cleo, dan, eve, fay, gus, hal, ida, jon, ned } = cast;
  await acts.requestDeposit(ann, usdc(50_000));
  await acts.requestDeposit(bob, usdc(30_000.333333));
  await acts.requestDeposit(cleo, usdc(10_000));
  await acts.requestDeposit(dan, usdc(20_000));
  await acts.send(hal, 'setOperator', [gus, true]);
  await acts.requestDeposit(gus, usdc(15_000.77), hal, hal);
  await acts.requestDeposit(ida, usdc(12_000), jon);
  await acts.requestDeposit(fay, usdc(8_000.000001));
  await acts.requestDeposit(ned, usdc(25_000));
  await acts.requestDeposit(ned, usdc(1_000));
  await acts.send(cleo, 'cancelRequestDeposit');
  chain.advance(6 * HOUR);
  await acts.settle('settleDeposit');
  await acts.claimDeposit(ann, usdc(50_000));
  await acts.claimDeposit(bob, usdc(11_111.111111));
  await acts.claimDeposit(dan, usdc(20_000), eve);
  await acts.claimDeposit(gus, usdc(15_000.77), hal, hal);
  await acts.claimMint(fay, await acts.ask('maxMint', [fay]));
  await acts.claimDeposit(ned, usdc(26_000));
  chain.advance(DAY);
}

async function firstRedemptions(story: LagoonStory): Promise<void> {
  const { ann, bob, cleo, eve, fay, gus, hal } = story.cast;
  const { chain, acts } = story;
  await acts.requestDeposit(cleo, usdc(9_999.999999));
  // Claims the rest of the first deposit.
  await acts.requestDeposit(bob, usdc(5_000));
  await acts.requestRedeem(ann, 10_000n * WHOLE);
  await acts.requestRedeem(eve, 5_000n * WHOLE, fay);
  await acts.requestRedeem(gus, 4_000n * WHOLE, hal, hal);
  chain.advance(20 * HOUR);
  await profit(story, usdc(777.123456));
  await acts.settle('settleDeposit', 5 * HOUR);
  await acts.claimRedeem(ann, 3_333n * WHOLE + 1n);
  await acts.claimRedeem(fay, 5_000n * WHOLE);
  await acts.claimRedeem(gus, 1_500n * WHOLE, hal, hal);
  await acts.claimDeposit(cleo, usdc(9_999.999999));
  await profit(story, usdc(61.7));
  await acts.requestRedeemAndSettle(cleo, 123n * WHOLE + 4n);
  chain.advance(DAY);
}

async function requestsThatClaim(story: LagoonStory): Promise<void> {
  const { ann, bob, ned, olga, pam } = story.cast;
  const { chain, acts } = story;
  // Pays out the rest of the previous redemption.
  await acts.requestRedeem(ann, 7_000n * WHOLE);
  await acts.requestDeposit(pam, usdc(40_000));
  await acts.requestDeposit(olga, usdc(6_000.5));
  chain.advance(18 * HOUR);
  await profit(story, usdc(410.9));
  await acts.settle('settleDeposit');
  await acts.claimAndRequestRedeem(pam, 15_000n * WHOLE);
  await acts.claimOnBehalf([olga]);
  // A spender with an allowance of the share requests for its owner.
  await acts.send(ned, 'approve', [bob, 2_000n * WHOLE]);
  await acts.requestRedeem(bob, 2_000n * WHOLE, ned, ned);
  chain.advance(DAY);
}

async function synchronousDeposits(story: LagoonStory): Promise<void> {
  const { ann, kim, leo, mia, ned } = story.cast;
  const { chain, acts, lagoon } = story;
  await acts.send(lagoon.safe, 'updateTotalAssetsLifespan', [BigInt(2 * DAY)]);
  await profit(story, usdc(350));
  await acts.settle('settleDeposit');
  await acts.syncDeposit(kim, usdc(7_000));
  await acts.syncDeposit(kim, usdc(3_000.123456), leo);
  await acts.requestRedeem(leo, 1_000n * WHOLE);
  await acts.claimRedeem(ann, 7_000n * WHOLE);
  await acts.transfer(ned, mia, 1_000n * WHOLE);
  await acts.transfer(kim, mia, 333n * WHOLE + 7n);
  // Sent to the vault by mistake: these shares have no owner any longer.
  await acts.transfer(ned, lagoon.vault.address, WHOLE);
  chain.advance(12 * HOUR);
  await acts.syncDeposit(kim, usdc(500));
  await acts.send(lagoon.safe, 'updateTotalAssetsLifespan', [0n]);
  await acts.send(lagoon.safe, 'expireTotalAssets');
  chain.advance(DAY);
}

async function lossAndPause(story: LagoonStory): Promise<void> {
  const { leo, mia, olga, pam } = story.cast;
  const { chain, acts, lagoon } = story;
  await acts.requestDeposit(olga, usdc(2_000));
  await chain.send(lagoon.admin, lagoon.asset, 'burn', [lagoon.safe, usdc(290.25)]);
  // Olga's request stays pending in a closed epoch.
  await acts.settle('settleRedeem');
  await acts.claimRedeem(leo, 1_000n * WHOLE, mia);
  await acts.claimWithdraw(pam, usdc(5_000));
  await acts.send(lagoon.admin, 'pause');
  chain.advance(9 * HOUR);
  await acts.send(lagoon.admin, 'unpause');
  chain.advance(DAY);
}

/** Leaves deposits and redemptions in every state. */
async function leaveOpen(story: LagoonStory): Promise<void> {
  const { ann, bob, cleo, fay, gus, hal, ned, olga } = story.cast;
  const { chain, acts } = story;
  await acts.requestRedeem(fay, 2_500n * WHOLE);
  await acts.requestRedeem(bob, 10_000n * WHOLE);
  await acts.requestDeposit(fay, usdc(4_321));
  await profit(story, usdc(1_200));
  await acts.settle('settleDeposit');
  chain.advance(DAY);
  await acts.claimRedeem(bob, 2_500n * WHOLE);
  await acts.claimDeposit(olga, usdc(500));
  await acts.requestRedeem(ned, 5_000n * WHOLE);
  await acts.requestRedeem(gus, 1_000n * WHOLE, hal, hal);
  await acts.requestRedeem(ann, 11_111n * WHOLE + 11n);
  await acts.requestDeposit(cleo, usdc(3_333));
  chain.advance(DAY);
  await profit(story, usdc(99));
  chain.advance(DAY);
  await chain.mine();
}

async function close({ chain, acts, lagoon, cast }: LagoonStory): Promise<void> {
  const { cleo, eve, kim, ned, pam } = cast;
  await acts.send(lagoon.admin, 'initiateClosing');
  await acts.settle('close');
  chain.advance(3 * HOUR);
  await acts.claimRedeem(eve, 5_000n * WHOLE);
  await acts.claimRedeem(kim, 1_000n * WHOLE + 1n, cleo);
  await acts.claimRedeem(ned, 2_000n * WHOLE);
  await acts.claimDeposit(cleo, usdc(3_333));
  await acts.claimRedeem(pam, 10n * WHOLE);
  chain.advance(DAY);
  await chain.mine();
}
