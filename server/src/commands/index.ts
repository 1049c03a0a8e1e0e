import type { Command } from './command.ts';

/** A command as the general help lists it. It is loaded only when it is asked for: some bring half the server along. */
export interface ListedCommand {
  readonly name: string;
  readonly summary: string;
  load(): Promise<{ readonly command: Command }>;
}

export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'vaults',
    summary: 'every vault family of a server, with its main figures',
    load: () => import('./vaults.ts'),
  },
  {
    name: 'vault',
    summary: 'one family: figures, chains, pools and exposure',
    load: () => import('./vault.ts'),
  },
  {
    name: 'apy',
    summary: 'a family over time, as a chart in the terminal',
    load: () => import('./apy.ts'),
  },
  {
    name: 'tvl',
    summary: 'a family over time, as a chart in the terminal',
    load: () => import('./tvl.ts'),
  },
  {
    name: 'price',
    summary: 'a family over time, as a chart in the terminal',
    load: () => import('./price.ts'),
  },
  {
    name: 'history',
    summary: 'what wallets deposited and took out',
    load: () => import('./history.ts'),
  },
  {
    name: 'pending',
    summary: 'what a wallet has waiting in queues, read live',
    load: () => import('./pending.ts'),
  },
  {
    name: 'performance',
    summary: 'what a wallet paid, holds and gained',
    load: () => import('./performance.ts'),
  },
  {
    name: 'risk search',
    summary: 'find pools, assets, protocols and chains; usually 0.001 USD',
    load: () => import('./riskSearch.ts'),
  },
  {
    name: 'risk node',
    summary: 'one node with its grade and the reasons; usually 0.05 USD',
    load: () => import('./riskNode.ts'),
  },
  {
    name: 'risk dependencies',
    summary: 'what a pool depends on, with its grades; usually 1.00 USD',
    load: () => import('./riskDependencies.ts'),
  },
  {
    name: 'risk schema',
    summary: 'the data model of the risk graph; usually 0.001 USD',
    load: () => import('./riskSchema.ts'),
  },
  {
    name: 'init',
    summary: 'write a configuration file from RPC URLs and vault addresses',
    load: () => import('./init.ts'),
  },
  {
    name: 'start',
    summary: 'index the chains and serve the API, in one process',
    load: () => import('./start.ts'),
  },
  {
    name: 'serve',
    summary: 'serve the API only; any number of these may run',
    load: () => import('./serve.ts'),
  },
  {
    name: 'index',
    summary: 'index the chains only; of several, one leads per chain',
    load: () => import('./indexChains.ts'),
  },
  {
    name: 'mcp',
    summary: 'give a server to agents as tools (Model Context Protocol)',
    load: () => import('./mcp.ts'),
  },
  {
    name: 'migrate',
    summary: 'bring the database to the newest schema, and end',
    load: () => import('./migrate.ts'),
  },
  {
    name: 'check',
    summary: 'find faults in file and chains; doctor: in all around too',
    load: () => import('./check.ts'),
  },
  {
    name: 'doctor',
    summary: 'find faults in file and chains; doctor: in all around too',
    load: () => import('./doctor.ts'),
  },
  {
    name: 'verify',
    summary: 'compare served data with the chains; fill: read gaps again',
    load: () => import('./verify.ts'),
  },
  {
    name: 'fill',
    summary: 'compare served data with the chains; fill: read gaps again',
    load: () => import('./fill.ts'),
  },
  {
    name: 'backup',
    summary: 'copy the embedded database, beside a running server too',
    load: () => import('./backup.ts'),
  },
  {
    name: 'import-legacy',
    summary: "import the previous backend's APY or TVL series, and end",
    load: () => import('./importLegacy.ts'),
  },
  {
    name: 'migrate-url',
    summary: 'say where a URL of the previous API leads today, and end',
    load: () => import('./migrateUrl.ts'),
  },
  {
    name: 'risk import',
    summary: 'bring facts into the risk graph, grade what they reach, and end',
    load: () => import('./riskImport.ts'),
  },
  {
    name: 'risk grade',
    summary: 'grade every node of the risk graph again, and end',
    load: () => import('./riskGrade.ts'),
  },
  {
    name: 'risk show',
    summary: 'print a node with its grade, the reasons and where each fact is from',
    load: () => import('./riskShow.ts'),
  },
  {
    name: 'risk diff',
    summary: 'print which grades another version of the method has changed',
    load: () => import('./riskDiff.ts'),
  },
  {
    name: 'payments list',
    summary:
      'payments that were charged and not delivered, those still open, and those that were lost',
    load: () => import('./paymentsList.ts'),
  },
  {
    name: 'payments refund',
    summary: 'write down that a payment was paid back',
    load: () => import('./paymentsRefund.ts'),
  },
  {
    name: 'payments reconcile',
    summary: 'find out from the chain what became of open and of new payments, and end',
    load: () => import('./paymentsReconcile.ts'),
  },
  {
    name: 'payments report',
    summary: 'what was earned, in base units',
    load: () => import('./paymentsReport.ts'),
  },
];
