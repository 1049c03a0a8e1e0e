import {
  type GetHistoryParameters,
  type GetHoldersParameters,
  type GetLedgerParameters,
  type GetPendingRedeemsParameters,
  type GetPerformanceParameters,
  type GetStatusParameters,
  type GetVaultParameters,
  getHistory,
  getHolders,
  getLedger,
  getPendingDeposits,
  getPendingRedeems,
  getPerformance,
  getStatusPage,
  getVault,
  getVaultsPage,
  type ListVaultsParameters,
  type Paged,
} from '@assay/client';
import { allocationTool } from './allocation.ts';
import { compareTool } from './compare.ts';
import { eventsTool } from './events.ts';
import { exitsTool } from './exits.ts';
import { withoutParameters } from './inputs.ts';
import { seriesTool } from './series.ts';
import { asked, type FreeTool } from './tool.ts';

/** Agents do not see headers, so the cursor of the next page is added to the result. */
function next({ nextCursor }: Paged<unknown>): { nextCursor?: string } {
  return nextCursor === null ? {} : { nextCursor };
}

/** Maximum number of the newest ledger entries. */
const MAX_ENTRIES = 100;

/** The tools that read. */
export const TOOLS: readonly FreeTool[] = [
  {
    name: 'assay_vaults',
    title: 'List vault families',
    description:
      'Vault families with slug, TVL, APY, and share price. Start here: other tools need a slug.',
    operations: ['listVaults'],
    async run(client, args, signal) {
      const page = await getVaultsPage(client, asked<ListVaultsParameters>(args, signal));
      return { answer: { vaults: page.answer, ...next(page) } };
    },
  },
  {
    name: 'assay_vault',
    title: 'Read a vault family',
    description:
      'One family: TVL, idle and invested assets, pending exits, APY, chains, exposure, and pools with allocation, liquidity, and riskScore (0 to 100, higher is safer; 0 means no score).',
    operations: ['getVault'],
    run: async (client, args, signal) => ({
      answer: await getVault(client, asked<GetVaultParameters>(args, signal)),
    }),
  },
  compareTool,
  seriesTool,
  allocationTool,
  {
    name: 'assay_holders',
    title: 'Read the largest holders',
    description: 'Number of holders, and the 10 largest with their share in percent.',
    operations: ['getHolders'],
    run: async (client, args, signal) => ({
      answer: await getHolders(client, asked<GetHoldersParameters>(args, signal)),
    }),
  },
  exitsTool,
  {
    name: 'assay_history',
    title: 'Read deposits and redemptions',
    description:
      'Deposits, withdrawals, redemption requests, and cancellations, newest first. incompleteChains: chains that are not fully read.',
    operations: ['getHistory'],
    input: ([history]) => withoutParameters(history!.input, ['transactionHash']),
    run: async (client, args, signal) => ({
      answer: await getHistory(client, asked<GetHistoryParameters>(args, signal)),
    }),
  },
  eventsTool,
  {
    name: 'assay_pending',
    title: 'Read pending redemptions and deposits',
    description:
      'Queued redemptions and deposits of a wallet, read live from the chains. incompleteChains: chains that did not respond.',
    operations: ['getPendingRedeems', 'getPendingDeposits'],
    async run(client, args, signal) {
      const wallet = asked<GetPendingRedeemsParameters>(args, signal);
      const [redeems, deposits] = await Promise.all([
        getPendingRedeems(client, wallet),
        getPendingDeposits(client, wallet),
      ]);
      return { answer: { redeems, deposits } };
    },
  },
  {
    name: 'assay_performance',
    title: 'Read the performance of a wallet',
    description:
      'Cost basis, value, and realized and unrealized profit or loss of a wallet per family.',
    operations: ['getPerformance'],
    run: async (client, args, signal) => ({
      answer: await getPerformance(client, asked<GetPerformanceParameters>(args, signal)),
    }),
  },
  {
    name: 'assay_ledger',
    title: 'Read the ledger of a wallet',
    description: `Each movement of a wallet with its effect on cost and result: the newest ${MAX_ENTRIES}, oldest first.`,
    operations: ['getLedger'],
    async run(client, args, signal) {
      const all = await getLedger(client, asked<GetLedgerParameters>(args, signal));
      return { answer: { entries: all.slice(-MAX_ENTRIES), count: all.length } };
    },
  },
  {
    name: 'assay_status',
    title: 'Read how current the data is',
    description:
      'Indexing progress and errors of chains, families, and price feeds. Use it before you rely on values.',
    operations: ['getStatus'],
    async run(client, args, signal) {
      const page = await getStatusPage(client, asked<GetStatusParameters>(args, signal));
      return { answer: { ...page.answer, ...next(page) } };
    },
  },
];
