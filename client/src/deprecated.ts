import type { RiskMethodologyBacktestLoss } from './api/types.ts';
import type { PurchaseResult } from './pay/result.ts';
import type { SpendState } from './pay/store.ts';
import type { ActionArguments } from './read/action.ts';
import type { HistoryParameters } from './read/history.ts';
import type { CachedResponse, CachedResponses } from './read/keptAnswers.ts';

/** @deprecated Use `PurchaseResult`. */
export type Bought<Data = unknown> = PurchaseResult<Data>;

/** @deprecated Use `SpendState`. */
export type Book = SpendState;

/** @deprecated Use `ActionArguments`. */
export type Asking<Parameters, Asked> = ActionArguments<Parameters, Asked>;

/** @deprecated Use `HistoryParameters`. */
export type HistoryAsked = HistoryParameters;

/** @deprecated Use `CachedResponse`. */
export type KeptAnswer = CachedResponse;

/** @deprecated Use `CachedResponses`. */
export type KeptAnswers = CachedResponses;

/** @deprecated Use `RiskMethodologyBacktestLoss`. */
export type RiskMethodologyBacktestLos = RiskMethodologyBacktestLoss;
