import { TokenMark } from '../components/marks.tsx';
import type { Column } from '../components/table.tsx';
import { Age, Amount, Name, Percent, STALE_SECONDS, Unknown, Usd } from '../components/values.tsx';
import { decimalText } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';
import { ChainList } from './chainList.tsx';
import type { Family } from './listedFamily.ts';
import { overviewColumns } from './overviewColumns.tsx';
import type { Overviews } from './rowFigures.tsx';

const NEVER_READ = 'this family is not indexed yet';

export function familyColumns(
  chainName: (chainId: number) => string,
  overviews: Overviews,
): readonly Column<Family>[] {
  const compared = overviewColumns(overviews);
  return [
    {
      key: 'name',
      label: 'Family',
      value: ({ name }) => cleanText(name, 200),
      render: ({ slug, name, assets, feederOf }) => (
        <span class="marked">
          {assets !== null && <TokenMark symbol={assets.base.symbol} />}
          <span class="who">
            <a data-own href={`/family/${encodeURIComponent(slug)}`}>
              <Name text={name} />
            </a>
            <small>
              {assets === null ? slug : <Name text={assets.base.symbol} most={12} />}
              {feederOf !== null && ` · feeder of ${feederOf}`}
            </small>
          </span>
        </span>
      ),
    },
    {
      key: 'tvl',
      label: 'TVL',
      numeric: true,
      value: ({ stats }) => stats?.tvlUsd ?? null,
      unit: () => 'USD',
      render: ({ stats, assets }) =>
        stats === null ? (
          <Unknown why={NEVER_READ} />
        ) : (
          <span class="two">
            <Usd value={stats.tvlUsd} />
            <small>
              <Amount
                units={stats.tvl}
                decimals={assets?.base.decimals ?? 0}
                symbol={assets?.base.symbol ?? ''}
              />
            </small>
          </span>
        ),
    },
    compared.day,
    compared.week,
    rate('apy7d', 'APY 7 d'),
    { ...rate('apy30d', 'APY 30 d'), drop: 1 },
    compared.flow,
    {
      key: 'price',
      label: 'Share price',
      drop: 1,
      numeric: true,
      value: ({ stats, assets }) => exactPrice(stats?.assetsPerShare ?? null, assets),
      unit: ({ assets }) => assets && cleanText(assets.base.symbol, 24),
      render: ({ stats, assets }) =>
        stats === null ? (
          <Unknown why={NEVER_READ} />
        ) : (
          <Amount
            kind="price"
            units={stats.assetsPerShare}
            decimals={assets?.base.decimals ?? 0}
            why="no share price yet"
          />
        ),
    },
    {
      key: 'chains',
      label: 'Chains',
      value: ({ chains }) => chains.map(({ chainId }) => chainName(chainId)).join(' '),
      render: ({ slug, chains }) => <ChainList slug={slug} chains={chains} />,
    },
    compared.lowestScore,
    compared.trend,
    {
      key: 'age',
      label: 'Updated',
      drop: 1,
      numeric: true,
      value: ({ stats }) => stats?.updatedAt ?? null,
      render: ({ stats }) =>
        stats === null ? (
          <Unknown why={NEVER_READ} />
        ) : (
          <Age at={stats.updatedAt} staleAfter={STALE_SECONDS} />
        ),
    },
  ];
}

function rate(key: 'apy7d' | 'apy30d', label: string): Column<Family> {
  return {
    key,
    label,
    numeric: true,
    value: ({ stats }) => stats?.[key] ?? null,
    unit: () => 'fraction per year',
    render: ({ stats }) => <Percent fraction={stats?.[key] ?? null} />,
  };
}

function exactPrice(units: bigint | null, assets: Family['assets']): string | null {
  if (units === null || assets === null) return null;
  return decimalText(units, assets.base.decimals);
}
