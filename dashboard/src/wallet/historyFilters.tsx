import type { ListedVault } from '@assay/client';
import type { HistoryFilter } from '../activity/historyFilter.ts';
import { Select } from '../components/select.tsx';
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
        label="Type"
        value={filter.type}
        options={TYPES.map((type) => [type, type === '' ? 'All types' : type])}
        onChoose={(type) => setQuery({ type })}
      />
      <Select
        label="Family"
        value={filter.family}
        options={[['', 'All families'], ...vaults.map(({ slug }) => [slug, slug] as const)]}
        onChoose={(family) => setQuery({ family })}
      />
      <Select
        label="Chain"
        value={filter.chain}
        options={[
          ['', 'All chains'],
          ...chains.map((chainId) => [String(chainId), nameOf(chainId)] as const),
        ]}
        onChoose={(chain) => setQuery({ chain })}
      />
      <Select
        label="Period"
        value={filter.period}
        options={PERIODS}
        onChoose={(period) => setQuery({ period })}
      />
    </search>
  );
}
