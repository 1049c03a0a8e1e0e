import { agentNode } from '@assay/client';
import { renderCsv } from '../terminal/csv.ts';
import { renderList } from '../terminal/list.ts';
import { paintGrade } from './read/grade.ts';
import { NODE_FLAGS, parametersOf, readNode } from './read/nodeName.ts';
import { riskPage } from './read/pages.ts';
import { definePaid } from './read/paidCommand.ts';
import { headOf, propertyRows } from './read/properties.ts';
import { needed } from './read/readCommand.ts';

export const command = definePaid({
  usage: 'risk node ID',
  details:
    'ID is an id, address, or unique key. Asks for confirmation before it pays. With --csv, prints only the reasons.',
  examples: ['risk node chain:base --max-usd 0.05', 'risk node pool:base:0x… --dry-run'],
  flags: NODE_FLAGS,
  argument: 'ID',
  read: (flags, nodeId) => readNode(flags, needed(nodeId, 'node', 'risk node chain:base')),
  page: ({ nodeId }) => riskPage({ node: nodeId }),
  buy: (client, payer, args) => agentNode(client, payer, parametersOf(args)),
  csv: ({ id, _riskTier, riskBreakdown }) =>
    renderCsv(
      [
        { name: 'id', value: () => id },
        { name: 'grade', value: () => _riskTier },
        { name: 'question', value: ({ question }) => question },
        { name: 'answer', value: ({ answer }) => answer },
      ],
      riskBreakdown,
    ),
  show(node, screen) {
    const { bold } = screen.style;
    return [
      `${headOf(node, screen)}  grade ${paintGrade(node._riskTier, screen)}`,
      '',
      bold('Why'),
      ...renderList(
        node.riskBreakdown.map(({ question, answer }) => [question, answer]),
        screen,
      ),
      '',
      bold('Facts'),
      ...renderList(propertyRows(node.properties), screen),
    ];
  },
});
