import {
  type GetHistoryParameters,
  type GetPendingRedeemsParameters,
  type GetPerformanceParameters,
  type GetStatusParameters,
  type GetVaultParameters,
  getHistory,
  getPendingDeposits,
  getPendingRedeems,
  getPerformance,
  getStatusPage,
  getVault,
  getVaultsPage,
  type ListVaultsParameters,
  type Paged,
} from '@assay/client';
import type { JsonSchema } from '../domain/jsonSchema.ts';
import { seriesTool } from './series.ts';
import { asked, type FreeTool, objectOf } from './tool.ts';

const AMOUNTS =
  'Amounts are strings of base units (divide by 10^decimals, which stand beside them), rates are fractions (0.045 is 4.5 %), null is not known.';

/** Headers do not reach an agent: the cursor of the next page stands in the answer. */
function paged(schema: JsonSchema): JsonSchema {
  const properties = { ...(schema.properties as object), nextCursor: { type: 'string' } };
  return { ...schema, properties };
}

function next({ nextCursor }: Paged<unknown>): { nextCursor?: string } {
  return nextCursor === null ? {} : { nextCursor };
}

/** The tools that read. */
export const TOOLS: readonly FreeTool[] = [
  {
    name: 'assay_vaults',
    title: 'List vault families',
    description: `Every vault family with its slug, TVL, APY and share price. Begin here: other tools want a slug. If the answer has a nextCursor, pass it back as cursor for the next page. ${AMOUNTS}`,
    operations: ['listVaults'],
    output: ([list]) => paged(objectOf({ vaults: list!.output })),
    async run(client, args, signal) {
      const page = await getVaultsPage(client, asked<ListVaultsParameters>(args, signal));
      return { answer: { vaults: page.answer, ...next(page) } };
    },
  },
  {
    name: 'assay_vault',
    title: 'Read a vault family',
    description: `One vault family: TVL, idle and invested assets, pending exits, APY over 1, 7 and 30 days, its chains, its pools with allocation, liquidity and riskScore (0 to 100, higher is safer, 0 is not scored), and what it is exposed to. ${AMOUNTS}`,
    operations: ['getVault'],
    run: async (client, args, signal) => ({
      answer: await getVault(client, asked<GetVaultParameters>(args, signal)),
    }),
  },
  seriesTool,
  {
    name: 'assay_history',
    title: 'Read deposits and exits',
    description: `What wallets did in vaults, newest first: deposits, withdrawals, redemption requests and cancels, by family, wallet, chain, type and period. Pass nextCursor back as cursor for the next page; incompleteChains names chains that are not read in full. ${AMOUNTS}`,
    operations: ['getHistory'],
    run: async (client, args, signal) => ({
      answer: await getHistory(client, asked<GetHistoryParameters>(args, signal)),
    }),
  },
  {
    name: 'assay_pending',
    title: 'Read pending redemptions and deposits of a wallet',
    description: `What a wallet has waiting in the queues of vaults, read live from the chains: redemptions and deposits, with what can be claimed. incompleteChains names chains that did not answer. ${AMOUNTS}`,
    operations: ['getPendingRedeems', 'getPendingDeposits'],
    output: ([redeems, deposits]) =>
      objectOf({ redeems: redeems!.output, deposits: deposits!.output }),
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
    description: `What a wallet paid, received and holds in each vault family at average cost: cost basis, current value, realised and unrealised result, in base units and USD. ${AMOUNTS}`,
    operations: ['getPerformance'],
    run: async (client, args, signal) => ({
      answer: await getPerformance(client, asked<GetPerformanceParameters>(args, signal)),
    }),
  },
  {
    name: 'assay_status',
    title: 'Read how fresh the data is',
    description:
      'How far each chain, each family and each price feed is indexed, and what holds it back. Use it before you rely on figures, and when they look old. If the answer has a nextCursor, more families follow: pass it back as cursor.',
    operations: ['getStatus'],
    output: ([status]) => paged(status!.output),
    async run(client, args, signal) {
      const page = await getStatusPage(client, asked<GetStatusParameters>(args, signal));
      return { answer: { ...page.answer, ...next(page) } };
    },
  },
];
