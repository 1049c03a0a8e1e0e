import { agentNode } from '@assay/client';
import { renderCsv } from '../terminal/csv.ts';
import { renderList } from '../terminal/list.ts';
import { paintGrade } from './read/grade.ts';
import { definePaid } from './read/paidCommand.ts';
import { headOf, propertyRows } from './read/properties.ts';
import { needed } from './read/readCommand.ts';

export const command = definePaid({
  usage: 'risk node ID',
  details: 'Asks before it pays. With --csv the reasons alone.',
  examples: ['risk node chain:base --max-usd 0.05', 'risk node pool:base:0x… --dry-run'],
  argument: 'ID',
  read: (_flags, nodeId) => ({ nodeId: needed(nodeId, 'node', 'risk node chain:base') }),
  buy: (client, payer, { nodeId }) => agentNode(client, payer, { nodeId }),
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
