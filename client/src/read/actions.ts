// Written from the server's routes by generate/generate.ts; `npm test -- client/generate -u` writes it anew.
import type * as types from '../api/types.ts';
import { action } from './action.ts';

/** All vault families. Every vault family in the order of the configuration, with its main figures; `stats` is null while it has never been read. Filters combine: with both, the base asset is meant on that chain. What matches nothing gives an empty list. A page has up to 500 families; if more follow, the `Link` header has the URL of the next page. */
export const listVaults = /* @__PURE__ */ action<types.ListVaultsParameters, readonly types.ListedVault<string>[], readonly types.ListedVault<bigint>[]>(
  '/v1/vaults',
  'chainId baseAsset limit cursor',
  'assetsPerShare idle invested pendingExits pendingRedemptionAssets totalShares tvl',
);

/** A vault family now. The figures of a vault family over all its chains, its pools and what they depend on, as of the newest tick. Every row is read at the block that it names; nothing is invented for a chain that cannot be read. 503 with Retry-After while the family has never been read. */
export const getVault = /* @__PURE__ */ action<types.GetVaultParameters, types.Vault<string>, types.Vault<bigint>>(
  '/v1/vaults/{slug}',
  '',
  'assetsPerShare availableLiquidity block idle invested pendingExits pendingRedemptionAssets shareSupply totalShares tvl value',
);

/** APY over time. The 7-day APY at each tick: compound, from the share price. A family younger than the window is measured over its whole life; where there is no figure there is no tick. Ticks are in ascending order. A family that has not been read yet has an empty series. */
export const getApySeries = /* @__PURE__ */ action<types.GetApySeriesParameters, readonly types.ApyTick[], readonly types.ApyTick[]>(
  '/v1/vaults/{slug}/timeseries/apy',
  'from to interval limit',
  '',
);

/** Total value locked over time. The total value locked over all chains of the family at each tick, in base units and in USD. Ticks are in ascending order. A family that has not been read yet has an empty series. */
export const getTvlSeries = /* @__PURE__ */ action<types.GetTvlSeriesParameters, readonly types.TvlTick<string>[], readonly types.TvlTick<bigint>[]>(
  '/v1/vaults/{slug}/timeseries/tvl',
  'from to interval limit',
  'value',
);

/** Share price over time. The price of one whole share at each tick, as published on the first settlement chain of the family. Ticks are in ascending order. A family that has not been read yet has an empty series. */
export const getSharePriceSeries = /* @__PURE__ */ action<types.GetSharePriceSeriesParameters, readonly types.SharePriceTick<string>[], readonly types.SharePriceTick<bigint>[]>(
  '/v1/vaults/{slug}/timeseries/share-price',
  'from to interval limit',
  'value',
);

/** What the value consisted of over time. Beyond the interface: idle, invested and leaving assets over all chains of the family at each tick, which add up to its TVL, and what was owed to queued redemptions. An imported tick does not have them and is left out. Ticks are in ascending order. A family that has not been read yet has an empty series. */
export const getSplitSeries = /* @__PURE__ */ action<types.GetSplitSeriesParameters, readonly types.SplitTick<string>[], readonly types.SplitTick<bigint>[]>(
  '/v1/vaults/{slug}/timeseries/split',
  'from to interval limit',
  'idle invested pendingExits pendingRedemptionAssets',
);

/** What each pool held over time. Beyond the interface: the value of the family's holding in each pool at each tick. A feeder's pools are its master's, scaled to what the feeder had invested then. A pool that was removed is in the ticks before. Ticks are in ascending order. A family that has not been read yet has an empty series. */
export const getAllocationSeries = /* @__PURE__ */ action<types.GetAllocationSeriesParameters, readonly types.AllocationTick<string>[], readonly types.AllocationTick<bigint>[]>(
  '/v1/vaults/{slug}/timeseries/allocation',
  'from to interval limit',
  'value',
);

/** How long redemptions took. Beyond the interface: what requests to redeem waited until they were paid or could be claimed, over the last 90 days, from the indexed history. Requests of a receiver on a chain are paid first in, first out, and count by their shares; a cancel takes back the newest. An exit that is paid at once is none of them. Of an ERC-7540 vault the wait ends when the vault settles the request, whenever it is claimed. Requests from more than 270 days ago are not seen. */
export const getExits = /* @__PURE__ */ action<types.GetExitsParameters, types.Exits<string>, types.Exits<bigint>>(
  '/v1/vaults/{slug}/exits',
  '',
  'shares',
);

/** The largest holders. Beyond the interface: how many wallets have shares of a family, and the largest of them, up to the last instant that all its chains have passed. A feeder is a holder of its master; contracts that hold shares for others, such as the vault's own queue, are not: what waits there is its owner's. */
export const getHolders = /* @__PURE__ */ action<types.GetHoldersParameters, types.Holders<string>, types.Holders<bigint>>(
  '/v1/vaults/{slug}/holders',
  '',
  'shares',
);

/** Deposits and exits. What wallets did, over all chains: newest first, by block time, chain id, block number and log index, all descending. Filters combine. Paging gives every item once while new ones arrive. A chain that could not be read in full is named in incompleteChains; that is no error. */
export const getHistory = /* @__PURE__ */ action<types.GetHistoryParameters, types.HistoryPage<string>, types.HistoryPage<bigint>>(
  '/v1/history',
  'family user chainId type period cursor limit',
  'assets shares',
);

/** Pending redemptions of a wallet. Redemptions of a wallet that wait in a vault's queue, read live: one multicall per chain at its newest block, all chains at once, with a deadline of a few seconds. A chain that does not answer delays nobody beyond that deadline and is named in incompleteChains; a zero is never invented for it.

requestedAssets is what the request reserved, currentAssets what those shares convert to now. A redemption belongs to the wallet that will be paid (the receiver, or in ERC-7540 the controller). Vaults that pay at once (plain ERC-4626) have no queue; where shares wait at a queue outside of such a vault, that account is custody, and the entry is what the indexed transfers say. Vaults over one share token (ERC-7575) have an entry each, in their own base asset. Of an ERC-7540 vault that numbers its requests every number that its indexed logs gave the wallet is read and added up (of more than 200 the 200 biggest and the 200 newest, so that dust in the wallet's name hides nothing; the chain is named in incompleteChains when some were left out, and while its logs are not all indexed), of any other the requests under its aggregate id 0; and of both the claimable part of all. */
export const getPendingRedeems = /* @__PURE__ */ action<types.GetPendingRedeemsParameters, types.PendingRedeems<string>, types.PendingRedeems<bigint>>(
  '/v1/users/{walletAddress}/pending-redeems',
  'family',
  'assetsBefore claimableAssets claimableShares currentAssets requestedAssets shares',
);

/** Pending deposits of a wallet. Beyond the interface: deposits of a wallet that wait in the queue of an ERC-7540 vault, and those whose shares are ready to be claimed, read live: one multicall per chain at its newest block, all chains at once, with a deadline of a few seconds. A chain that does not answer delays nobody beyond that deadline and is named in incompleteChains; a zero is never invented for it.

A deposit belongs to its controller, the wallet that will claim the shares. History has it once it is claimed. Vaults that give shares at once have no such queue. Vaults over one share token (ERC-7575) have an entry each, in their own base asset. Of a vault that numbers its requests every number that its indexed logs gave the wallet is read and added up (of more than 200 the 200 biggest and the 200 newest, so that dust in the wallet's name hides nothing; the chain is named in incompleteChains when some were left out, and while its logs are not all indexed), of any other the requests under its aggregate id 0. */
export const getPendingDeposits = /* @__PURE__ */ action<types.GetPendingDepositsParameters, types.PendingDeposits<string>, types.PendingDeposits<bigint>>(
  '/v1/users/{walletAddress}/pending-deposits',
  'family',
  'assets claimableAssets claimableShares returnableAssets',
);

/** Performance of a wallet. What a wallet paid, received and holds in each vault family, at average cost over all chains of the family, exact in base units.

- A deposit adds its assets to the cost. An exit that is paid realises the assets received less the cost of the shares burned; it counts for whoever owned the shares, through a router or the queue for the receiver.
- Shares received from another wallet cost what they were worth there and then by the vault's own word: the last share price published on that chain before, or what the vault converts them to at that block; shares minted without a deposit (fees) cost nothing. Shares sent take their part of the cost along and realise nothing. Cost that leaves is rounded down; a balance of zero has cost zero.
- Moves through a known router or the vault's queue are not transfers: shares in a queued redemption still belong to the wallet until they are paid, and so do claimable redemptions and the shares of a deposit that can be claimed. sharesBalance is balanceOf + pending + claimable.
- currentValue is the sum over the chains of the shares there at that chain's price, rounded down once.
- All USD figures of an entry use one price, that of pricedAt: the newest that is held and recent enough. A family without one has null there, is named in unpricedFamilies and left out of the totals.
- Families in which the wallet never held shares are left out. */
export const getPerformance = /* @__PURE__ */ action<types.GetPerformanceParameters, types.Performance<string>, types.Performance<bigint>>(
  '/v1/performance/{walletAddress}',
  'family',
  'costBasis currentValue realized sharesBalance unrealized',
);

/** Ledger of a wallet. Beyond the interface: every movement of a wallet's shares with what it did to their average cost and what it brought in, as the performance counts it: costs add up to its cost basis, results to what it realised. Queued shares move when they are paid. */
export const getLedger = /* @__PURE__ */ action<types.GetLedgerParameters, readonly types.LedgerEntry<string>[], readonly types.LedgerEntry<bigint>[]>(
  '/v1/users/{walletAddress}/ledger',
  'family',
  'assets cost result shares',
);

/** How risk is graded. The whole grading method as data: factors, weights, cut-offs, floors, and how its grades held against real losses, with the limits of that. Free. The same as a page: /docs/methodology. */
export const riskMethodology = /* @__PURE__ */ action<types.RiskMethodologyParameters, types.RiskMethodology, types.RiskMethodology>(
  '/risk/methodology',
  '',
  '',
);

/** How far each chain is. Every configured chain with its head, what is indexed of it, its last error, and how far each family and each price feed is there. Every page has all chains and feeds; a page has up to 500 families, in the order of the chains and then of the configuration, and if more follow, the `Link` header has the URL of the next page. Never cached. */
export const getStatus = /* @__PURE__ */ action<types.GetStatusParameters, types.Status<string>, types.Status<bigint>>(
  '/v1/status',
  'limit cursor',
  'finalized fromBlock head indexedBlock toBlock',
);

/** Whether the process answers. Says nothing of the database or the chains. */
export const getLiveness = /* @__PURE__ */ action<types.GetLivenessParameters, types.Liveness, types.Liveness>(
  '/health/live',
  '',
  '',
);

/** Whether requests can be served. 503 on a new store until the initial backfill of every chain is complete, or until one family is complete on all its chains; a gap in the initial backfill also keeps it at 503 until the gap is filled or the configuration accepts it (acceptGaps). `missing` lists what is not served yet. A store that was ready once stays ready. 503 also while the database is unavailable. */
export const getReadiness = /* @__PURE__ */ action<types.GetReadinessParameters, types.Readiness, types.Readiness>(
  '/health/ready',
  '',
  '',
);

/** This document. The interface as OpenAPI 3.1. */
export const getOpenApi = /* @__PURE__ */ action<types.GetOpenApiParameters, types.JsonObject, types.JsonObject>(
  '/openapi.json',
  '',
  '',
);

/** What is sold here. A URL for each paid operation, for directories; each answers 402 with its price and the schemas of request and answer. Directories list a seller whose payments pass through a facilitator service that keeps one, and nobody else. */
export const getPaidResources = /* @__PURE__ */ action<types.GetPaidResourcesParameters, types.PaidResources, types.PaidResources>(
  '/.well-known/x402',
  '',
  '',
);
