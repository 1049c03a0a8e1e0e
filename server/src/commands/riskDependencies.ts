import { agentDependencies, type RiskEdge, type RiskNeighbor } from '@assay/client';
import { renderCsv } from '../terminal/csv.ts';
import { UNKNOWN } from '../terminal/formatNumber.ts';
import { renderTable } from '../terminal/table.ts';
import { plain } from '../terminal/text.ts';
import { timeText } from '../terminal/times.ts';
import { paintGrade } from './read/grade.ts';
import { NODE_FLAGS, parametersOf, readNode } from './read/nodeName.ts';
import { riskPage } from './read/pages.ts';
import { definePaid } from './read/paidCommand.ts';
import { needed } from './read/readCommand.ts';

interface Dependency {
  readonly edge: RiskEdge;
  readonly neighbor: RiskNeighbor | undefined;
}

export const command = definePaid({
  usage: 'risk dependencies ID',
  details:
    'ID is the id, address, or unique key of a pool. Shows its direct dependencies. Asks for confirmation before it pays.',
  examples: ['risk dependencies pool:base:0x… --max-usd 1'],
  flags: NODE_FLAGS,
  argument: 'ID',
  read: (flags, nodeId) =>
    readNode(flags, needed(nodeId, 'pool', 'risk dependencies pool:base:0x…')),
  page: ({ nodeId }) => riskPage({ node: nodeId }),
  buy: (client, payer, args) => agentDependencies(client, payer, parametersOf(args)),
  csv: (found) =>
    renderCsv<Dependency>(
      [
        { name: 'pool', value: () => found.nodeId },
        { name: 'type', value: ({ edge }) => edge.type },
        { name: 'target', value: ({ edge }) => edge.targetId },
        { name: 'grade', value: ({ neighbor }) => neighbor?._riskTier },
        { name: 'name', value: nameOf },
        { name: 'lastUpdatedAt', value: ({ edge }) => edge.lastUpdatedAt },
      ],
      join(found.edges, found.neighbors),
    ),
  show({ nodeId, _riskTier, edges, neighbors }, screen) {
    const head = `${screen.style.bold(plain(nodeId))}  grade ${paintGrade(_riskTier, screen)}`;
    if (edges.length === 0) return [head, 'no known dependencies'];
    return [
      head,
      '',
      ...renderTable<Dependency>(
        [
          { title: 'IT', value: ({ edge }) => edge.type.toLowerCase().replaceAll('_', ' ') },
          { title: 'NAME', value: (one) => nameOf(one) ?? UNKNOWN, narrow: 12, spare: 2 },
          {
            title: 'GRADE',
            value: ({ neighbor }) => neighbor?._riskTier ?? UNKNOWN,
            paint: (text) => paintGrade(text, screen),
          },
          { title: 'CHANGED (UTC)', value: ({ edge }) => timeText(edge.lastUpdatedAt), spare: 3 },
          { title: 'ID', value: ({ edge }) => edge.targetId, narrow: 24, middle: true },
        ],
        join(edges, neighbors),
        screen,
      ),
    ];
  },
});

function join(edges: readonly RiskEdge[], neighbors: readonly RiskNeighbor[]): Dependency[] {
  const byId = new Map(neighbors.map((neighbor) => [neighbor.id, neighbor]));
  return edges.map((edge) => ({ edge, neighbor: byId.get(edge.targetId) }));
}

function nameOf({ neighbor }: Dependency): string | undefined {
  const name = neighbor?.properties.name;
  return typeof name === 'string' ? name : undefined;
}
