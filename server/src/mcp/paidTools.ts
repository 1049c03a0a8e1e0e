import {
  type AgentDependenciesParameters,
  type AgentNodeParameters,
  type AgentSearchParameters,
  agentDependencies,
  agentNode,
  agentSchema,
  agentSearch,
  type Bought,
  type Client,
  type Payer,
} from '@assay/client';
import type { JsonSchema } from '../domain/jsonSchema.ts';
import type { ApiOperation } from './apiOperations.ts';
import { asked, objectOf, type ToolArguments } from './tool.ts';

/** Whoever brings an answer for money. */
export type Buyer = Pick<Payer, 'buy'>;

/** A tool whose answers are sold by the server. */
export interface PaidTool {
  readonly name: `assay_${string}`;
  readonly title: string;
  /** What it tells and when to use it; the price is added. */
  readonly description: string;
  readonly operation: string;
  /** What it answers, where that is not what its operation answers: the protocol wants an object. */
  readonly output?: (operation: ApiOperation) => JsonSchema;
  present?(answer: unknown): object;
  buy(client: Client, buyer: Buyer, args: ToolArguments, signal: AbortSignal): Promise<Bought>;
}

/** The tools that cost something. */
export const PAID_TOOLS: readonly PaidTool[] = [
  {
    name: 'assay_risk_search',
    title: 'Find pools, assets, protocols and chains',
    description:
      'Finds nodes of the risk graph by name, symbol or address, and gives their ids. Hits have no grade: buy the node for that. Charged also when nothing is found.',
    operation: 'agentSearch',
    output: ({ output }) => objectOf({ hits: output }),
    present: (hits) => ({ hits }),
    buy: (client, buyer, args, signal) =>
      agentSearch(client, buyer, asked<AgentSearchParameters>(args, signal)),
  },
  {
    name: 'assay_risk_node',
    title: 'Buy a risk grade',
    description:
      'One node of the risk graph: what is known of it, its grade (_riskTier, A safest to F) and the reasons as questions and answers. An unknown node is not charged.',
    operation: 'agentNode',
    buy: (client, buyer, args, signal) =>
      agentNode(client, buyer, asked<AgentNodeParameters>(args, signal)),
  },
  {
    name: 'assay_risk_dependencies',
    title: 'Buy what a pool depends on',
    description:
      'The direct dependencies of a pool: protocol, assets, chain, collateral, each with its own grade and when it last changed. Only for ids that begin with pool:. An unknown pool is not charged.',
    operation: 'agentDependencies',
    buy: (client, buyer, args, signal) =>
      agentDependencies(client, buyer, asked<AgentDependenciesParameters>(args, signal)),
  },
  {
    name: 'assay_risk_schema',
    title: 'Buy the data model of the risk graph',
    description:
      'Kinds of nodes with their properties, kinds of edges, and the letters of grades. Seldom needed: the other tools explain themselves.',
    operation: 'agentSchema',
    buy: (client, buyer, _args, signal) => agentSchema(client, buyer, { signal }),
  },
];
