import type { Command } from './command.ts';

/** A command in the general help. It is loaded only when it runs, because some load much of the server. */
export interface ListedCommand {
  readonly name: string;
  readonly summary: string;
  load(): Promise<{ readonly command: Command }>;
}

export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'vaults',
    summary: 'List vault families (vaults) or show one (vault)',
    load: () => import('./vaults.ts'),
  },
  {
    name: 'vault',
    summary: 'List vault families (vaults) or show one (vault)',
    load: () => import('./vault.ts'),
  },
  {
    name: 'apy',
    summary: 'Chart a family over time',
    load: () => import('./apy.ts'),
  },
  {
    name: 'tvl',
    summary: 'Chart a family over time',
    load: () => import('./tvl.ts'),
  },
  {
    name: 'price',
    summary: 'Chart a family over time',
    load: () => import('./price.ts'),
  },
  {
    name: 'yield',
    summary: 'Show yield by source (yield) or redemption terms (exit)',
    load: () => import('./yield.ts'),
  },
  {
    name: 'exit',
    summary: 'Show yield by source (yield) or redemption terms (exit)',
    load: () => import('./exit.ts'),
  },
  {
    name: 'history',
    summary: 'List deposits and redemptions (history) or changes (events)',
    load: () => import('./history.ts'),
  },
  {
    name: 'events',
    summary: 'List deposits and redemptions (history) or changes (events)',
    load: () => import('./events.ts'),
  },
  {
    name: 'pending',
    summary: "Show a wallet's pending deposits and redemptions",
    load: () => import('./pending.ts'),
  },
  {
    name: 'performance',
    summary: "Show a wallet's cost basis, value, and profit or loss",
    load: () => import('./performance.ts'),
  },
  {
    name: 'statement',
    summary: "Show or export a calendar year of a wallet's shares",
    load: () => import('./statement.ts'),
  },
  {
    name: 'risk search',
    summary: 'Find pools, assets, protocols, chains; usually 0.001 USD',
    load: () => import('./riskSearch.ts'),
  },
  {
    name: 'risk node',
    summary: 'Show a node, its grade, and the reasons; usually 0.05 USD',
    load: () => import('./riskNode.ts'),
  },
  {
    name: 'risk dependencies',
    summary: "Show a pool's graded dependencies; usually 1.00 USD",
    load: () => import('./riskDependencies.ts'),
  },
  {
    name: 'risk schema',
    summary: 'Show the data model of the risk graph; usually 0.001 USD',
    load: () => import('./riskSchema.ts'),
  },
  {
    name: 'spend',
    summary: 'List the payments of this machine',
    load: () => import('./spend.ts'),
  },
  {
    name: 'spend refetch',
    summary: 'Get the response of a payment again, without paying',
    load: () => import('./spendRefetch.ts'),
  },
  {
    name: 'spend write-off',
    summary: 'Give up a payment that has expired',
    load: () => import('./spendWriteOff.ts'),
  },
  {
    name: 'open',
    summary: 'Open a dashboard page (open) or serve AI agents (mcp)',
    load: () => import('./open.ts'),
  },
  {
    name: 'completions',
    summary: 'Print a completion script for bash, zsh, or fish',
    load: () => import('./completions.ts'),
  },
  {
    name: 'init',
    summary: 'Generate a configuration (init) or run everything (start)',
    load: () => import('./init.ts'),
  },
  {
    name: 'start',
    summary: 'Generate a configuration (init) or run everything (start)',
    load: () => import('./start.ts'),
  },
  {
    name: 'serve',
    summary: 'Run only the API (serve) or only the indexer (index)',
    load: () => import('./serve.ts'),
  },
  {
    name: 'index',
    summary: 'Run only the API (serve) or only the indexer (index)',
    load: () => import('./indexChains.ts'),
  },
  {
    name: 'mcp',
    summary: 'Open a dashboard page (open) or serve AI agents (mcp)',
    load: () => import('./mcp.ts'),
  },
  {
    name: 'migrate',
    summary: 'Upgrade the database (migrate) or back it up (backup)',
    load: () => import('./migrate.ts'),
  },
  {
    name: 'check',
    summary: 'Validate the configuration (check) or the full setup (doctor)',
    load: () => import('./check.ts'),
  },
  {
    name: 'doctor',
    summary: 'Validate the configuration (check) or the full setup (doctor)',
    load: () => import('./doctor.ts'),
  },
  {
    name: 'verify',
    summary: 'Compare data with the chains (verify) or fill gaps (fill)',
    load: () => import('./verify.ts'),
  },
  {
    name: 'fill',
    summary: 'Compare data with the chains (verify) or fill gaps (fill)',
    load: () => import('./fill.ts'),
  },
  {
    name: 'backup',
    summary: 'Upgrade the database (migrate) or back it up (backup)',
    load: () => import('./backup.ts'),
  },
  {
    name: 'export',
    summary: 'Write tables to files (export) or replicate them (publish)',
    load: () => import('./export.ts'),
  },
  {
    name: 'publish',
    summary: 'Write tables to files (export) or replicate them (publish)',
    load: () => import('./publish.ts'),
  },
  {
    name: 'alerts',
    summary: 'List alerts',
    load: () => import('./alerts.ts'),
  },
  {
    name: 'alerts test',
    summary: 'Evaluate alerts now and show the messages',
    load: () => import('./alertsTest.ts'),
  },
  {
    name: 'import-legacy',
    summary: 'Import APY or TVL history from the legacy backend',
    load: () => import('./importLegacy.ts'),
  },
  {
    name: 'migrate-url',
    summary: 'Print the new URL for a legacy API URL',
    load: () => import('./migrateUrl.ts'),
  },
  {
    name: 'risk import',
    summary: 'Import facts into the risk graph and grade the affected nodes',
    load: () => import('./riskImport.ts'),
  },
  {
    name: 'risk grade',
    summary: 'Grade every node of the risk graph again',
    load: () => import('./riskGrade.ts'),
  },
  {
    name: 'risk show',
    summary: 'Print a node with its grade, the reasons, and the source of each fact',
    load: () => import('./riskShow.ts'),
  },
  {
    name: 'risk diff',
    summary: 'Print which grades changed with the last version of the method',
    load: () => import('./riskDiff.ts'),
  },
  {
    name: 'payments list',
    summary: 'List payments that are undelivered, open, lost, or not recorded',
    load: () => import('./paymentsList.ts'),
  },
  {
    name: 'payments refund',
    summary: 'Record the refund of a payment',
    load: () => import('./paymentsRefund.ts'),
  },
  {
    name: 'payments reconcile',
    summary: 'Update open and recent payments from their on-chain state',
    load: () => import('./paymentsReconcile.ts'),
  },
  {
    name: 'payments resume',
    summary: 'Reopen paid routes after too many payments were lost',
    load: () => import('./paymentsResume.ts'),
  },
  {
    name: 'payments report',
    summary: 'Report revenue by day, route, or payer',
    load: () => import('./paymentsReport.ts'),
  },
  {
    name: 'webhooks list',
    summary: 'List webhook endpoints with state, lag, and last error',
    load: () => import('./webhooksList.ts'),
  },
  {
    name: 'webhooks test',
    summary: 'Send a test message to a webhook endpoint',
    load: () => import('./webhooksTest.ts'),
  },
  {
    name: 'webhooks log',
    summary: 'Print the newest attempts to deliver to a webhook endpoint',
    load: () => import('./webhooksLog.ts'),
  },
  {
    name: 'webhooks replay',
    summary: 'Deliver events after a cursor again',
    load: () => import('./webhooksReplay.ts'),
  },
  {
    name: 'webhooks pause',
    summary: 'Stop deliveries to a webhook endpoint',
    load: () => import('./webhooksPause.ts'),
  },
  {
    name: 'webhooks resume',
    summary: 'Continue deliveries to a webhook endpoint',
    load: () => import('./webhooksResume.ts'),
  },
];
