import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { toIso } from '../../domain/time.ts';
import type { Ratio } from '../../domain/vault/ratio.ts';
import {
  performanceInUsd,
  performanceOf,
  performanceTotals,
} from '../../domain/wallet/performance.ts';
import { getStandings, type Standing } from '../../store/positions/read.ts';
import { getNewestPrices, getNewestRatios, type HeldPrice } from '../../store/prices/read.ts';
import type { Store } from '../../store/store.ts';
import { type VaultRow, vaults } from '../../store/vaults/vaults.ts';
import { checksummed } from '../checksum.ts';
import type { Route } from '../route.ts';
import {
  type PerformanceAnswer,
  type PerformanceEntry,
  performanceExample,
  performanceSchema,
} from './performanceSchema.ts';
import { readWallet, walletParameters } from './walletParameters.ts';

export interface PerformanceDeps {
  readonly config: Config;
  readonly store: Store;
}

const DESCRIPTION = `What a wallet paid, received and holds in each vault family, at average cost over all chains of the family, exact in base units.

- A deposit adds its assets to the cost. An exit that is paid realises the assets received less the cost of the shares burned; it counts for whoever owned the shares, through a router or the queue for the receiver.
- Shares received from another wallet cost what they were worth there and then by the vault's own word: the last share price published on that chain before, or what the vault converts them to at that block; shares minted without a deposit (fees) cost nothing. Shares sent take their part of the cost along and realise nothing. Cost that leaves is rounded down; a balance of zero has cost zero.
- Moves through a known router or the vault's queue are not transfers: shares in a queued redemption still belong to the wallet until they are paid, and so do claimable redemptions and the shares of a deposit that can be claimed. sharesBalance is balanceOf + pending + claimable.
- currentValue is the sum over the chains of the shares there at that chain's price, rounded down once.
- All USD figures of an entry use one price, that of pricedAt: the newest that is held and recent enough. A family without one has null there, is named in unpricedFamilies and left out of the totals.
- Families in which the wallet never held shares are left out.`;

/** GET /v1/performance/{walletAddress} */
export function performanceRoutes(deps: PerformanceDeps): Route[] {
  const { config } = deps;
  return [
    {
      path: '/v1/performance/{walletAddress}',
      access: 'open',
      operationId: 'getPerformance',
      summary: 'Performance of a wallet',
      description: DESCRIPTION,
      tag: 'wallets',
      parameters: walletParameters,
      response: performanceSchema,
      responseExample: performanceExample,
      problems: [400, 404, 429],
      maxAge: 5,
      families({ query }) {
        return query.get('family') ?? config.families.map(({ slug }) => slug);
      },
      async answer(request) {
        const { wallet, asked } = readWallet(request, config);
        return getPerformance(deps, wallet, asked, request.now);
      },
    },
  ];
}

/** What is known of a wallet in these families. */
export async function getPerformance(
  { config, store }: PerformanceDeps,
  wallet: Address,
  asked: readonly FamilyConfig[],
  now: number,
): Promise<PerformanceAnswer> {
  const slugs = asked.map(({ slug }) => slug);
  const feeds = [...new Set(asked.flatMap(({ priceFeed }) => priceFeed ?? []))];
  const [standings, ratioOf, usdPrices, vaultRows] = await Promise.all([
    getStandings(store.reads, wallet, slugs),
    getNewestRatios(store.reads, asked.flatMap(chainsOf)),
    getNewestPrices(store.reads, feeds, now - config.prices.maxAgeSeconds),
    vaults.getAll(store.reads),
  ]);
  const entries = asked.flatMap((family): PerformanceEntry[] => {
    const standing = standings.find(({ slug }) => slug === family.slug);
    const facts = standing && factsOf(family, standing, vaultRows);
    if (facts === undefined) return [];
    const usdPrice = usdPrices.get(family.priceFeed ?? '') ?? null;
    const ratioOn = (chainId: number) => ratioOf(family.slug, chainId);
    return [entryOf(standing!, facts, ratioOn, usdPrice)];
  });
  return {
    wallet: checksummed(wallet),
    families: entries,
    totals: performanceTotals(entries),
  };
}

function chainsOf({ slug, chains }: FamilyConfig) {
  return chains.map(({ chainId }) => ({ slug, chainId }));
}

/** Of the first settlement chain; until that one is read, of the first that was. */
function factsOf(
  { chains }: FamilyConfig,
  { familyId }: Standing,
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
    baseAsset: checksummed(facts.asset),
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
