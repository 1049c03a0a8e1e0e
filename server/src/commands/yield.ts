import { getYield, type YieldBySource } from '@assay/client';
import { renderCsv } from '../terminal/csv.ts';
import { amountText, exactAmount, percentText } from '../terminal/formatNumber.ts';
import { renderTable } from '../terminal/table.ts';
import { plain } from '../terminal/text.ts';
import { timeText } from '../terminal/times.ts';
import { getChainNames, type NameOfChain } from './read/chainNames.ts';
import { familyPage } from './read/pages.ts';
import { defineRead, needed } from './read/readCommand.ts';

interface YieldPage {
  readonly found: YieldBySource;
  readonly nameOf: NameOfChain;
}

interface Row {
  readonly source: string;
  readonly chainId: number | null;
  readonly offchainId: string | null;
  readonly assets: string;
  readonly fraction: number | null;
}

export const command = defineRead({
  usage: 'yield SLUG',
  details:
    'Shows what each pool, reward, and fee contributed to the return, by default of the last 30 days. The parts add up to the total.',
  examples: ['yield svcusd', 'yield svcusd --from 2026-10-01 --to 2026-10-31 --csv'],
  flags: {
    from: { value: 'DATE', text: 'Start day or time, such as 2026-03-01' },
    to: { value: 'DATE', text: 'End day or time' },
  },
  argument: 'SLUG',
  read: (flags, slug) => ({
    slug: needed(slug, 'family', 'yield svcusd'),
    from: flags.get('from'),
    to: flags.get('to'),
  }),
  family: ({ slug }) => slug,
  page: ({ slug }) => familyPage(slug),
  async ask(client, { slug, from, to }): Promise<YieldPage> {
    const [found, nameOf] = await Promise.all([
      getYield(client, {
        slug,
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      }),
      getChainNames(client),
    ]);
    return { found, nameOf };
  },
  json: ({ found }) => found,
  csv: ({ found }) =>
    renderCsv<Row>(
      [
        { name: 'source', value: ({ source }) => source },
        { name: 'chainId', value: ({ chainId }) => chainId },
        { name: 'pool', value: ({ offchainId }) => offchainId },
        {
          name: 'assets',
          value: ({ assets }) => exactAmount(assets, found.baseAssetDecimals ?? 0),
        },
        { name: 'fraction', value: ({ fraction }) => fraction },
      ],
      rowsOf(found),
    ),
  show({ found, nameOf }, screen, { slug }) {
    if (found.total === null) return ['no data for this period'];
    const { bold, red } = screen.style;
    const right = true as const;
    return [
      `${bold(`${plain(slug)}: yield by source`)}, ${timeText(found.from)} to ${timeText(found.to)} UTC`,
      ...renderTable<Row>(
        [
          { title: 'SOURCE', value: ({ source }) => source },
          { title: 'POOL', value: ({ offchainId }) => offchainId ?? '', narrow: 16 },
          {
            title: 'CHAIN',
            value: ({ chainId }) => (chainId === null ? '' : nameOf(chainId)),
            spare: 1,
          },
          {
            title: 'ASSETS',
            value: ({ assets }) => amountText(assets, found.baseAssetDecimals ?? 0),
            right,
            paint: (text) => (text.startsWith('-') ? red(text) : text),
          },
          { title: 'PART', value: ({ fraction }) => percentText(fraction), right },
        ],
        rowsOf(found),
        screen,
      ),
    ];
  },
});

function rowsOf({ sources, unattributed, total }: YieldBySource): Row[] {
  const none = { chainId: null, offchainId: null };
  return [
    ...sources,
    ...(unattributed === null ? [] : [{ source: 'unattributed', ...none, ...unattributed }]),
    ...(total === null ? [] : [{ source: 'total', ...none, ...total }]),
  ];
}
