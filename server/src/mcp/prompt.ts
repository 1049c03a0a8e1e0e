export interface DueDiligence {
  readonly slug: string;
  readonly budgetUsd?: string;
}

/** How to look into a vault before money goes there: the steps, by the names of the tools. */
export function dueDiligence({ slug, budgetUsd }: DueDiligence, sellsRisk: boolean): string {
  const budget =
    budgetUsd === undefined
      ? 'Ask the user before each paid call, and name its price.'
      : `You may spend at most ${budgetUsd} USD on paid calls together; stop before that.`;
  const steps = [
    'assay_status: note chains and families that are behind or held back.',
    `assay_vault with slug ${slug}: TVL, APY over 1, 7 and 30 days, idle, pendingExits and pendingRedemptionAssets, pools with allocation, liquidity and riskScore, exposure.`,
    `assay_series with slug ${slug} for price, tvl and apy over 90 days (interval day): a share price that fell is a loss; say when and how much. Compare the APY with the growth of the price.`,
    `assay_history with family ${slug} and period 30d: the biggest deposits and exits; whether few wallets hold most of it.`,
    'Compare what waits to leave with what is idle or can be withdrawn at once: how long could an exit take?',
    ...(sellsRisk
      ? [
          `For the pools that hold most of the assets: assay_risk_search by name or address, then assay_risk_node for the grade and its reasons; assay_risk_dependencies only where one pool holds more than half. ${budget}`,
          'Read the resource assay://methodology before you explain a grade.',
        ]
      : []),
  ];
  return [
    `Look into the vault family ${slug} as an analyst who decides whether to deposit. Use the tools of this server only, in this order:`,
    ...steps.map((step, i) => `${i + 1}. ${step}`),
    'Then write: a verdict in two sentences; a table of the main figures with their time; what could go wrong, most likely first; what could not be read or is not known (null is not zero); what was paid, with receipts. Amounts are base units: divide by 10^decimals. Claim nothing that no tool has said.',
  ].join('\n');
}
