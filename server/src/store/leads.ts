/**
 * Keys of `store.lead` for work that one process does at a time. Chains use their IDs, which are positive. Two kinds of
 * work with one key would keep each other from running.
 */
export const LEADS = {
  marketData: 0,
  riskLists: -1,
  riskGraph: -2,
  webhooks: -3,
  paymentSweep: -4,
} as const;
