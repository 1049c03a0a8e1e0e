import type { ListedVault } from '@assay/client';
import { decimalText } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';
import type { Column } from '../parts/table.tsx';
import { Age, Amount, Name, Percent, STALE_SECONDS, Unknown, Usd } from '../parts/values.tsx';
import type { Live } from '../state/live.ts';
import { ChainList } from './chainList.tsx';
import { LowestScore, type Scores, SparkCell } from './rowFigures.tsx';

export type Family = ListedVault<bigint>;

const NEVER_READ = 'this family has not been read yet';

export function familyColumns(
  chainName: (chainId: number) => string,
  scores: Live<Scores>,
): readonly Column<Family>[] {
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
            {feederOf !== null && ` · feeds ${feederOf}`}
          </small>
        </span>
      ),
    },
    {
      key: 'tvl',
      label: 'TVL',
      numeric: true,
      value: ({ stats }) => stats?.tvlUsd ?? null,
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
    rate('apy7d', 'APY 7 d'),
    rate('apy30d', 'APY 30 d'),
    {
      key: 'price',
      label: 'Share price',
      numeric: true,
      value: ({ stats, assets }) => exactPrice(stats?.assetsPerShare ?? null, assets),
      render: ({ stats, assets }) =>
        stats === null ? (
          <Unknown why={NEVER_READ} />
        ) : (
          <Amount
            kind="price"
            units={stats.assetsPerShare}
            decimals={assets?.base.decimals ?? 0}
            why="no share price is published yet"
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
      title: 'The lowest riskScore of its pools: 0 to 100, higher is safer',
      numeric: true,
      value: ({ slug }) => scores.data?.get(slug) ?? null,
      render: ({ slug }) => <LowestScore slug={slug} scores={scores} />,
    },
    {
      key: 'trend',
      label: 'TVL 30 d',
      render: ({ slug }) => <SparkCell slug={slug} />,
    },
    {
      key: 'age',
      label: 'Updated',
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
    render: ({ stats }) => <Percent fraction={stats?.[key] ?? null} />,
  };
}

function exactPrice(units: bigint | null, assets: Family['assets']): string | null {
  if (units === null || assets === null) return null;
  return decimalText(units, assets.base.decimals);
}
