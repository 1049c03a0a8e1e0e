export interface DueDiligence {
  readonly slug: string;
  readonly budgetUsd?: string;
}

/** The steps of a vault review, with the names of the tools. */
export function dueDiligence({ slug, budgetUsd }: DueDiligence, sellsRisk: boolean): string {
  const budget =
    budgetUsd === undefined
      ? 'Ask the user before each paid call, and state its price.'
      : `Spend at most ${budgetUsd} USD on all paid calls together; stop before that.`;
  const steps = [
    'assay_status: note chains and families that are behind or halted.',
    `assay_vault with slug ${slug}: TVL, APY over 1, 7, and 30 days, idle, pendingExits and pendingRedemptionAssets, pools with allocation, liquidity and riskScore, exposure.`,
    `assay_series with slug ${slug} for price, tvl, and apy over 90 days (interval day): a falling share price is a loss; report when and how much. Compare the APY with the growth of the price.`,
    `assay_history with family ${slug} and period 30d: the largest deposits and redemptions. assay_holders: whether few wallets hold most of it.`,
    'assay_exits: how long redemptions take, and what can be withdrawn now. Compare it with the queued redemptions.',
    ...(sellsRisk
      ? [
          `For the pools that hold most of the assets: assay_risk_search by name or address, then assay_risk_node for the grade and its reasons; assay_risk_dependencies only if one pool holds more than half. ${budget}`,
          'Read the resource assay://methodology before you explain a grade.',
        ]
      : []),
  ];
  return [
    `Review the vault family ${slug} as an analyst who decides whether to deposit. Use only the tools of this server, in this order:`,
    ...steps.map((step, i) => `${i + 1}. ${step}`),
    'Then write: a verdict in two sentences; a table of the main values with their time; the risks, most likely first; what could not be read or is unknown (null is not zero); all payments, with receipts. Amounts are in base units: divide by 10^decimals. Make no claim without a tool result.',
  ].join('\n');
}
