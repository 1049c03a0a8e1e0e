// Generated from the server's routes by generate/generate.ts; run `npm test -- client/generate -u` to update it.
import type * as types from '../api/types.ts';
import { action } from './action.ts';

/**
 * List vault families. Returns every vault family in the order of the configuration, with its main values; `stats` is null if it was never read. Filters combine: with both, the base asset is matched on that chain. Without a match, the list is empty. A page has up to 500 families; if more follow, the `Link` header has the URL of the next page.
 *
 * @example
 * const answer = await listVaults(client);
 * console.log(answer);
 */
export const listVaults = /* @__PURE__ */ action<types.ListVaultsParameters, readonly types.ListedVault<string>[], readonly types.ListedVault<bigint>[]>(
  '/v1/vaults',
  'chainId baseAsset at block limit cursor',
  'assetsPerShare block idle invested pendingExits pendingRedemptionAssets totalShares tvl',
);

/**
 * Get a vault family. Returns the current values of a vault family over all its chains, its pools, and its exposure, as of the newest data point. Every row is read at the block that it names; a chain that cannot be read keeps its last row and is never reported as zero. 503 with Retry-After if the family was never read.
 *
 * @example
 * const answer = await getVault(client, { slug: 'svcusd' });
 * console.log(answer);
 */
export const getVault = /* @__PURE__ */ action<types.GetVaultParameters, types.Vault<string>, types.Vault<bigint>>(
  '/v1/vaults/{slug}',
  'at block',
  'assetsPerShare availableLiquidity block idle invested pendingExits pendingRedemptionAssets shareSupply totalShares tvl value',
);

/**
 * Get the APY over time. Returns the 7-day APY at each data point, compounded, from the share price. A family younger than 7 days is measured over its entire life. Times without a value are omitted. Data points are in ascending order. A family that has not been read yet has an empty series.
 *
 * @example
 * const answer = await getApySeries(client, { slug: 'svcusd', interval: 'day' });
 * console.log(answer);
 */
export const getApySeries = /* @__PURE__ */ action<types.GetApySeriesParameters, readonly types.ApyTick[], readonly types.ApyTick[]>(
  '/v1/vaults/{slug}/timeseries/apy',
  'from to interval limit',
);

/**
 * Get the TVL over time. Returns the total value locked over all chains of the family at each data point, in base units and in USD. Data points are in ascending order. A family that has not been read yet has an empty series.
 *
 * @example
 * const answer = await getTvlSeries(client, { slug: 'svcusd' });
 * console.log(answer);
 */
export const getTvlSeries = /* @__PURE__ */ action<types.GetTvlSeriesParameters, readonly types.TvlTick<string>[], readonly types.TvlTick<bigint>[]>(
  '/v1/vaults/{slug}/timeseries/tvl',
  'from to interval limit',
  'value',
);

/**
 * Get the share price over time. Returns the price of one share (10^shareDecimals) at each data point, as published on the first settlement chain of the family. Data points are in ascending order. A family that has not been read yet has an empty series.
 *
 * @example
 * const answer = await getSharePriceSeries(client, { slug: 'svcusd' });
 * console.log(answer);
 */
export const getSharePriceSeries = /* @__PURE__ */ action<types.GetSharePriceSeriesParameters, readonly types.SharePriceTick<string>[], readonly types.SharePriceTick<bigint>[]>(
  '/v1/vaults/{slug}/timeseries/share-price',
  'from to interval limit',
  'value',
);

/**
 * Get the split of the TVL over time. Returns idle, invested, and leaving assets over all chains of the family at each data point, which add up to its TVL, and the assets owed to queued redemptions. Imported data points have no split and are omitted. Data points are in ascending order. A family that has not been read yet has an empty series.
 *
 * @example
 * const answer = await getSplitSeries(client, { slug: 'svcusd' });
 * console.log(answer);
 */
export const getSplitSeries = /* @__PURE__ */ action<types.GetSplitSeriesParameters, readonly types.SplitTick<string>[], readonly types.SplitTick<bigint>[]>(
  '/v1/vaults/{slug}/timeseries/split',
  'from to interval limit',
  'idle invested pendingExits pendingRedemptionAssets',
);

/**
 * Get withdrawable assets over time. Returns, per chain, the idle assets of the vault and what it could withdraw from its pools at each data point, as last read on the chain by then. The liquidity of pools is read while live only, so it is null for earlier times. `/v1/vaults/{slug}/exit` has the current values. Data points are in ascending order. A family that has not been read yet has an empty series.
 *
 * @example
 * const answer = await getWithdrawableSeries(client, { slug: 'svcusd' });
 * console.log(answer);
 */
export const getWithdrawableSeries = /* @__PURE__ */ action<types.GetWithdrawableSeriesParameters, readonly types.WithdrawableTick<string>[], readonly types.WithdrawableTick<bigint>[]>(
  '/v1/vaults/{slug}/timeseries/withdrawable',
  'from to interval limit',
  'availableLiquidity idleAssets',
);

/**
 * Get the pool values over time. Returns the value of the family's holding in each pool at each data point. A feeder's pools are its master's, scaled to the feeder's invested assets at that time. A removed pool appears in earlier data points. Data points are in ascending order. A family that has not been read yet has an empty series.
 *
 * @example
 * const answer = await getAllocationSeries(client, { slug: 'svcusd' });
 * console.log(answer);
 */
export const getAllocationSeries = /* @__PURE__ */ action<types.GetAllocationSeriesParameters, readonly types.AllocationTick<string>[], readonly types.AllocationTick<bigint>[]>(
  '/v1/vaults/{slug}/timeseries/allocation',
  'from to interval limit',
  'value',
);

/**
 * Get redemption wait times. Returns how long redemption requests waited until they were paid or became claimable in a period, by default the last 90 days, from the indexed history. Requests of a receiver on a chain are matched first in, first out, and weighted by shares; a cancellation removes the newest. Instant redemptions are not included. In an ERC-7540 vault, the wait ends when the vault settles the request, not when it is claimed. Requests from more than 180 days before the period are ignored.
 *
 * @example
 * const answer = await getExits(client, { slug: 'svcusd' });
 * console.log(answer);
 */
export const getExits = /* @__PURE__ */ action<types.GetExitsParameters, types.Exits<string>, types.Exits<bigint>>(
  '/v1/vaults/{slug}/exits',
  'from to',
  'shares',
);

/**
 * Get redemption terms. Returns, per chain, whether a redemption of an amount would now be paid at once or queued, what can be withdrawn at once, the queue ahead, measured wait times, declared periods, the exit fee, the deposit limit, and whether the vault is paused. Limits, fees, periods, and pauses are read live at each chain's latest block (with a deadline of a few seconds); the queue, waits, and liquidity are indexed. Chains that could not be read are listed in incompleteChains. Unknown values are null. A vault with a queue per receiver (receiver-queue) queues a request in full unless it can pay all of it, so request `instantAssets` on their own. None of this is guaranteed: another redemption can come first.
 *
 * @example
 * const answer = await getExitTerms(client, { slug: 'svcusd' });
 * console.log(answer);
 */
export const getExitTerms = /* @__PURE__ */ action<types.GetExitTermsParameters, types.ExitTerms<string>, types.ExitTerms<bigint>>(
  '/v1/vaults/{slug}/exit',
  'assets',
  'assets availableLiquidity exitFeeAssets idleAssets instantAssets maxAssets queuedAssets shares withdrawableAssets withdrawableAtLeast',
);

/**
 * Get the yield by source. Returns what each pool, reward, and fee contributed to the return of a family in a window, by default the last 30 days. The total is the shares × the change of the share price, from data point to data point: per hour up to 31 days, otherwise per day. The sources and `unattributed` add up to it exactly. A feeder has its part of its master's pools. For a family whose pools are unknown, only `unattributed` is returned.
 *
 * @example
 * const answer = await getYield(client, { slug: 'svcusd' });
 * console.log(answer);
 */
export const getYield = /* @__PURE__ */ action<types.GetYieldParameters, types.YieldBySource<string>, types.YieldBySource<bigint>>(
  '/v1/vaults/{slug}/yield',
  'from to',
  'assets averageValue',
);

/**
 * Get the largest holders. Returns how many wallets have shares of a family, and the largest of them, up to the latest time that all its chains have been indexed to. A feeder is a holder of its master. Contracts that hold shares for others, such as the vault's own queue, are not holders: queued shares belong to their owner.
 *
 * @example
 * const answer = await getHolders(client, { slug: 'svcusd' });
 * console.log(answer);
 */
export const getHolders = /* @__PURE__ */ action<types.GetHoldersParameters, types.Holders<string>, types.Holders<bigint>>(
  '/v1/vaults/{slug}/holders',
  'limit at block',
  'block shares',
);

/**
 * List deposits and redemptions. Returns deposits and redemptions over all chains, newest first: by block time, chain id, block number, and log index, all descending. Filters combine. Paging returns every item once, even while new ones arrive. Chains that could not be read completely are listed in incompleteChains; that is not an error.
 *
 * @example
 * const answer = await getHistory(client, { family: 'svcusd', period: '1d', limit: 20 });
 * console.log(answer);
 */
export const getHistory = /* @__PURE__ */ action<types.GetHistoryParameters, types.HistoryPage<string>, types.HistoryPage<bigint>>(
  '/v1/history',
  'family user transactionHash chainId type period cursor limit',
  'assets shares',
);

/**
 * List governance changes. Returns changes of owners, roles, caps, fees, oracles, pauses, timelocks, and proxies of a family's contracts, newest first: by block time, chain id, block number, and log index, all descending. They are read from the contracts that the server indexes, and from those under `watch` in the configuration, from the first block on. A change without an event is not listed. Chains that could not be read completely are listed in incompleteChains; that is not an error.
 *
 * @example
 * const answer = await getGovernance(client, { slug: 'svcusd' });
 * console.log(answer);
 */
export const getGovernance = /* @__PURE__ */ action<types.GetGovernanceParameters, types.GovernancePage, types.GovernancePage>(
  '/v1/vaults/{slug}/governance',
  'chainId cursor limit',
);

/**
 * Get the pending redemptions of a wallet. Returns a wallet's queued redemptions, read live at each chain's latest block (one multicall per chain, with a deadline of a few seconds). Chains that do not respond are listed in incompleteChains; nothing is reported as zero in their place.
 *
 * requestedAssets is the amount reserved at request time, if the vault reserves one; currentAssets is what the shares convert to now. A redemption belongs to the wallet that will be paid: the receiver, or the controller in ERC-7540. Plain ERC-4626 vaults have no queue; if shares wait in an external queue contract, the entry is derived from indexed transfers into that custody account, and the queue itself is read for claimable amounts (Maple) and for amounts owed for burned shares (Mellow). Vaults over one share token (ERC-7575) have separate entries, each in its own base asset. For ERC-7540 vaults with numbered requests, every request number in the wallet's indexed logs is read and summed; above 200 requests, the 200 largest and the 200 newest, so that spam requests in the wallet's name hide nothing. If some are left out, or indexing is incomplete, the chain is listed in incompleteChains. Other ERC-7540 vaults are read under request id 0. Claimable amounts are included for both.
 *
 * @example
 * const answer = await getPendingRedeems(client, { walletAddress: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' });
 * console.log(answer);
 */
export const getPendingRedeems = /* @__PURE__ */ action<types.GetPendingRedeemsParameters, types.PendingRedeems<string>, types.PendingRedeems<bigint>>(
  '/v1/users/{walletAddress}/pending-redeems',
  'family',
  'assetsAhead assetsBefore claimableAssets claimableShares currentAssets requestedAssets shares',
);

/**
 * Get the pending deposits of a wallet. Returns a wallet's queued deposits in ERC-7540 vaults, and those whose shares are ready to be claimed, read live at each chain's latest block (one multicall per chain, with a deadline of a few seconds). Chains that do not respond are listed in incompleteChains; nothing is reported as zero in their place.
 *
 * A deposit belongs to its controller, the wallet that will claim the shares. It appears in the history once it is claimed. Vaults that issue shares immediately have no such queue. Vaults over one share token (ERC-7575) have separate entries, each in its own base asset. For vaults with numbered requests, every request number in the wallet's indexed logs is read and summed; above 200 requests, the 200 largest and the 200 newest, so that spam requests in the wallet's name hide nothing. If some are left out, or indexing is incomplete, the chain is listed in incompleteChains. Other vaults are read under request id 0.
 *
 * @example
 * const answer = await getPendingDeposits(client, { walletAddress: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' });
 * console.log(answer);
 */
export const getPendingDeposits = /* @__PURE__ */ action<types.GetPendingDepositsParameters, types.PendingDeposits<string>, types.PendingDeposits<bigint>>(
  '/v1/users/{walletAddress}/pending-deposits',
  'family',
  'assets claimableAssets claimableShares returnableAssets',
);

/**
 * Get the performance of a wallet. Returns a wallet's cost basis, holdings, and profit or loss in each vault family, at average cost over all chains of the family, exact in base units.
 *
 * - A deposit adds its assets to the cost. A paid redemption realizes the assets received minus the cost of the burned shares. It counts for the owner of the shares, or, through a router or the queue, for the receiver.
 * - Shares received from another wallet cost their value at that time: the last share price published on that chain before, or the vault's conversion at that block. Shares minted without a deposit (fees) cost nothing. Sent shares take their part of the cost along and realize nothing. Cost that leaves is rounded down; a balance of zero has cost zero.
 * - Moves through a known router or the vault's queue are not transfers: shares in a queued redemption belong to the wallet until they are paid, and so do claimable redemptions and the shares of a claimable deposit. sharesBalance is balanceOf + pending + claimable.
 * - currentValue is the sum over the chains of the shares at that chain's price, rounded down once.
 * - All USD values of an entry use one price, that of pricedAt: the newest that is available and recent enough. A family without a price has null there, is listed in unpricedFamilies, and is not included in the totals.
 * - Shares that were bought without a Deposit event cost 0 as well, since no event contains the price, and so do shares that moved before they had a price, for example before a rate was set. Entries of wallets that got such shares have costIncomplete: true: their cost is unknown, not 0. Wallets that were paid for shares without a Withdraw event have it too: that payment is missing from realized. /v1/status lists the transactions.
 * - With `method`, the shares that leave take the cost of their lots along. Shares sent leave in the same order. Realized plus unrealized, minus the cost that left with sent shares, is equal under every method.
 * - Families in which the wallet never held shares are omitted.
 *
 * @example
 * const answer = await getPerformance(client, { walletAddress: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' });
 * console.log(answer);
 */
export const getPerformance = /* @__PURE__ */ action<types.GetPerformanceParameters, types.Performance<string>, types.Performance<bigint>>(
  '/v1/performance/{walletAddress}',
  'family method at block',
  'block costBasis currentValue realized sharesBalance unrealized',
);

/**
 * List the share movements of a wallet. Returns every movement of a wallet's shares, newest first, with its effect on the cost basis and its result, as in the performance by the same cost method: over all pages, costs add up to the cost basis, results to the realized profit or loss. Queued shares move when they are paid. Filters combine. Paging returns every item once, even while new ones arrive. Chains that could not be read completely are listed in incompleteChains; that is not an error. A request computes at most 50,000 movements: a wallet with more is rejected, or needs `family`.
 *
 * @example
 * const answer = await getMovements(client, { walletAddress: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' });
 * console.log(answer);
 */
export const getMovements = /* @__PURE__ */ action<types.GetMovementsParameters, types.MovementPage<string>, types.MovementPage<bigint>>(
  '/v1/users/{walletAddress}/movements',
  'family chainId cursor limit method',
  'assets cost result shares',
);

/**
 * Get the ledger of a wallet. Returns every movement of a wallet's shares with its effect on the cost basis and its result, as in the performance by the same cost method: costs add up to the cost basis, results to the realized profit or loss. Queued shares move when they are paid. Deprecated: `/v1/users/{walletAddress}/movements` returns the same movements newest first, in pages, with `incompleteChains`.
 *
 * @example
 * const answer = await getLedger(client, { walletAddress: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' });
 * console.log(answer);
 */
export const getLedger = /* @__PURE__ */ action<types.GetLedgerParameters, readonly types.LedgerEntry<string>[], readonly types.LedgerEntry<bigint>[]>(
  '/v1/users/{walletAddress}/ledger',
  'family method',
  'assets cost result shares',
);

/**
 * List the lots of a wallet. Returns the lots of a wallet: shares that came in together, with their cost, the time that they came in, and their holding period. A lot is opened by a deposit, by shares received from another wallet (at their value then), or by shares that cost nothing.
 *
 * - Shares that leave take entire lots in the order of `method`, and a part of the last one: that part's cost is rounded down, and the rest stays with the lot. At average cost the oldest lot leaves first, and all lots have the same cost per share.
 * - The lots of a family span all its chains. Open lots add up to sharesBalance, costBasis, currentValue, and unrealized of the performance by the same method; closed lots add up to realized.
 * - Shares in a queued redemption belong to the wallet until they are paid.
 *
 * @example
 * const answer = await getLots(client, { walletAddress: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' });
 * console.log(answer);
 */
export const getLots = /* @__PURE__ */ action<types.GetLotsParameters, types.LotPage<string>, types.LotPage<bigint>>(
  '/v1/users/{walletAddress}/lots',
  'family method state cursor limit',
  'assets cost currentValue realized shares unrealized',
);

/**
 * Get the statement of a year. Returns a statement of a calendar year for one wallet, or for several wallets of one owner: balances before and after, and all movements of shares in between, by type. Exact in base units.
 *
 * - opening + deposits + transfersIn + rewards − exits − fees − transfersOut = closing, in shares; opening.cost plus the costs of all movements is closing.cost.
 * - Cost and results follow `method`, over all chains of a family and all wallets together. A transfer between the wallets, both sides in one log, does not count as a movement, and its lots do not change.
 * - USD values use the price at the time of the movement or balance, and are null without one.
 * - Movements appear in the ledger of a wallet at the same times, with the same shares and assets.
 *
 * @example
 * const answer = await getStatement(client, { walletAddress: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' });
 * console.log(answer);
 */
export const getStatement = /* @__PURE__ */ action<types.GetStatementParameters, types.WalletStatement<string>, types.WalletStatement<bigint>>(
  '/v1/users/{walletAddress}/statement',
  'family year timeZone method wallets',
  'assets cost realized shares unrealized unrealizedChange value',
);

/**
 * List alerts. Returns the state of each configured alert, and the last 100 times that one fired or cleared. An alert that fired at a block that a reorg removed is retracted: it is no longer listed, and the state is the one before. Alerts are evaluated at data points while a family is followed at the head of its chains. Alerts are configured by the operator; without any, both lists are empty.
 *
 * @example
 * const answer = await getAlerts(client);
 * console.log(answer);
 */
export const getAlerts = /* @__PURE__ */ action<types.GetAlertsParameters, types.AlertList, types.AlertList>(
  '/v1/alerts',
  'family',
);

/**
 * Get the grading method. Returns the entire grading method as data: factors, weights, cut-offs, and floors, and a comparison of its grades with real losses, with its limits. Free. As a page: /docs/methodology.
 *
 * @example
 * const answer = await riskMethodology(client);
 * console.log(answer);
 */
export const riskMethodology = /* @__PURE__ */ action<types.RiskMethodologyParameters, types.RiskMethodology, types.RiskMethodology>(
  '/risk/methodology',
);

/**
 * List events. Returns every change of history items, share prices, pools, governance, price outages, states, grades, and alerts, in the order in which they were committed. Apply `applied` and `final` events by inserting or replacing the row with the same `type` and `id`, and delete it on `retracted`: you then have the rows that the API serves. To start with the existing rows, get a cursor with `after=latest`, read `/v1/history` to its end, and continue from that cursor. Removing a family from the configuration does not retract its rows.
 *
 * @example
 * const answer = await getEvents(client);
 * console.log(answer);
 */
export const getEvents = /* @__PURE__ */ action<types.GetEventsParameters, types.EventPage, types.EventPage>(
  '/v1/events',
  'after limit wait types family user chainId delivery',
);

/**
 * Get the status of chains, families, and feeds. Returns the state of the database and of every configured chain: its head, its indexed block, its last error, and the progress of each family and price feed. Every page has all chains and feeds. A page has up to 500 families, in the order of the chains and then of the configuration. If more follow, the `Link` header has the URL of the next page. Never cached.
 *
 * @example
 * const answer = await getStatus(client);
 * console.log(answer);
 */
export const getStatus = /* @__PURE__ */ action<types.GetStatusParameters, types.Status<string>, types.Status<bigint>>(
  '/v1/status',
  'limit cursor',
  'finalized fromBlock head indexedBlock toBlock',
);

/**
 * Check liveness. Returns 200 while the process responds. Does not check the database or the chains.
 *
 * @example
 * const answer = await getLiveness(client);
 * console.log(answer);
 */
export const getLiveness = /* @__PURE__ */ action<types.GetLivenessParameters, types.Liveness, types.Liveness>(
  '/health/live',
);

/**
 * Check readiness. Returns 200 once requests can be served. On a new store, returns 503 until the initial backfill of every chain is complete, or until one family is complete on all its chains. A gap in the initial backfill also keeps it at 503 until the gap is filled or the configuration accepts it (acceptGaps). `missing` lists the data that is not served yet. A store that was ready once stays ready. Also returns 503 while the server starts, while the database is unavailable (unless free routes are served from a replica), and during shutdown, while requests are still served (`http.drainSeconds`). `database` reports a replica in use and a database that rejects writes.
 *
 * @example
 * const answer = await getReadiness(client);
 * console.log(answer);
 */
export const getReadiness = /* @__PURE__ */ action<types.GetReadinessParameters, types.Readiness, types.Readiness>(
  '/health/ready',
);

/**
 * Get the OpenAPI document. Returns this API as OpenAPI 3.1.
 *
 * @example
 * const answer = await getOpenApi(client);
 * console.log(answer);
 */
export const getOpenApi = /* @__PURE__ */ action<types.GetOpenApiParameters, types.JsonObject, types.JsonObject>(
  '/openapi.json',
);

/**
 * List the paid resources. Returns a URL for each paid operation, for directories. Each URL returns 402 with its price and the schemas of request and response. Directories list only sellers whose payments go through a facilitator service with a directory.
 *
 * @example
 * const answer = await getPaidResources(client);
 * console.log(answer);
 */
export const getPaidResources = /* @__PURE__ */ action<types.GetPaidResourcesParameters, types.PaidResources, types.PaidResources>(
  '/.well-known/x402',
);
