import type { Address } from '../../src/domain/hex.ts';
import { createRandom } from '../activity.ts';
import { createBook } from './book.ts';
import { addresses, type Cast, createCast, DAY, HOUR, UNLIMITED } from './cast.ts';
import { type AssetVault, type Centrifuge, deployCentrifuge } from './centrifuge.ts';
import { type CentrifugeActs, createCentrifugeActs } from './centrifugeActs.ts';
import { liveOn } from './centrifugeLife.ts';
import { createLocalChain, type LocalChain } from './chain.ts';
import { createRequestBook } from './requestBook.ts';
import type { Family, Place } from './scenario.ts';
import type { Played } from './testScenario.ts';

export interface CentrifugeStory {
  readonly chain: LocalChain;
  readonly centrifuge: Centrifuge;
  readonly acts: CentrifugeActs;
  readonly cast: Cast;
}

const START = Date.UTC(2026, 2, 2) / 1000;
const WHOLE = 10n ** 18n;
/** Converts an amount to base units of a vault's asset, exact to six decimals. */
const of = ({ unit }: AssetVault, amount: number) =>
  (BigInt(Math.round(amount * 1e6)) * unit) / 10n ** 6n;

/**
 * Plays eleven days: prices of both assets, partial fulfilments, cancellations, and a redemption that the issuer
 * requests.
 */
export async function playCentrifuge(): Promise<Played> {
  const chain = await createLocalChain({ chainId: 8453, startTime: START });
  const cast = createCast();
  const [issuer, bridged] = addresses('centrifuge', 2) as [Address, Address];
  const centrifuge = await deployCentrifuge(chain, issuer);
  const { main, second, escrow, share } = centrifuge;
  const vaults = [main.vault.address, second.vault.address];
  const place: Place = {
    chain,
    vaults,
    share: share.address,
    asset: main.asset.address,
    startBlock: chain.tip.number,
    custody: [...vaults, escrow.address, share.address],
  };
  const wallets = [...Object.values(cast), bridged];
  const family: Family = { slug: 'centrifuge', kind: 'erc7540', places: [place], wallets };
  const book = createBook();
  const acts = createCentrifugeActs(chain, centrifuge, createRequestBook(family, place, book));
  const story: CentrifugeStory = { chain, centrifuge, acts, cast };
  for (const { vault, asset, unit } of [main, second]) {
    // The pool's earnings from other chains.
    await chain.send(issuer, asset, 'mint', [escrow.address, 1_000_000n * unit]);
    for (const wallet of Object.values(cast)) {
      await chain.send(issuer, asset, 'mint', [wallet, 1_000_000n * unit]);
      await chain.send(wallet, asset, 'approve', [vault.address, UNLIMITED]);
      await chain.send(wallet, share, 'approve', [vault.address, UNLIMITED]);
    }
  }
  await acts.price(main, 1);
  await acts.price(second, 1.0004);
  await firstDeposits(story);
  await acts.bridge(bridged, 2_500n * WHOLE + 3n);
  await claims(story);
  await redemptions(story);
  await cancellations(story);
  await triggeredAndMoved(story);
  await leaveOpen(story);
  const random = createRandom(20_260_303);
  return { families: [family], book, goOn: () => liveOn(story, random) };
}

async function firstDeposits({ chain, acts, cast, centrifuge }: CentrifugeStory): Promise<void> {
  const { ann, bob, cleo, dan, fay, gus, hal, ida, jon, kim, leo, ned, olga, pam } = cast;
  const { main, second } = centrifuge;
  await acts.requestDeposit(main, ann, of(main, 60_000));
  await acts.requestDeposit(main, bob, of(main, 30_000.123456));
  await acts.requestDeposit(second, cleo, of(second, 20_000.5));
  await acts.requestDeposit(main, dan, of(main, 9_000));
  await acts.requestDeposit(main, fay, of(main, 12_345.678901));
  await acts.requestDeposit(main, gus, of(main, 8_000));
  await acts.send(hal, main, 'setOperator', [gus, true]);
  await acts.requestDeposit(main, gus, of(main, 15_000), hal, hal);
  await acts.requestDeposit(main, ida, of(main, 7_000), jon);
  await acts.requestDeposit(main, kim, of(main, 5_000));
  await acts.requestDeposit(main, leo, of(main, 10_000));
  await acts.requestDeposit(second, ned, of(second, 25_000));
  await acts.requestDeposit(second, olga, of(second, 6_000));
  await acts.requestDeposit(main, pam, of(main, 11_000));
  await acts.requestDeposit(second, pam, of(second, 13_000));
  chain.advance(10 * HOUR);
  for (const [wallet, amount] of [
    [ann, 60_000],
    [bob, 10_000.1],
    [dan, 9_000],
    [fay, 12_345.678901],
    [gus, 8_000],
    [hal, 15_000],
    [leo, 10_000],
    [pam, 11_000],
  ] as const) {
    await acts.fulfilDeposit(main, wallet, of(main, amount));
  }
  await acts.fulfilDeposit(second, cleo, of(second, 20_000.5));
  await acts.fulfilDeposit(second, ned, of(second, 25_000));
  await acts.fulfilDeposit(second, pam, of(second, 13_000));
  chain.advance(DAY);
}

async function claims({ chain, acts, cast, centrifuge }: CentrifugeStory): Promise<void> {
  const { ann, bob, cleo, dan, eve, fay, gus, hal, jon, kim, leo, ned, olga, pam } = cast;
  const { main, second } = centrifuge;
  const ready = ({ vault }: AssetVault, wallet: Address) => chain.read(vault, 'maxMint', [wallet]);
  await acts.claimMint(main, ann, 60_000n * WHOLE);
  await acts.claimDeposit(main, bob, of(main, 3_333.333333));
  await acts.price(main, 1.003172911);
  await acts.price(second, 1.0037);
  // Fulfils the rest of the request at another price. The vault averages the two.
  await acts.fulfilDeposit(main, bob, of(main, 20_000.023456));
  await acts.claimDeposit(main, bob, of(main, 7_000.000001));
  await acts.claimMint(second, cleo, await ready(second, cleo));
  await acts.claimMint(main, dan, 9_000n * WHOLE, eve);
  await acts.claimMint(main, fay, await ready(main, fay));
  await acts.claimMint(main, gus, 8_000n * WHOLE);
  await acts.claimMint(main, gus, 15_000n * WHOLE, hal, hal);
  await acts.claimMint(main, leo, 4_000n * WHOLE);
  await acts.claimDeposit(second, ned, of(second, 24_999.999999));
  await acts.claimMint(main, pam, 11_000n * WHOLE);
  await acts.claimMint(second, pam, await ready(second, pam));
  await acts.fulfilDeposit(main, jon, of(main, 7_000));
  await acts.cancelDeposit(main, kim);
  await acts.send(kim, main, 'claimCancelDepositRequest', [0n, kim, kim]);
  await acts.fulfilDeposit(second, olga, of(second, 2_000));
  chain.advance(2 * DAY);
}

async function redemptions({ chain, acts, cast, centrifuge }: CentrifugeStory): Promise<void> {
  const { ann, bob, cleo, eve, fay, gus, hal, ned, pam } = cast;
  const { main, second } = centrifuge;
  await acts.price(main, 1.0071);
  await acts.price(second, 1.007755);
  await acts.requestRedeem(main, ann, 20_000n * WHOLE);
  await acts.requestRedeem(main, bob, 1_000n * WHOLE);
  // Deposits through one vault and redeems through the other.
  await acts.requestRedeem(main, cleo, 5_000n * WHOLE);
  await acts.requestRedeem(second, eve, 4_000n * WHOLE);
  await acts.requestRedeem(main, gus, 6_000n * WHOLE, hal, hal);
  await acts.requestRedeem(main, fay, 3_000n * WHOLE);
  await acts.requestRedeem(second, ned, 10_000n * WHOLE);
  await acts.requestRedeem(main, pam, 2_000n * WHOLE);
  await acts.requestRedeem(second, pam, 7_000n * WHOLE);
  chain.advance(12 * HOUR);
  await acts.fulfilRedeem(main, ann, 8_000n * WHOLE + 1n);
  await acts.fulfilRedeem(main, cleo, 5_000n * WHOLE);
  await acts.fulfilRedeem(second, eve, 4_000n * WHOLE);
  await acts.fulfilRedeem(main, hal, 6_000n * WHOLE);
  await acts.fulfilRedeem(second, ned, 3_333n * WHOLE);
  await acts.claimWithdraw(main, ann, of(main, 2_500.25));
  await acts.claimRedeem(main, cleo, await chain.read(main.vault, 'maxRedeem', [cleo]));
  await acts.claimWithdraw(second, eve, of(second, 1_000));
  await acts.claimRedeem(main, gus, 2_000n * WHOLE, hal);
  // The claim pays another account.
  await acts.claimWithdraw(second, ned, of(second, 777), bob);
  chain.advance(DAY + 7 * HOUR);
}

async function cancellations({ chain, acts, cast, centrifuge }: CentrifugeStory): Promise<void> {
  const { ann, fay, gus, olga, pam } = cast;
  const { main, second } = centrifuge;
  await acts.cancelRedeem(main, fay);
  await acts.fulfilCancelRedeem(main, fay, 3_000n * WHOLE);
  chain.advance(HOUR);
  await acts.claimCancelRedeem(main, fay);
  await acts.requestRedeem(main, gus, 2_222n * WHOLE);
  await acts.cancelRedeem(main, gus);
  await acts.fulfilCancelRedeem(main, gus, 2_222n * WHOLE);
  await acts.price(main, 1.0099);
  await acts.price(second, 1.0102);
  // Half of the request was fulfilled before the cancellation arrived.
  await acts.cancelRedeem(second, pam);
  await acts.fulfilRedeem(second, pam, 3_500n * WHOLE);
  await acts.fulfilCancelRedeem(second, pam, 3_500n * WHOLE);
  await acts.claimCancelRedeem(second, pam);
  await acts.fulfilRedeem(main, ann, 4_000n * WHOLE);
  await acts.claimRedeem(main, ann, 1_234n * WHOLE);
  await acts.cancelDeposit(second, olga);
  chain.advance(2 * DAY);
}

async function triggeredAndMoved({
  chain,
  acts,
  cast,
  centrifuge,
}: CentrifugeStory): Promise<void> {
  const { ann, leo, mia, ned, pam } = cast;
  const { main, second, share } = centrifuge;
  // 6,000 of them were never claimed; 1,500 come from the wallet.
  await acts.trigger(main, leo, 7_500n * WHOLE);
  await acts.transfer(ned, mia, 1_111n * WHOLE + 1n);
  await acts.price(main, 1.0121);
  await chain.send(pam, share, 'approve', [mia, UNLIMITED]);
  await acts.transfer(pam, mia, 500n * WHOLE);
  await acts.fulfilRedeem(main, leo, 2_000n * WHOLE);
  await acts.claimWithdraw(main, leo, of(main, 1_500));
  await acts.fulfilRedeem(main, ann, 500n * WHOLE);
  await acts.price(second, 1.0125);
  chain.advance(2 * DAY);
}

/** Leaves requests of both vaults in every state. */
async function leaveOpen({ chain, acts, cast, centrifuge }: CentrifugeStory): Promise<void> {
  const { bob, cleo, dan, kim, ida } = cast;
  const { main, second } = centrifuge;
  await acts.requestDeposit(main, kim, of(main, 4_000));
  await acts.requestDeposit(second, ida, of(second, 3_210.987654));
  await acts.requestDeposit(main, dan, of(main, 1_000));
  await acts.fulfilDeposit(main, dan, of(main, 400));
  await acts.requestRedeem(second, cleo, 1_500n * WHOLE);
  await acts.requestRedeem(second, bob, 900n * WHOLE);
  await acts.fulfilRedeem(second, bob, 450n * WHOLE);
  await acts.price(main, 1.0087);
  chain.advance(DAY);
  await acts.price(main, 1.0142);
  await acts.price(second, 1.0149);
  chain.advance(DAY);
  await chain.mine();
}
