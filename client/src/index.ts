export type * from './api/dashboard.ts';
export type * from './api/types.ts';
export type * from './deprecated.ts';
export * from './pay/actions.ts';
export { type Allow, allowDemo, type Demo } from './pay/allow.ts';
export { getOffer, type Offer } from './pay/ask.ts';
export type { AuthorizationTypedData, Signer } from './pay/authorization.ts';
export type { Budget } from './pay/book.ts';
export type { CallLimits } from './pay/call.ts';
export type { BeforeSign, Proposal } from './pay/hooks.ts';
export { listPurchases, type Purchase } from './pay/listPurchases.ts';
export { createMemoryStore } from './pay/memoryStore.ts';
export type { PaidAction, PaidCallOptions } from './pay/paidAction.ts';
export {
  type BuyOptions,
  createPayer,
  type FetchOptions,
  type Payer,
  type PayerOptions,
  type Price,
  type RefetchOptions,
  type Report,
} from './pay/payer.ts';
export type { Payment } from './pay/payment.ts';
export type { PurchaseResult } from './pay/result.ts';
export type { Reviewed } from './pay/review.ts';
export type {
  Change,
  OpenPayment,
  PaymentRecord,
  PaymentTerms,
  Receipt,
  SpendState,
  SpendStore,
} from './pay/store.ts';
export type { Action, ActionArguments, CallOptions, WithAmounts } from './read/action.ts';
export * from './read/actions.ts';
export { type Client, type ClientOptions, createClient } from './read/client.ts';
export { type HistoryParameters, historyItems, historyPages } from './read/history.ts';
export type { CachedResponse, CachedResponses } from './read/keptAnswers.ts';
export {
  getStatusPage,
  getVaultsPage,
  getWholeStatus,
  listAllVaults,
  type Paged,
  type StatusAsked,
  type VaultsAsked,
  vaultPages,
} from './read/pages.ts';
export {
  type AssayError,
  type Failures,
  type FailureType,
  isAssayError,
  type SentPayment,
} from './wire/errors.ts';
export type { SendOptions, Wire, WireOptions } from './wire/send.ts';
