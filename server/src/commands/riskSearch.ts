import { type AssetHit, agentSearch, type LockedValueHit } from '@assay/client';
import { readWholeNumber } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { renderCsv } from '../terminal/csv.ts';
import { usdText } from '../terminal/formatNumber.ts';
import { renderTable } from '../terminal/table.ts';
import { riskPage } from './read/pages.ts';
import { definePaid } from './read/paidCommand.ts';
import { needed } from './read/readCommand.ts';

const LABELS = ['Pool', 'Asset', 'Protocol', 'Chain'] as const;

type Hit = LockedValueHit | AssetHit;

export const command = definePaid({
  usage: 'risk search TEXT',
  details: '',
  examples: ['risk search usdc --label pool --max-usd 0.001'],
  flags: {
    label: {
      value: 'KIND',
      text: 'pool, asset, protocol, or chain',
      choices: LABELS.map((label) => label.toLowerCase()),
    },
    tvl: { value: 'TERM', text: "TVL in USD, such as '>1e6'; market cap for assets" },
    grade: { value: 'TERM', text: "Such as B, or '<=B' for B and better" },
    limit: { value: 'N', text: '1 to 10 (default 10)' },
  },
  argument: 'TEXT',
  read(flags, q) {
    const given = flags.get('label')?.toLowerCase();
    const label = LABELS.find((known) => known.toLowerCase() === given);
    if (given !== undefined && label === undefined) {
      throw new UsageError(`--label must be one of ${LABELS.join(', ')}; correct it`);
    }
    return {
      q: needed(q, 'name or address', 'risk search usdc'),
      label,
      limit: readWholeNumber(flags, 'limit', { from: 1, to: 10 }),
      tvl: flags.get('tvl'),
      grade: flags.get('grade'),
    };
  },
  page: ({ q, label }) => riskPage({ q, label }),
  buy: (client, payer, { q, label, limit, tvl, grade }) =>
    agentSearch(client, payer, {
      q,
      ...(label !== undefined && { label }),
      ...(limit !== undefined && { limit }),
      ...(tvl !== undefined && { tvl }),
      ...(grade !== undefined && { grade }),
    }),
  csv: (hits) =>
    renderCsv<Hit>(
      [
        { name: 'id', value: ({ id }) => id },
        { name: 'label', value: ({ label }) => label },
        { name: 'name', value: ({ name }) => name },
        { name: 'network', value: ({ network }) => network },
        { name: 'usd', value: usdOfHit },
        { name: 'address', value: ({ address, uniqueKey }) => address ?? uniqueKey },
      ],
      hits,
    ),
  show(hits, screen) {
    if (hits.length === 0) return ['no results'];
    return renderTable<Hit>(
      [
        { title: 'ID', value: ({ id }) => id, paint: screen.style.cyan },
        { title: 'KIND', value: ({ label }) => label, spare: 3 },
        { title: 'NAME', value: ({ name }) => name, narrow: 12, spare: 1 },
        { title: 'NETWORK', value: ({ network }) => network, spare: 4 },
        { title: 'USD', value: (hit) => usdText(usdOfHit(hit)), right: true, spare: 2 },
      ],
      hits,
      screen,
    );
  },
});

function usdOfHit(hit: Hit): number | null {
  return 'marketCapUsd' in hit ? hit.marketCapUsd : hit.tvlUsd;
}
