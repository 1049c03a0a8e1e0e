import type { ListedVault } from '@assay/client';
import type { Column } from '../components/table.tsx';
import { Age, Amount, Name, Percent, STALE_SECONDS, Unknown, Usd } from '../components/values.tsx';
import { decimalText } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';
import { ChainList } from './chainList.tsx';
import { changeOf, netFlowUsd } from './figures.ts';
import { LowestScore, type Overviews, SparkCell } from './rowFigures.tsx';
import { Flow } from './story.tsx';

export type Family = ListedVault<bigint>;

const NEVER_READ = 'this family is not indexed yet';

export function familyColumns(
  chainName: (chainId: number) => string,
  overviews: Overviews,
): readonly Column<Family>[] {
  const of = ({ slug }: Family) => overviews?.get(slug);
  return [
    {
      key: 'name',
      label: 'Family',
      value: ({ name }) => cleanText(name, 200),
      render: ({ slug, name, assets, feederOf }) => (
        <span class="who">
          <a data-own href={`/family/${encodeURIComponent(slug)}`}>
            <Name text={name} />
          </a>
          <small>
            {assets === null ? slug : <Name text={assets.base.symbol} most={12} />}
            {feederOf !== null && ` · feeder of ${feederOf}`}
          </small>
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
    change('dayAgo', '24 h', 2),
    change('weekAgo', '7 d', 3),
    rate('apy7d', 'APY 7 d'),
    { ...rate('apy30d', 'APY 30 d'), drop: 2 },
    {
      key: 'flow',
      label: 'Net flow 7 d',
      title: 'Shares issued minus shares redeemed in 7 days, at their value now',
      drop: 2,
      numeric: true,
      value: (family) => flowOf(family),
      unit: () => 'USD',
      render: (family) => <Flow value={flowOf(family)} />,
    },
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
    {
      key: 'risk',
      label: 'Lowest score',
      title: 'The lowest riskScore among its pools: 0 to 100, higher is safer',
      numeric: true,
      value: (family) => of(family)?.lowestScore ?? null,
      render: (family) => <LowestScore found={of(family)} />,
    },
    {
      key: 'trend',
      label: 'TVL 30 d',
      drop: 1,
      render: (family) => <SparkCell found={of(family)} />,
    },
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

  function flowOf(family: Family): number | null {
    const found = of(family);
    return found === undefined ? null : netFlowUsd(found.weekAgo, found.now);
  }

  function change(key: 'dayAgo' | 'weekAgo', label: string, drop: 2 | 3): Column<Family> {
    const value = (family: Family) => {
      const found = of(family);
      return found === undefined ? null : changeOf(found[key], found.now);
    };
    return {
      key,
      label,
      title: `Change of TVL in the asset, ${label}`,
      fileLabel: `TVL ${label}`,
      drop,
      numeric: true,
      value,
      unit: () => 'fraction',
      render: (family) => <Percent fraction={value(family)} why="no value at that time" />,
    };
  }
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
