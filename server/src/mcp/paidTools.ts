import {
  type AgentDependenciesParameters,
  type AgentNodeParameters,
  type AgentNodesParameters,
  type AgentSearchParameters,
  agentDependencies,
  agentDependenciesBatch,
  agentNode,
  agentNodes,
  agentSchema,
  agentSearch,
  type Bought,
  type Client,
  type Payer,
} from '@assay/client';
import type { JsonSchema } from '../domain/jsonSchema.ts';
import { asked, type ToolArguments } from './tool.ts';

/** Gets a paid response. */
export type Buyer = Pick<Payer, 'buy'>;

/** A tool whose responses are sold by the server. */
export interface PaidTool {
  readonly name: `assay_${string}`;
  readonly title: string;
  /** What it returns and when to use it; the price is added. */
  readonly description: string;
  readonly operation: string;
  /** Its input, if it differs from the parameters of its operation. */
  readonly input?: JsonSchema;
  /** The response as an object, which the protocol requires. */
  present?(answer: unknown): object;
  buy(client: Client, buyer: Buyer, args: ToolArguments, signal: AbortSignal): Promise<Bought>;
}

/** The list that the server takes separated by commas. */
const NODE_IDS: JsonSchema = {
  type: 'object',
  properties: {
    nodeIds: {
      type: 'array',
      items: { type: 'string', pattern: '^[^,]+$' },
      minItems: 1,
      maxItems: 20,
    },
    chainId: { type: 'integer', minimum: 1 },
  },
  required: ['nodeIds'],
  additionalProperties: false,
};

/** The tools that cost something. */
export const PAID_TOOLS: readonly PaidTool[] = [
  {
    name: 'assay_risk_search',
    title: 'Find pools, assets, protocols, and chains',
    description:
      'Finds nodes of the risk graph by name, symbol, or address, with their ids but without grades. Charged even without results.',
    operation: 'agentSearch',
    present: (hits) => ({ hits }),
    buy: (client, buyer, args, signal) =>
      agentSearch(client, buyer, asked<AgentSearchParameters>(args, signal)),
  },
  {
    name: 'assay_risk_node',
    title: 'Buy a risk grade',
    description:
      'One node: known facts, grade (_riskTier, A safest to F riskiest), and reasons. Unknown or ambiguous nodes are not charged.',
    operation: 'agentNode',
    buy: (client, buyer, args, signal) =>
      agentNode(client, buyer, asked<AgentNodeParameters>(args, signal)),
  },
  {
    name: 'assay_risk_nodes',
    title: 'Buy several risk grades',
    description: 'Up to 20 nodes in one payment. If one is unknown, nothing is charged.',
    operation: 'agentNodes',
    input: NODE_IDS,
    present: (nodes) => ({ nodes }),
    buy: (client, buyer, args, signal) => agentNodes(client, buyer, listed(args, signal)),
  },
  {
    name: 'assay_risk_dependencies',
    title: 'Buy the dependencies of a pool',
    description:
      'Direct dependencies of a pool (protocol, assets, chain, collateral), each with its grade. Unknown or ambiguous pools are not charged.',
    operation: 'agentDependencies',
    buy: (client, buyer, args, signal) =>
      agentDependencies(client, buyer, asked<AgentDependenciesParameters>(args, signal)),
  },
  {
    name: 'assay_risk_dependencies_batch',
    title: 'Buy the dependencies of several pools',
    description: 'Up to 20 pools in one payment. If one is unknown, nothing is charged.',
    operation: 'agentDependenciesBatch',
    input: NODE_IDS,
    present: (pools) => ({ pools }),
    buy: (client, buyer, args, signal) =>
      agentDependenciesBatch(client, buyer, listed(args, signal)),
  },
  {
    name: 'assay_risk_schema',
    title: 'Buy the data model of the risk graph',
    description: 'Kinds of nodes and edges with their properties. Rarely needed.',
    operation: 'agentSchema',
    buy: (client, buyer, _args, signal) => agentSchema(client, buyer, { signal }),
  },
];

function listed({ nodeIds, ...args }: ToolArguments, signal: AbortSignal) {
  const list = (nodeIds as readonly string[]).join(',');
  return asked<AgentNodesParameters>({ ...args, nodeIds: list }, signal);
}
