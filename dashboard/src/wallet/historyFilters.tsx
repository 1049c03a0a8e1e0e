import type { ListedVault } from '@assay/client';
import type { HistoryFilter } from '../activity/historyFilter.ts';
import { useChainName } from '../state/chains.ts';
import { setQuery, usePlace } from '../state/url.ts';

const TYPES = ['', 'deposit', 'withdraw', 'redeem', 'cancel'] as const;
const PERIODS = [
  ['', 'All time'],
  ['1d', '1 day'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const;

export function useHistoryFilter(user: string): HistoryFilter {
  const { query } = usePlace();
  const period = query.get('period');
  const chain = query.get('chain') ?? '';
  return {
    user,
    family: query.get('family') ?? '',
    chain: /^[1-9]\d{0,14}$/.test(chain) ? chain : '',
    type: TYPES.find((type) => type === query.get('type')) ?? '',
    period: PERIODS.find(([one]) => one === period)?.[0] ?? '',
  };
}

export function HistoryFilters({
  filter,
  vaults,
}: {
  readonly filter: HistoryFilter;
  readonly vaults: readonly ListedVault<bigint>[];
}) {
  const nameOf = useChainName();
  const chains = [...new Set(vaults.flatMap((one) => one.chains.map(({ chainId }) => chainId)))];
  return (
    <search class="filters">
      <Select
        name="type"
        label="Type"
        value={filter.type}
        options={TYPES.map((type) => [type, type === '' ? 'All types' : type])}
      />
      <Select
        name="family"
        label="Family"
        value={filter.family}
        options={[['', 'All families'], ...vaults.map(({ slug }) => [slug, slug] as const)]}
      />
      <Select
        name="chain"
        label="Chain"
        value={filter.chain}
        options={[
          ['', 'All chains'],
          ...chains.map((chainId) => [String(chainId), nameOf(chainId)] as const),
        ]}
      />
      <Select name="period" label="Period" value={filter.period} options={PERIODS} />
    </search>
  );
}

function Select(props: {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}) {
  const { name, label, value, options } = props;
  return (
    <label>
      <span class="sr">{label}</span>
      <select value={value} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
