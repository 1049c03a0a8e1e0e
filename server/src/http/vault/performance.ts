import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { END_OF_TIME, toIso } from '../../domain/time.ts';
import type { Ratio } from '../../domain/vault/ratio.ts';
import type { CostMethod } from '../../domain/wallet/accounting/costMethod.ts';
import {
  performanceInUsd,
  performanceOf,
  performanceTotals,
} from '../../domain/wallet/performance.ts';
import { notices } from '../../store/notices/notices.ts';
import type { Standing } from '../../store/positions/read.ts';
import { getNewestPrices, getNewestRatios, type HeldPrice } from '../../store/prices/read.ts';
import type { Store } from '../../store/store.ts';
import { type VaultRow, vaults } from '../../store/vaults/vaults.ts';
import { checksummed } from '../checksum.ts';
import { Headed } from '../jsonText.ts';
import { readParameters } from '../parameters.ts';
import type { Route } from '../route.ts';
import { asOfHeaders } from './asOfHeaders.ts';
import { asOfParameters, readAskedMoment } from './asOfParameters.ts';
import { presentAsOf } from './asOfSchema.ts';
import { timeOf } from './asOfTime.ts';
import { methodParameter, readMethod } from './costMethod.ts';
import { getMethodStandings } from './methodStandings.ts';
import {
  type PerformanceAnswer,
  type PerformanceEntry,
  performanceExample,
  performanceSchema,
} from './performanceSchema.ts';
import { findPositionsAsOf, type PositionsAsOf } from './positionsAsOf.ts';
import { readWallet, walletParameters } from './walletParameters.ts';

export interface PerformanceDeps {
  readonly config: Config;
  readonly store: Store;
}

const DESCRIPTION = `Returns a wallet's cost basis, holdings, and profit or loss in each vault family, at average cost over all chains of the family, exact in base units.

- A deposit adds its assets to the cost. A paid redemption realizes the assets received minus the cost of the burned shares. It counts for the owner of the shares, or, through a router or the queue, for the receiver.
- Shares received from another wallet cost their value at that time: the last share price published on that chain before, or the vault's conversion at that block. Shares minted without a deposit (fees) cost nothing. Sent shares take their part of the cost along and realize nothing. Cost that leaves is rounded down; a balance of zero has cost zero.
- Moves through a known router or the vault's queue are not transfers: shares in a queued redemption belong to the wallet until they are paid, and so do claimable redemptions and the shares of a claimable deposit. sharesBalance is balanceOf + pending + claimable.
- currentValue is the sum over the chains of the shares at that chain's price, rounded down once.
- All USD values of an entry use one price, that of pricedAt: the newest that is available and recent enough. A family without a price has null there, is listed in unpricedFamilies, and is not included in the totals.
- Shares that were bought without a Deposit event cost 0 as well, since no event contains the price, and so do shares that moved before they had a price, for example before a rate was set. Entries of wallets that got such shares have costIncomplete: true: their cost is unknown, not 0. Wallets that were paid for shares without a Withdraw event have it too: that payment is missing from realized. /v1/status lists the transactions.
- With \`method\`, the shares that leave take the cost of their lots along. Shares sent leave in the same order. Realized plus unrealized, minus the cost that left with sent shares, is equal under every method.
- Families in which the wallet never held shares are omitted.`;

/** GET /v1/performance/{walletAddress} */
export function performanceRoutes(deps: PerformanceDeps): Route[] {
  const { config } = deps;
  return [
    {
      path: '/v1/performance/{walletAddress}',
      access: 'open',
      operationId: 'getPerformance',
      summary: 'Get the performance of a wallet',
      description: DESCRIPTION,
      tag: 'wallets',
      parameters: [...walletParameters, methodParameter, ...asOfParameters],
      response: performanceSchema,
      responseExample: performanceExample,
      problems: [400, 404, 409, 410, 429],
      maxAge: 5,
      families({ query }) {
        return query.get('family') ?? config.families.map(({ slug }) => slug);
      },
      async answer(request) {
        const method = readMethod(request);
        const moment = readParameters(readAskedMoment, request);
        const { wallet, asked } = readWallet(request, config);
        if (moment === undefined) return getPerformance(deps, wallet, asked, request.now, method);
        const time = await timeOf(deps.store.reads, config, moment, asked);
        const then = await findPositionsAsOf(deps, wallet, asked, time, method);
        const answer = await getPerformance(deps, wallet, asked, request.now, method, then);
        return new Headed(answer, asOfHeaders(then.found));
      },
    },
  ];
}

/** Computes the performance of a wallet in these families, now or as of a moment. */
export async function getPerformance(
  { config, store }: PerformanceDeps,
  wallet: Address,
  asked: readonly FamilyConfig[],
  now: number,
  method: CostMethod = 'average',
  then?: PositionsAsOf,
): Promise<PerformanceAnswer> {
  const untilOf = (slug: string) => then?.asOf.get(slug)?.at ?? END_OF_TIME;
  const maxAge = config.prices.maxAgeSeconds;
  const prices = asked.flatMap(({ slug, priceFeed }) => {
    const at = then?.asOf.get(slug)?.at ?? now;
    return priceFeed === null ? [] : { feed: priceFeed, since: at - maxAge, until: untilOf(slug) };
  });
  const [standings, ratioOf, priceOf, vaultRows, unseen] = await Promise.all([
    then?.standings ?? getMethodStandings(store.reads, wallet, asked, method),
    getNewestRatios(
      store.reads,
      asked.flatMap(chainsOf).map((asked) => ({ ...asked, until: untilOf(asked.slug) })),
    ),
    getNewestPrices(store.reads, prices),
    vaults.getAll(store.reads),
    notices.getIncompleteCosts(store.reads, wallet),
  ]);
  const entries = asked.flatMap((family): PerformanceEntry[] => {
    const standing = standings.find(({ slug }) => slug === family.slug);
    const facts = standing && factsOf(family, standing, vaultRows);
    if (facts === undefined) return [];
    const until = untilOf(family.slug);
    const usdPrice = priceOf(family.priceFeed ?? '', until);
    const ratioOn = (chainId: number) => ratioOf(family.slug, chainId);
    const entry = entryOf(standing!, facts, ratioOn, usdPrice);
    const unseenSince = unseen.get(standing!.familyId);
    const asOf = then?.asOf.get(family.slug);
    return [
      {
        ...entry,
        ...(unseenSince !== undefined && unseenSince <= until && { costIncomplete: true }),
        ...(asOf && { asOf: presentAsOf(asOf, asOf.blocks) }),
      },
    ];
  });
  return {
    wallet: checksummed(wallet),
    families: entries,
    totals: performanceTotals(entries),
  };
}

export function chainsOf({ slug, chains }: FamilyConfig) {
  return chains.map(({ chainId }) => ({ slug, chainId }));
}

/** Of the first settlement chain, or, until that is read, of the first chain that was read. */
export function factsOf(
  { chains }: FamilyConfig,
  { familyId }: Pick<Standing, 'familyId'>,
  rows: readonly VaultRow[],
): VaultRow | undefined {
  const order = [
    ...chains.filter(({ role }) => role === 'settlement'),
    ...chains.filter(({ role }) => role !== 'settlement'),
  ];
  return order
    .map(({ chainId }) => rows.find((row) => row.familyId === familyId && row.chainId === chainId))
    .find((row) => row !== undefined);
}

function entryOf(
  { slug, position }: Standing,
  facts: VaultRow,
  ratioOn: (chainId: number) => Ratio | null,
  usdPrice: HeldPrice | null,
): PerformanceEntry {
  const performance = performanceOf(position, ratioOn);
  const usd = performanceInUsd(performance, facts.assetDecimals, usdPrice);
  const { currentValue, unrealized } = performance;
  return {
    family: slug,
    baseAsset: facts.asset && checksummed(facts.asset),
    baseAssetDecimals: facts.assetDecimals,
    baseAssetSymbol: facts.assetSymbol,
    shareDecimals: facts.shareDecimals,
    realized: String(performance.realized),
    costBasis: String(performance.costBasis),
    sharesBalance: String(performance.sharesBalance),
    currentValue: currentValue === null ? null : String(currentValue),
    unrealized: unrealized === null ? null : String(unrealized),
    usd,
    pricedAt: usd === null || usdPrice === null ? null : toIso(usdPrice.at),
  };
}
