import { agentSchema, type RiskSchema } from '@assay/client';
import { renderCsv } from '../terminal/csv.ts';
import { renderList } from '../terminal/list.ts';
import { renderTable } from '../terminal/table.ts';
import { plain } from '../terminal/text.ts';
import { definePaid } from './read/paidCommand.ts';

export const command = definePaid<object, RiskSchema>({
  usage: 'risk schema',
  details:
    'Shows the facts of each kind of node, and the kinds of dependencies. Asks for confirmation before it pays.',
  examples: ['risk schema --max-usd 0.001', 'risk schema --dry-run'],
  read: () => ({}),
  buy: (client, payer) => agentSchema(client, payer),
  csv: ({ nodeTypes }) =>
    renderCsv(
      [
        { name: 'label', value: ({ label }) => label },
        { name: 'property', value: ({ name }) => name },
        { name: 'type', value: ({ type }) => type },
        { name: 'description', value: ({ description }) => description },
      ],
      nodeTypes.flatMap(({ label, properties }) => properties.map((one) => ({ label, ...one }))),
    ),
  show({ nodeTypes, edgeTypes, grades, methodVersion }, screen) {
    const { bold } = screen.style;
    return [
      ...nodeTypes.flatMap(({ label, properties }) => [
        bold(plain(label)),
        ...renderList(
          properties.map(({ name, type, description }) => [name, `${type}: ${description}`]),
          screen,
        ),
        '',
      ]),
      ...renderTable(
        [
          { title: 'DEPENDENCY', value: ({ type }) => type },
          { title: 'FROM', value: ({ from }) => from },
          { title: 'TO', value: ({ to }) => to },
        ],
        edgeTypes,
        screen,
      ),
      '',
      `grades ${grades.map(plain).join(' ')}, method ${plain(methodVersion)}`,
    ];
  },
});
